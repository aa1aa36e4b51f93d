/* SPDX-License-Identifier: Apache-2.0
 *
 * t_waves.c - waveforms of an L1D: when they are read back, their pulses add up to the counters;
 * writing them changes no result.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "common/test.h"
#include "sim/gpu_rig.h"
#include "sim/observe/byw_wave_file.h"

enum { CODES = 128 };

/* A VCD as the test reads it: how many cycles each signal of one bit was high. */
struct reading {
    char name[CODES][40];
    bool high[CODES];
    uint64_t since[CODES], total[CODES];
    uint64_t time, first;
};

/* Number of an identifier: base 94, lowest digit first. */
static uint32_t number(const char *code)
{
    uint32_t n = 0, scale = 1;

    for (; *code > ' '; code++, scale *= 94)
        n += (uint32_t)(*code - '!') * scale;
    assert_true(n < CODES);
    return n;
}

static void read_change(struct reading *r, const char *line)
{
    uint32_t n;

    if (line[0] != '0' && line[0] != '1')
        return;
    n = number(line + 1);
    if (r->high[n])
        r->total[n] += r->time - r->since[n];
    r->high[n] = line[0] == '1';
    r->since[n] = r->time;
}

static void read_vcd(struct reading *r, const char *path)
{
    FILE *in = fopen(path, "r");
    char line[200], code[8], name[40];
    unsigned width;

    memset(r, 0, sizeof(*r));
    r->first = UINT64_MAX;
    assert_non_null(in);
    while (fgets(line, sizeof(line), in) != NULL) {
        if (sscanf(line, "$var wire %u %7s %39s", &width, code, name) == 3) {
            strcpy(r->name[number(code)], name);
        } else if (line[0] == '#') {
            uint64_t time = strtoull(line + 1, NULL, 10);

            assert_true(r->first == UINT64_MAX || time > r->time);
            r->time = time;
            if (r->first == UINT64_MAX)
                r->first = time;
        } else {
            read_change(r, line);
        }
    }
    fclose(in);
    for (uint32_t n = 0; n < CODES; n++) {
        if (r->high[n])
            r->total[n] += r->time - r->since[n];
    }
}

/* Uses the FST library's own reader, which is part of the programs that contain its writer. */
__attribute__((weak)) void *fstReaderOpen(const char *path);
__attribute__((weak)) int fstReaderProcessHier(void *reader, FILE *vcd);
__attribute__((weak)) void fstReaderSetFacProcessMaskAll(void *reader);
__attribute__((weak)) int fstReaderIterBlocks(void *reader, void *callback, void *user, FILE *vcd);
__attribute__((weak)) void fstReaderClose(void *reader);

static void fst_to_vcd(const char *fst, const char *vcd)
{
    void *reader = fstReaderOpen(fst);
    FILE *out = fopen(vcd, "w");

    assert_non_null(reader);
    assert_non_null(out);
    assert_int_not_equal(fstReaderProcessHier(reader, out), 0);
    fstReaderSetFacProcessMaskAll(reader);
    assert_int_not_equal(fstReaderIterBlocks(reader, NULL, NULL, out), 0);
    fstReaderClose(reader);
    assert_int_equal(fclose(out), 0);
}

static uint64_t cycles_high(const struct reading *r, const char *name)
{
    for (uint32_t n = 0; n < CODES; n++) {
        if (strcmp(r->name[n], name) == 0)
            return r->total[n];
    }
    fail_msg("no signal %s", name);
    return 0;
}

static void pulses_add_up_to_the_counters(void **state)
{
    static const char *const event[] = {
#define X(code, name, when) name,
#include "record/byw_events.def"
#undef X
    };
    struct bench *b = *state;
    struct byw_gpu_result *plain = mixed(b), *watched;
    char path[80];
    struct byw_waves_window window = {.path = path, .sm = 3, .cycles = plain->cycles};
    static struct reading r;

    snprintf(path, sizeof(path), "%s.vcd", b->path);
    b->options.waves = &window;
    watched = mixed(b);
    assert_same(plain, watched);
    read_vcd(&r, path);
    unlink(path);
    assert_int_equal(r.first, 0);
    assert_int_equal(r.time, plain->cycles);
    for (uint32_t i = 0; i < BYW_EV_COUNT; i++)
        assert_int_equal(cycles_high(&r, event[i]), plain->sm[3].l1.ev[i]);
    assert_true(cycles_high(&r, "hits") > 0 && cycles_high(&r, "misses") > 0);
    assert_int_equal(cycles_high(&r, "kernel_start"), 2);
    assert_int_equal(cycles_high(&r, "filter_on"), 0);
    byw_gpu_result_free(plain);
    byw_gpu_result_free(watched);
}

/* The same window in both formats: every one-bit signal is high in the same number of cycles. */
static void fst_holds_what_vcd_holds(void **state)
{
    static struct reading vcd, fst;
    struct bench *b = *state;
    char path[2][80];
    struct byw_waves_window window = {.sm = 2, .first = 300, .cycles = 4000};

    if (!byw_wave_fst_built())
        skip_because("this build writes no FST files; apt-get install verilator zlib1g-dev");
    snprintf(path[0], sizeof(path[0]), "%s.vcd", b->path);
    snprintf(path[1], sizeof(path[1]), "%s.fst", b->path);
    b->options.waves = &window;
    for (uint32_t i = 0; i < 2; i++) {
        window.path = path[i];
        byw_gpu_result_free(mixed(b));
    }
    read_vcd(&vcd, path[0]);
    fst_to_vcd(path[1], path[0]);
    read_vcd(&fst, path[0]);
    unlink(path[0]);
    unlink(path[1]);
    assert_int_equal(fst.first, 300);
    assert_in_range(fst.time, 301, vcd.time); /* the time of the last change */
    assert_int_equal(vcd.time, 4300);
    for (uint32_t n = 0; n < CODES; n++) {
        assert_string_equal(fst.name[n], vcd.name[n]);
        assert_int_equal(fst.high[n], vcd.high[n]);
        assert_int_equal(fst.total[n] + (fst.high[n] ? vcd.time - fst.time : 0), vcd.total[n]);
    }
    assert_true(cycles_high(&fst, "hits") > 0 && cycles_high(&fst, "req_valid") > 0);
}

static void a_window_begins_and_ends_where_it_should(void **state)
{
    struct bench *b = *state;
    char path[80];
    struct byw_waves_window window = {.path = path, .sm = 0, .first = 700, .cycles = 55};
    struct byw_gpu_result *r;
    static struct reading reading;

    snprintf(path, sizeof(path), "%s.vcd", b->path);
    b->options.waves = &window;
    r = mixed(b);
    read_vcd(&reading, path);
    unlink(path);
    assert_int_equal(reading.first, 700);
    assert_int_equal(reading.time, 755);
    byw_gpu_result_free(r);
}

static void names_and_numbers_are_checked(void **state)
{
    struct bench *b = *state;
    struct byw_wave_file *file;
    struct byw_diag diag = {""};
    char path[80];
    struct stat st;

    assert_int_equal(byw_wave_open("x.txt", &file, &diag), BYW_EINVAL);
    assert_non_null(strstr(diag.text, ".vcd, .fst or .html"));
    assert_int_equal(byw_wave_open("/nowhere/x.vcd", &file, &diag), BYW_EIO);
    snprintf(path, sizeof(path), "%s.fst", b->path);
    if (!byw_wave_fst_built()) {
        assert_int_equal(byw_wave_open(path, &file, &diag), BYW_EUNSUPPORTED);
        return;
    }
    assert_int_equal(byw_wave_open(path, &file, &diag), BYW_OK);
    byw_wave_signal(file, "a.b", "wide", 48);
    byw_wave_signal(file, "a", "bit", 1);
    byw_wave_time(file, 5);
    byw_wave_set(file, 0, 0x123456789abc);
    byw_wave_set(file, 1, 1);
    assert_int_equal(byw_wave_close(file, &diag), BYW_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 100);
    unlink(path);
}

static void a_full_disk_is_told(void **state)
{
    struct byw_wave_file *file;
    struct byw_diag diag = {""};
    char path[80];

    snprintf(path, sizeof(path), "%s.vcd", ((struct bench *)*state)->path);
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_int_equal(byw_wave_open(path, &file, &diag), BYW_OK);
    byw_wave_signal(file, "a", "bit", 1);
    byw_wave_time(file, 5);
    assert_int_equal(byw_wave_close(file, &diag), BYW_EIO);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pulses_add_up_to_the_counters, setup, teardown),
        cmocka_unit_test_setup_teardown(fst_holds_what_vcd_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(a_window_begins_and_ends_where_it_should, setup, teardown),
        cmocka_unit_test_setup_teardown(names_and_numbers_are_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(a_full_disk_is_told, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
