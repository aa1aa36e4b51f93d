/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim/byw_sass.h"

#include <stdlib.h>
#include <string.h>

#define OPCODE_BYTES 16

#define INT BYW_CLASS_INT, BYW_SASS_NONE
#define FP BYW_CLASS_FP, BYW_SASS_NONE
#define SFU BYW_CLASS_SFU, BYW_SASS_NONE
#define DP BYW_CLASS_DP, BYW_SASS_NONE
#define BRANCH BYW_CLASS_BRANCH, BYW_SASS_NONE
#define FIXED(cls) BYW_CLASS_##cls, BYW_SASS_FIXED
#define GENERIC(cls) BYW_CLASS_##cls, BYW_SASS_GENERIC

/* In strcmp order, for the binary search.  Conversions run on the special-function unit at a
 * quarter of the rate (F2F, F2I, I2F).  Texture accesses have no addresses in traces and count as
 * special functions, too. */
static const struct opcode {
    char name[OPCODE_BYTES];
    uint8_t cls, space;
} opcodes[] = {
    {"ACQBULK", INT},
    {"ATOM", GENERIC(ATOMIC)},
    {"ATOMG", FIXED(ATOMIC)},
    {"ATOMS", FIXED(SHARED_LOAD)},
    {"B2R", INT},
    {"BAR", BYW_CLASS_BARRIER, BYW_SASS_NONE},
    {"BFE", INT},
    {"BFI", INT},
    {"BMMA", FP},
    {"BMOV", INT},
    {"BMSK", INT},
    {"BPT", BRANCH},
    {"BRA", BRANCH},
    {"BREAK", BRANCH},
    {"BREV", SFU},
    {"BRK", BRANCH},
    {"BRX", BRANCH},
    {"BRXU", BRANCH},
    {"BSSY", BRANCH},
    {"BSYNC", BRANCH},
    {"CAL", BRANCH},
    {"CALL", BRANCH},
    {"CCTL", INT},
    {"CCTLL", INT},
    {"CCTLT", INT},
    {"CONT", BRANCH},
    {"CS2R", INT},
    {"CSET", INT},
    {"CSETP", INT},
    {"DADD", DP},
    {"DEPBAR", INT},
    {"DFMA", DP},
    {"DMMA", DP},
    {"DMNMX", DP},
    {"DMUL", DP},
    {"DSET", DP},
    {"DSETP", DP},
    {"ENDCOLLECTIVE", INT},
    {"ERRBAR", INT},
    {"EXIT", BYW_CLASS_EXIT, BYW_SASS_NONE},
    {"F2F", SFU},
    {"F2FP", FP},
    {"F2I", SFU},
    {"F2IP", SFU},
    {"FADD", FP},
    {"FADD32I", FP},
    {"FCHK", FP},
    {"FCMP", FP},
    {"FFMA", FP},
    {"FFMA32I", FP},
    {"FLO", SFU},
    {"FMNMX", FP},
    {"FMUL", FP},
    {"FMUL32I", FP},
    {"FRND", SFU},
    {"FSEL", FP},
    {"FSET", FP},
    {"FSETP", FP},
    {"FSWZADD", FP},
    {"HADD2", FP},
    {"HFMA2", FP},
    {"HMMA", FP},
    {"HMNMX2", FP},
    {"HMUL2", FP},
    {"HSET2", FP},
    {"HSETP2", FP},
    {"I2F", SFU},
    {"I2FP", FP},
    {"I2I", INT},
    {"I2IP", INT},
    {"IABS", INT},
    {"IADD", INT},
    {"IADD3", INT},
    {"IADD32I", INT},
    {"ICMP", INT},
    {"IDE", INT},
    {"IDP", INT},
    {"IDP4A", INT},
    {"IMAD", INT},
    {"IMADSP", INT},
    {"IMMA", FP},
    {"IMNMX", INT},
    {"IMUL", INT},
    {"IMUL32I", INT},
    {"ISAD", INT},
    {"ISCADD", INT},
    {"ISCADD32I", INT},
    {"ISET", INT},
    {"ISETP", INT},
    {"JCAL", BRANCH},
    {"JMP", BRANCH},
    {"JMX", BRANCH},
    {"JMXU", BRANCH},
    {"KILL", BYW_CLASS_EXIT, BYW_SASS_NONE},
    {"LD", GENERIC(LOAD)},
    {"LDC", FIXED(CONST_LOAD)},
    {"LDG", FIXED(LOAD)},
    {"LDGDEPBAR", INT},
    {"LDGSTS", FIXED(LOAD)},
    {"LDL", FIXED(LOCAL_LOAD)},
    {"LDS", FIXED(SHARED_LOAD)},
    {"LDSM", FIXED(SHARED_LOAD)},
    {"LDU", FIXED(LOAD)},
    {"LEA", INT},
    {"LEPC", INT},
    {"LOP", INT},
    {"LOP3", INT},
    {"LOP32I", INT},
    {"MATCH", INT},
    {"MEMBAR", INT},
    {"MOV", INT},
    {"MOV32I", INT},
    {"MOVM", INT},
    {"MUFU", SFU},
    {"NANOSLEEP", INT},
    {"NOP", INT},
    {"P2R", INT},
    {"PBK", BRANCH},
    {"PCNT", BRANCH},
    {"PEXIT", BRANCH},
    {"PLOP3", INT},
    {"PMTRIG", INT},
    {"POPC", SFU},
    {"PRET", BRANCH},
    {"PRMT", INT},
    {"PSET", INT},
    {"PSETP", INT},
    {"QSPC", INT},
    {"R2B", INT},
    {"R2P", INT},
    {"R2UR", INT},
    {"RED", FIXED(ATOMIC)},
    {"REDUX", INT},
    {"RET", BRANCH},
    {"RPCMOV", INT},
    {"RRO", SFU},
    {"RTT", BRANCH},
    {"S2R", INT},
    {"S2UR", INT},
    {"SEL", INT},
    {"SETCTAID", INT},
    {"SETLMEMBASE", INT},
    {"SGXT", INT},
    {"SHF", INT},
    {"SHFL", INT},
    {"SHL", INT},
    {"SHR", INT},
    {"SSY", BRANCH},
    {"ST", GENERIC(STORE)},
    {"STG", FIXED(STORE)},
    {"STL", FIXED(LOCAL_STORE)},
    {"STS", FIXED(SHARED_STORE)},
    {"SULD", SFU},
    {"SUST", SFU},
    {"SYNC", BRANCH},
    {"TEX", SFU},
    {"TLD", SFU},
    {"TLD4", SFU},
    {"TMML", SFU},
    {"TXD", SFU},
    {"TXQ", SFU},
    {"UBMSK", INT},
    {"UBREV", INT},
    {"UCLEA", INT},
    {"UF2FP", INT},
    {"UFLO", INT},
    {"UIADD3", INT},
    {"UIMAD", INT},
    {"UISETP", INT},
    {"ULDC", FIXED(CONST_LOAD)},
    {"ULEA", INT},
    {"ULOP", INT},
    {"ULOP3", INT},
    {"ULOP32I", INT},
    {"UMOV", INT},
    {"UP2UR", INT},
    {"UPLOP3", INT},
    {"UPOPC", INT},
    {"UPRMT", INT},
    {"UPSETP", INT},
    {"UR2UP", INT},
    {"USEL", INT},
    {"USETMAXREG", INT},
    {"USGXT", INT},
    {"USHF", INT},
    {"USHL", INT},
    {"USHR", INT},
    {"VABSDIFF", INT},
    {"VABSDIFF4", INT},
    {"VMNMX", INT},
    {"VOTE", INT},
    {"VOTEU", INT},
    {"WARPSYNC", BRANCH},
    {"XMAD", INT},
    {"YIELD", INT},
};

static int compare(const void *key, const void *entry)
{
    return strcmp(key, ((const struct opcode *)entry)->name);
}

static uint8_t modifier_width(const char *at, size_t length)
{
    static const struct {
        const char *text;
        uint8_t width;
    } table[] = {{"U8", 1}, {"S8", 1}, {"8", 1},   {"U16", 2}, {"S16", 2}, {"16", 2},
                 {"32", 4}, {"64", 8}, {"S64", 8}, {"U64", 8}, {"F64", 8}, {"128", 16}};

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strlen(table[i].text) == length && memcmp(table[i].text, at, length) == 0)
            return table[i].width;
    }
    return 0;
}

/* The first modifier that names a width applies; without one the width is 4. */
static uint8_t opcode_width(const char *at, const char *end)
{
    while (at < end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        const char *stop = (dot != NULL) ? dot : end;
        uint8_t width = modifier_width(at, (size_t)(stop - at));

        if (width != 0)
            return width;
        at = stop + 1;
    }
    return 4;
}

struct byw_sass byw_sass_decode(const char *opcode, size_t length)
{
    struct byw_sass sass = {.cls = BYW_CLASS_INT};
    const char *dot = memchr(opcode, '.', length);
    size_t base = (dot != NULL) ? (size_t)(dot - opcode) : length;
    const struct opcode *found;
    char name[OPCODE_BYTES + 4];

    if (base >= sizeof(name))
        return sass;
    memcpy(name, opcode, base);
    name[base] = '\0';
    found =
        bsearch(name, opcodes, sizeof(opcodes) / sizeof(opcodes[0]), sizeof(opcodes[0]), compare);
    if (found == NULL)
        return sass;
    sass.known = true;
    sass.cls = found->cls;
    sass.space = found->space;
    /* Matrix loads read a row of eight 16-bit elements at each lane's address. */
    if (strcmp(name, "LDSM") == 0)
        sass.width = 16;
    else if (found->space != BYW_SASS_NONE)
        sass.width = (dot != NULL) ? opcode_width(dot + 1, opcode + length) : 4;
    return sass;
}
