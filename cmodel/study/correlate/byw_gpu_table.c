/* SPDX-License-Identifier: Apache-2.0 */
#include "study/correlate/byw_gpu_table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/byw_array.h"
#include "common/byw_input.h"
#include "study/correlate/byw_gpu_fields.h"

struct metric {
    const char *column, *metrics, *unit;
};

static const struct metric metrics[] = {
#define X(code, column, metrics, unit, meaning) {column, metrics, unit},
#include "study/correlate/byw_gpu_metrics.def"
#undef X
};

static const char *const variants[] = {
#define X(code, name, meaning) name,
    BYW_GPU_VARIANT_LIST(X)
#undef X
};

const char *byw_gpu_variant_name(enum byw_gpu_variant variant)
{
    return variants[variant];
}

const char *byw_gpu_metric_name(enum byw_gpu_metric metric)
{
    return metrics[metric].column;
}

void byw_gpu_metric_source(enum byw_gpu_metric metric, char *text, size_t room)
{
    const char *names = metrics[metric].metrics;

    snprintf(text, room, "%.*s", (int)strcspn(names, " "), names);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* The meaning of a column. */
enum role {
    IGNORED,
    PROGRAM,
    ARGUMENTS,
    SIZE,
    PROCESS,
    KERNEL,
    VARIANT,
    LAUNCH,
    GRID,
    BLOCK,
    TIME,
    METRIC
};

struct column {
    enum role role;
    unsigned which; /* METRIC: enum byw_gpu_metric; TIME: enum byw_gpu_variant */
    unsigned rank; /* METRIC: place among the names of the metric, 0 preferred */
    double scale;
};

/* State of reading a file. */
struct reader {
    const char *path;
    unsigned line;
    char separator;
    bool export; /* the file is an export of Nsight Compute */
    struct column *column;
    size_t columns;
    char **field;
    struct byw_gpu_table *table;
    struct byw_diag *diag;
};

static const struct {
    const char *name;
    enum role role;
} named[] = {
    {"program", PROGRAM}, {"workload", PROGRAM},    {"Process Name", PROGRAM},
    {"size", SIZE},       {"arguments", ARGUMENTS}, {"Process ID", PROCESS},
    {"kernel", KERNEL},   {"Kernel Name", KERNEL},  {"variant", VARIANT},
    {"launch", LAUNCH},   {"grid", GRID},           {"Grid Size", GRID},
    {"block", BLOCK},     {"Block Size", BLOCK},
};

/* Index of a name in a list separated by blanks; -1: it is not in the list. */
static int place_in(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (int place = 0; *list != '\0'; place++) {
        size_t n = strcspn(list, " ");

        if (n == length && strncmp(list, name, n) == 0)
            return place;
        list += n + (list[n] == ' ');
    }
    return -1;
}

static struct column column_of(const char *name)
{
    struct column column = {.role = IGNORED, .scale = 1.0};

    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (strcmp(name, named[i].name) == 0)
            column.role = named[i].role;
    for (unsigned v = 0; v < BYW_GPU_VARIANTS; v++) {
        const size_t n = strlen(variants[v]);

        if (strncmp(name, variants[v], n) == 0 && strcmp(name + n, "_median_us") == 0) {
            column.role = TIME;
            column.which = v;
        }
    }
    for (unsigned m = 0; column.role == IGNORED && m < BYW_GPU_METRICS; m++) {
        int place = strcmp(name, metrics[m].column) == 0 ? 0 : place_in(metrics[m].metrics, name);

        if (place < 0)
            continue;
        column.role = METRIC;
        column.which = m;
        column.rank = (unsigned)place;
    }
    return column;
}

/* Keeps the preferred one of several columns of a metric; any other column may occur only once. */
static enum byw_status drop_doubles(const struct reader *r)
{
    for (size_t i = 0; i < r->columns; i++)
        for (size_t j = 0; j < i; j++) {
            struct column *a = &r->column[j], *b = &r->column[i];

            if (a->role == IGNORED || a->role != b->role || a->which != b->which)
                continue;
            if (a->role != METRIC || a->rank == b->rank)
                return byw_diag_set(r->diag, BYW_EFORMAT,
                                    "%s:%u: columns %zu and %zu are the same ('%.60s'); expected "
                                    "each column once",
                                    r->path, r->line, j + 1, i + 1, r->field[i]);
            (a->rank < b->rank ? b : a)->role = IGNORED;
        }
    return BYW_OK;
}

static bool has(const struct reader *r, enum role role)
{
    for (size_t i = 0; i < r->columns; i++)
        if (r->column[i].role == role)
            return true;
    return false;
}

static enum byw_status take_header(struct reader *r, size_t fields)
{
    r->columns = fields;
    r->column = calloc(fields, sizeof(*r->column));
    if (r->column == NULL)
        return byw_diag_set(r->diag, BYW_ENOMEM, "%s: out of memory for the columns", r->path);
    for (size_t i = 0; i < fields; i++) {
        r->column[i] = column_of(r->field[i]);
        r->export |= strcmp(r->field[i], "Kernel Name") == 0;
        if (strcmp(r->field[i], "Metric Name") == 0)
            return byw_diag_set(r->diag, BYW_EFORMAT,
                                "%s:%u: this is the details page of Nsight Compute; expected its "
                                "raw page: ncu --csv --page raw",
                                r->path, r->line);
    }
    if (!has(r, METRIC) && !has(r, TIME))
        return byw_diag_set(r->diag, BYW_EFORMAT,
                            "%s:%u: no column is a counter that byway knows; expected one of "
                            "doc/correlate.md, such as cycles or sm__cycles_elapsed.max",
                            r->path, r->line);
    if (!has(r, PROGRAM) && !r->export)
        return byw_diag_set(r->diag, BYW_EFORMAT,
                            "%s:%u: no column 'program' or 'workload'; expected one", r->path,
                            r->line);
    return drop_doubles(r);
}

/* --- values ----------------------------------------------------------------------------------- */

static enum byw_status wrong(const struct reader *r, size_t field, const char *expected)
{
    return byw_diag_set(r->diag, BYW_EFORMAT, "%s:%u: column %zu is '%.60s'; expected %s", r->path,
                        r->line, field + 1, r->field[field], expected);
}

/* A counter, "1,234.5" in an export; NAN for an empty field or n/a. */
static bool read_value(const char *text, double *value)
{
    char plain[64], *end;
    size_t n = 0;

    *value = NAN;
    if (*text == '\0' || strcasecmp(text, "n/a") == 0 || strcasecmp(text, "nan") == 0)
        return true;
    if (!isdigit((unsigned char)*text))
        return false;
    for (; *text != '\0'; text++) {
        if (*text == ',')
            continue;
        if (n + 1 == sizeof(plain) || strchr("0123456789.eE+-", *text) == NULL)
            return false;
        plain[n++] = *text;
    }
    plain[n] = '\0';
    *value = strtod(plain, &end);
    return *end == '\0' && *value >= 0.0 && *value < 1e18;
}

static bool read_count(const char *text, uint32_t *count)
{
    unsigned long long n;
    char *end;

    if (!isdigit((unsigned char)*text) || strlen(text) > 10)
        return false;
    n = strtoull(text, &end, 10);
    *count = (uint32_t)n;
    return *end == '\0' && n > 0 && n <= UINT32_MAX;
}

/* Reads a shape: "2x1x1", "2,1,1" or "(2, 1, 1)". */
static bool read_shape(const char *text, uint32_t shape[3])
{
    size_t count = 0;

    shape[0] = shape[1] = shape[2] = 1;
    text += *text == '(';
    while (count < 3) {
        char number[12];
        size_t n = strspn(text, "0123456789");

        if (n == 0 || n >= sizeof(number))
            return false;
        snprintf(number, sizeof(number), "%.*s", (int)n, text);
        if (!read_count(number, &shape[count++]))
            return false;
        text += n;
        if (*text != 'x' && *text != ',')
            break;
        text += 1 + strspn(text + 1, " ");
    }
    text += *text == ')';
    return *text == '\0';
}

/* Factor of a unit's prefix: "K", "M", "G" or "T" of bytes and counts. */
static double prefix_of(char letter)
{
    return letter == 'K' ? 1e3 : letter == 'M' ? 1e6 : letter == 'G' ? 1e9 : 1e12;
}

/* Factor from a unit in an export ("Kbyte/block", "ns") to that of the metric. */
static double scale_of(const char *unit, const char *to)
{
    static const struct {
        const char *name;
        double us;
    } times[] = {{"ns", 1e-3}, {"nsecond", 1e-3}, {"us", 1.0}, {"usecond", 1.0},
                 {"ms", 1e3},  {"msecond", 1e3},  {"s", 1e6},  {"second", 1e6}};
    const double prefix = strchr("KMGT", *unit) != NULL && *unit != '\0' ? prefix_of(*unit) : 1.0;

    if (strcmp(to, "kb") == 0)
        return prefix / 1e3;
    if (strcmp(to, "us") != 0)
        return prefix;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (strcmp(unit, times[i].name) == 0)
            return times[i].us;
    return 1.0;
}

static void take_units(struct reader *r)
{
    for (size_t i = 0; i < r->columns; i++)
        if (r->column[i].role == METRIC)
            r->column[i].scale = scale_of(r->field[i], metrics[r->column[i].which].unit);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Removes "__cg" from a kernel's name. */
static void take_suffix(struct byw_gpu_row *row)
{
    size_t n = strlen(row->kernel);

    for (unsigned v = 0; v < BYW_GPU_VARIANTS; v++) {
        size_t m = strlen(variants[v]);

        if (n > m + 2 && strncmp(row->kernel + n - m - 2, "__", 2) == 0 &&
            strcmp(row->kernel + n - m, variants[v]) == 0) {
            row->kernel[n - m - 2] = '\0';
            row->variant = (enum byw_gpu_variant)v;
            return;
        }
    }
}

static bool read_variant(const char *text, enum byw_gpu_variant *variant)
{
    for (unsigned v = 0; v < BYW_GPU_VARIANTS; v++)
        if (strcmp(text, variants[v]) == 0) {
            *variant = (enum byw_gpu_variant)v;
            return true;
        }
    return false;
}

/* Reads a field other than a time; process: receives the process id of an export. */
static enum byw_status take_field(const struct reader *r, size_t i, struct byw_gpu_row *row,
                                  const char **process)
{
    const struct column *column = &r->column[i];
    const char *text = r->field[i], *slash = strrchr(text, '/');
    double value;

    switch (column->role) {
    case PROGRAM:
        snprintf(row->program, sizeof(row->program), "%s", slash != NULL ? slash + 1 : text);
        return *text != '\0' ? BYW_OK : wrong(r, i, "the name of a program");
    case ARGUMENTS:
        snprintf(row->arguments, sizeof(row->arguments), "%s", text);
        return BYW_OK;
    case SIZE:
        snprintf(row->size, sizeof(row->size), "%s", text);
        return BYW_OK;
    case PROCESS:
        *process = text;
        return BYW_OK;
    case KERNEL:
        byw_gpu_kernel_name(text, row->kernel, sizeof(row->kernel));
        return row->kernel[0] != '\0' ? BYW_OK : wrong(r, i, "the name of a kernel");
    case VARIANT:
        return read_variant(text, &row->variant) ? BYW_OK : wrong(r, i, "ca, cg or na");
    case LAUNCH:
        return read_count(text, &row->launch) ? BYW_OK : wrong(r, i, "a number from 1 on");
    case GRID:
        return read_shape(text, row->grid) ? BYW_OK : wrong(r, i, "a grid like 64x1x1");
    case BLOCK:
        return read_shape(text, row->block) ? BYW_OK : wrong(r, i, "a block like 256x1x1");
    case METRIC:
        if (!read_value(text, &value))
            return wrong(r, i, "a number that is not negative");
        row->value[column->which] = value * column->scale;
        return BYW_OK;
    default:
        return BYW_OK;
    }
}

static enum byw_status add_row(const struct reader *r, const struct byw_gpu_row *row)
{
    struct byw_gpu_table *table = r->table;

    if (!BYW_ARRAY_ROOM(table->row, table->room, table->count + 1))
        return byw_no_memory(r->diag, "the rows of a table of counters");
    table->row[table->count++] = *row;
    return BYW_OK;
}

/* A row of times becomes one row for each variant that was timed. */
static enum byw_status add_times(const struct reader *r, struct byw_gpu_row *row)
{
    enum byw_status st = BYW_OK;

    for (size_t i = 0; st == BYW_OK && i < r->columns; i++) {
        if (r->column[i].role != TIME)
            continue;
        row->variant = (enum byw_gpu_variant)r->column[i].which;
        if (!read_value(r->field[i], &row->value[BYW_GPU_TIME]))
            return wrong(r, i, "microseconds");
        if (!isnan(row->value[BYW_GPU_TIME]))
            st = add_row(r, row);
    }
    return st;
}

/* Number of the launch among those of the kernel and variant in its process.  An export
 * identifies a process by its id. */
static uint32_t number_of(const struct reader *r, const struct byw_gpu_row *row)
{
    const struct byw_gpu_table *table = r->table;

    for (size_t i = table->count; i > 0; i--) {
        const struct byw_gpu_row *other = &table->row[i - 1];

        if (other->file == row->file && other->variant == row->variant &&
            strcmp(other->kernel, row->kernel) == 0 && strcmp(other->program, row->program) == 0 &&
            strcmp(other->arguments, row->arguments) == 0)
            return other->nth + 1;
    }
    return 1;
}

static enum byw_status take_row(const struct reader *r, size_t fields)
{
    struct byw_gpu_row row = {.file = r->table->file[r->table->files - 1], .line = r->line};
    const char *process = "";
    enum byw_status st = BYW_OK;

    if (fields != r->columns)
        return byw_diag_set(r->diag, BYW_EFORMAT,
                            "%s:%u: %zu fields; expected %zu, as in the header", r->path, r->line,
                            fields, r->columns);
    for (size_t m = 0; m < BYW_GPU_METRICS; m++)
        row.value[m] = NAN;
    for (size_t i = 0; st == BYW_OK && i < fields; i++)
        st = take_field(r, i, &row, &process);
    if (st != BYW_OK)
        return st;
    if (r->export) { /* launches are counted per process, so its id replaces the arguments */
        take_suffix(&row);
        snprintf(row.arguments, sizeof(row.arguments), "%s", process);
    }
    row.nth = number_of(r, &row);
    return has(r, TIME) ? add_times(r, &row) : add_row(r, &row);
}

/* --- files ------------------------------------------------------------------------------------ */

/* Whether the line is a header: it names a column of kernels. */
static bool is_header(const struct reader *r, size_t fields)
{
    for (size_t i = 0; i < fields; i++)
        if (strcmp(r->field[i], "kernel") == 0 || strcmp(r->field[i], "Kernel Name") == 0)
            return true;
    return false;
}

/* The line below the header of an export has units and no kernel. */
static bool is_units(const struct reader *r, size_t fields)
{
    for (size_t i = 0; i < fields && i < r->columns; i++)
        if (r->column[i].role == KERNEL)
            return r->export && r->field[i][0] == '\0';
    return false;
}

static enum byw_status take_line(struct reader *r, char *text)
{
    size_t fields;
    enum byw_status st;

    if (r->column == NULL)
        r->separator = strchr(text, '\t') != NULL ? '\t' : ',';
    st = byw_gpu_fields(text, r->separator, r->field, &fields);
    if (st != BYW_OK && r->column == NULL)
        return BYW_OK; /* output of a profiler before its table */
    if (st != BYW_OK)
        return byw_diag_set(r->diag, BYW_EFORMAT, "%s:%u: %s", r->path, r->line,
                            st == BYW_EINVAL ? "too many fields" : BYW_GPU_BAD_QUOTES);
    if (r->column == NULL)
        return is_header(r, fields) ? take_header(r, fields) : BYW_OK;
    if (is_units(r, fields)) {
        if (fields == r->columns)
            take_units(r);
        return BYW_OK;
    }
    return strncmp(r->field[0], "==", 2) == 0 ? BYW_OK : take_row(r, fields);
}

static enum byw_status read_lines(struct reader *r, FILE *in)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t n;
    enum byw_status st = BYW_OK;

    while (st == BYW_OK && (n = getline(&text, &room, in)) > 0) {
        r->line++;
        if (strlen(text) != (size_t)n)
            st = byw_diag_set(r->diag, BYW_EFORMAT, "%s:%u: has a zero byte; expected text",
                              r->path, r->line);
        text[strcspn(text, "\r\n")] = '\0';
        if (st == BYW_OK && *text != '\0' && *text != '#')
            st = take_line(r, text);
    }
    if (st == BYW_OK && ferror(in))
        st = byw_diag_set(r->diag, BYW_EIO, "%s: cannot be read (%s)", r->path, strerror(errno));
    free(text);
    return st;
}

static enum byw_status add_file(struct byw_gpu_table *table, const char *path,
                                struct byw_diag *diag)
{
    if (!BYW_ARRAY_ROOM(table->file, table->file_room, table->files + 1) ||
        (table->file[table->files] = strdup(path)) == NULL)
        return byw_no_memory(diag, "the names of tables");
    table->files++;
    return BYW_OK;
}

enum byw_status byw_gpu_table_read(const char *path, struct byw_gpu_table *table,
                                   struct byw_diag *diag)
{
    struct reader r = {.path = path, .table = table, .diag = diag};
    const size_t before = table->count;
    FILE *in;
    enum byw_status st =
        byw_input_open(path, BYW_INPUT_FILE, "a table of counters (.csv)", &in, diag);

    if (st != BYW_OK)
        return st;
    r.field = calloc(BYW_GPU_FIELDS, sizeof(*r.field));
    st = r.field != NULL ? add_file(table, path, diag)
                         : byw_diag_set(diag, BYW_ENOMEM, "%s: out of memory", path);
    if (st == BYW_OK)
        st = read_lines(&r, in);
    if (st == BYW_OK && r.column == NULL)
        st = byw_diag_set(diag, BYW_EFORMAT,
                          "%s:%u: no header; expected a line with a column 'kernel' (byway's "
                          "table) or 'Kernel Name' (ncu --csv --page raw)",
                          path, r.line == 0 ? 1 : r.line);
    if (st == BYW_OK && table->count == before)
        st = byw_diag_set(diag, BYW_EFORMAT, "%s:%u: no launch below the header", path, r.line);
    free(r.field);
    free(r.column);
    fclose(in);
    return st;
}

void byw_gpu_table_release(struct byw_gpu_table *table)
{
    for (size_t i = 0; i < table->files; i++)
        free(table->file[i]);
    free(table->file);
    free(table->row);
    *table = (struct byw_gpu_table){.count = 0};
}
