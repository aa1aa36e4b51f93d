// SPDX-License-Identifier: Apache-2.0
//
// The only C++ of the lock-step tests: Verilator's class behind the functions of dut.h. VTOP is the
// class, VTOP_H and ROOT_H its headers; verilate.sh extracts from them PORTS_H, the list of ports,
// and BYTES_H, the lists of memories that dut_flip() and its like change.  With VM_COVERAGE
// each module writes what it counted to $BYW_COVERAGE.N when it is freed.
#include "dut.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include VTOP_H
#include ROOT_H

enum { GROUP_BITS = 32 * 9 }; // byw_ram_1r1w: a group has 32 lanes; here a byte and its parity

struct port {
    const char *name;
    unsigned char *at;
    size_t bytes; // of storage
};

struct rams {
    struct {
        unsigned char *at;
        size_t word_bytes;
    } ram[128];
    uint32_t count;

    template <class RAM> void add(RAM &from)
    {
        if (count < sizeof(ram) / sizeof(ram[0]))
            ram[count++] = {reinterpret_cast<unsigned char *>(&from[0]), sizeof(from[0])};
    }

    void flip(uint32_t number, uint32_t word, uint32_t bit)
    {
        if (number >= count) {
            std::fprintf(stderr, "the module has no memory %u of this kind to flip bits in\n",
                         number);
            std::exit(2);
        }
        ram[number].at[word * ram[number].word_bytes + bit / 8] ^=
            static_cast<unsigned char>(1U << bit % 8);
    }
};

#if VM_COVERAGE
// Each module has its own context, because the context owns the coverage counters.
struct counted : VerilatedContext {
    explicit counted(int seed)
    {
        randReset(2);
        randSeed(seed);
    }
};
#endif

struct dut {
#if VM_COVERAGE
    struct counted context;
    VTOP top;

    explicit dut(int seed) : context(seed), top(&context)
    {
    }
#else
    VTOP top;
#endif
    struct port ports[128];
    uint32_t count = 0;
    CData *clk = nullptr;
    struct rams bytes = {}; // the groups of lanes of the first data store
    struct rams keys = {}; // the tag ways of the first tag store
    struct rams records = {}; // of byw_sector_store, in the order of their names: fills, requests

    void add(const char *name, void *at, size_t bytes)
    {
        ports[count++] = {name, static_cast<unsigned char *>(at), bytes};
        if (std::strcmp(name, "clk_i") == 0 || std::strcmp(name, "clk") == 0)
            clk = static_cast<CData *>(at);
    }
};

extern "C" struct dut *dut_create(uint64_t seed)
{
    int const drawn = static_cast<int>(seed % 0x7fffffff + 1);
#if VM_COVERAGE
    struct dut *d = new dut(drawn);
#else
    Verilated::randReset(2);
    Verilated::randSeed(drawn);
    struct dut *d = new dut();
#endif
#define PORT(name) d->add(#name, &d->top.name, sizeof(d->top.name));
#include PORTS_H
#undef PORT
#define BYTES(name) d->bytes.add(d->top.rootp->name);
#define KEYS(name) d->keys.add(d->top.rootp->name);
#define RECORDS(name) d->records.add(d->top.rootp->name);
#include BYTES_H
#undef BYTES
#undef KEYS
    return d;
}

extern "C" void dut_free(struct dut *d)
{
    d->top.final();
#if VM_COVERAGE
    static int written = 0;
    const char *to = std::getenv("BYW_COVERAGE");

    if (to != nullptr)
        d->context.coveragep()->write((to + ("." + std::to_string(written++))).c_str());
#endif
    delete d;
}

extern "C" uint32_t dut_port(const struct dut *d, const char *name)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (std::strcmp(d->ports[i].name, name) == 0)
            return i;
    std::fprintf(stderr, "the module has no port %s\n", name);
    std::exit(2);
}

extern "C" void dut_put(struct dut *d, uint32_t port, uint64_t value)
{
    std::memcpy(d->ports[port].at, &value, d->ports[port].bytes);
}

extern "C" uint64_t dut_get(const struct dut *d, uint32_t port)
{
    uint64_t value = 0;

    std::memcpy(&value, d->ports[port].at, d->ports[port].bytes);
    return value;
}

extern "C" void dut_put_bytes(struct dut *d, uint32_t port, const void *bytes, size_t n)
{
    std::memcpy(d->ports[port].at, bytes, n < d->ports[port].bytes ? n : d->ports[port].bytes);
}

extern "C" void dut_get_bytes(const struct dut *d, uint32_t port, void *bytes, size_t n)
{
    std::memcpy(bytes, d->ports[port].at, n < d->ports[port].bytes ? n : d->ports[port].bytes);
}

extern "C" void dut_flip(struct dut *d, uint32_t word, uint32_t bit)
{
    d->bytes.flip(bit / GROUP_BITS, word, bit % GROUP_BITS);
}

extern "C" void dut_flip_key(struct dut *d, uint32_t way, uint32_t set, uint32_t bit)
{
    d->keys.flip(way, set, bit);
}

extern "C" void dut_flip_record(struct dut *d, uint32_t copy, uint32_t set, uint32_t bit)
{
    d->records.flip(copy, set, bit);
}

extern "C" void dut_eval(struct dut *d)
{
    if (d->clk != nullptr)
        *d->clk = 0;
    d->top.eval();
}

extern "C" void dut_tick(struct dut *d)
{
    *d->clk = 1;
    d->top.eval();
}
