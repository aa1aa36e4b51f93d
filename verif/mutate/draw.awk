# SPDX-License-Identifier: Apache-2.0
#
# draw.awk - faults of conditions that the RTL and its C twin state alike.
#
#   awk -f draw.awk RTL.v ... TWIN.c ...   lists them: RTL C NAME FAULT, separated by tabs
#   awk -v pick="NAME FAULT" -v out=DIR -f draw.awk RTL.v TWIN.c   writes both files with that fault
#
# The C file is named in the header of the RTL, or both are parts of byw_l1d.
# A condition is a wire without a range (`wire NAME = ...;`, `assign NAME = ...;`) and, in C, an
# assignment to the same name without _i, _o, _q, or a function of that name that only returns.  It
# counts as the same condition if at least one operand has the same name on both sides.
# FAULT: not (negated), one, zero (stuck), or of operand P: not:P, drop:P (neutral), only:P (all
# others neutral).
#
BEGIN {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        text[file] = ""
        while ((getline line < file) > 0) text[file] = text[file] line "\n"
        close(file)
        if (file ~ /\.v$/) rtl[++rtls] = file
        else twin[++twins] = file
    }
    for (i = 1; i <= twins; i++) read_c(twin[i], blank(text[twin[i]], "c"))
    for (i = 1; i <= rtls; i++) read_rtl(rtl[i], blank(text[rtl[i]], "v"))
}

# Comments become blanks, so that offsets stay.
function blank(s, lang,    out, at, end, len) {
    while (match(s, lang == "c" ? "/[*]" : "//")) {
        at = RSTART
        end = index(substr(s, at), lang == "c" ? "*/" : "\n")
        len = lang == "c" ? end + 1 : end - 1
        out = out substr(s, 1, at - 1) sprintf("%" len "s", "")
        s = substr(s, at + len)
    }
    return out s
}

function trim(s) {
    gsub(/^[ \t\n]+|[ \t\n]+$/, "", s)
    return s
}

# The last name of a plain operand, without direction: `!now->fill_taken`, `fill_taken_o` -> fill_taken.
function plain(s) {
    s = trim(s)
    while (s ~ /^[!(]/) s = trim(substr(s, 2))
    sub(/[ )]+$/, "", s)
    if (s !~ /^[A-Za-z_][A-Za-z_0-9.>-]*$/) return ""
    sub(/.*(->|[.])/, "", s)
    sub(/_[ioq]$/, "", s)
    return s
}

# Splits at the operator of the top level: operands in part[], operator returned, "" for none or a
# mixture.
function split_top(s, part,    i, c, two, depth, op, n, from) {
    op = ""
    n = 0
    from = 1
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        two = substr(s, i, 2)
        if (c ~ /[(\[{]/) depth++
        else if (c ~ /[)\]}]/) depth--
        else if (depth == 0 && c ~ /[?:]/) return ""
        else if (depth == 0 && (two == "&&" || two == "||")) {
            if (op != "" && op != two) return ""
            op = two
            part[++n] = substr(s, from, i - from)
            from = i + 2
            i++
        }
    }
    part[++n] = substr(s, from)
    part[0] = n
    return op
}

# Reads the conditions of a C file.  Statements end at `;`, blocks begin after a brace.
function read_c(file, s,    chunk, n, i, base, cut, at, name) {
    n = split(s, chunk, ";")
    base = 0
    for (i = 1; i <= n; i++) {
        at = index(chunk[i], "\n    return ")
        if (at > 0 && match(chunk[i], /bool [a-z_0-9]+\([^{]*\)\n\{\n    return /)) {
            name = substr(chunk[i], RSTART + 5)
            sub(/\(.*/, "", name)
            sub(/^byw_[a-z]+_/, "", name)
            note(file, name, base + RSTART + RLENGTH, length(chunk[i]) - RSTART - RLENGTH + 1)
        } else {
            cut = chunk[i]
            while ((at = index(cut, "{")) || (at = index(cut, "}"))) cut = substr(cut, at + 1)
            at = index(cut, " = ")
            name = at ? plain(last_word(substr(cut, 1, at - 1))) : ""
            note(file, name, base + length(chunk[i]) - length(cut) + at + 3, length(cut) - at - 2)
        }
        base += length(chunk[i]) + 1
    }
}

function last_word(s) {
    s = trim(s)
    sub(/.*[ \t\n*]/, "", s)
    return s
}

function note(file, name, at, len) {
    if (name == "" || substr(text[file], at, len) ~ /[{}]/) return
    seen[file, name]++
    c_at[file, name] = at
    c_len[file, name] = len
}

function read_rtl(file, s,    chunk, n, i, k, base, at, name, from) {
    n = split(s, chunk, ";")
    base = 0
    for (i = 1; i <= n; i++) {
        at = index(chunk[i], "= ")
        name = at ? trim(substr(chunk[i], 1, at - 1)) : ""
        if (name ~ /(wire|assign) +[a-z_0-9]+$/) {
            sub(/.* /, "", name)
            sub(/_[ioq]$/, "", name)
            for (k = 1; k <= twins; k++)
                if (seen[twin[k], name] == 1 && related(file, twin[k]))
                    pair(file, twin[k], name, base + at + 2, length(chunk[i]) - at - 1)
        }
        base += length(chunk[i]) + 1
    }
}

# Whether a C file is a twin of an RTL file: its header names it, or both are parts of one unit.
function related(file, c,    a, b) {
    a = file
    b = c
    sub(/.*\//, "", a)
    sub(/.*\//, "", b)
    if (index(text[file], b)) return 1
    return match(a, /^byw_[a-z0-9]+_/) && index(b, substr(a, 1, RLENGTH)) == 1 && substr(a, 1, RLENGTH) == "byw_l1d_"
}

function pair(file, c, name, at, len,    v_part, c_part, v_op, c_op, i, k, of_c, common, vs, cs) {
    vs = blank(substr(text[file], at, len) "\n", "v")
    cs = blank(substr(text[c], c_at[c, name], c_len[c, name]), "c")
    v_op = split_top(vs, v_part)
    c_op = split_top(cs, c_part)
    common = 0
    for (i = 1; i <= v_part[0]; i++)
        for (k = 1; k <= c_part[0]; k++)
            if (plain(v_part[i]) != "" && plain(v_part[i]) == plain(c_part[k])) {
                common++
                of_c[i] = k
            }
    if (common == 0 || v_op == "" || v_op != c_op) return
    fault(file, c, name, "not", at, len, "!(" vs ")", "!(" cs ")")
    fault(file, c, name, "one", at, len, "1'b1", "true")
    fault(file, c, name, "zero", at, len, "1'b0", "false")
    for (i = 1; i <= v_part[0]; i++) {
        if (!(i in of_c)) continue
        k = of_c[i]
        fault(file, c, name, "not:" plain(v_part[i]), at, len, join(v_part, v_op, i, "not", "v"),
              join(c_part, c_op, k, "not", "c"))
        fault(file, c, name, "drop:" plain(v_part[i]), at, len, join(v_part, v_op, i, "drop", "v"),
              join(c_part, c_op, k, "drop", "c"))
        fault(file, c, name, "only:" plain(v_part[i]), at, len, v_part[i], c_part[k])
    }
}

function join(part, op, which, how, lang,    i, s, one) {
    one = (op == "&&") ? (lang == "v" ? "1'b1" : "true") : (lang == "v" ? "1'b0" : "false")
    for (i = 1; i <= part[0]; i++)
        s = s (i > 1 ? " " op " " : "") \
            (i != which ? part[i] : how == "drop" ? one : "!(" trim(part[i]) ")")
    return s
}

function fault(file, c, name, kind, at, len, v_new, c_new,    path) {
    if (pick == "") {
        print file "\t" c "\t" name "\t" kind
        return
    }
    if (pick != name " " kind) return
    path = out "/" file
    printf "%s", substr(text[file], 1, at - 1) v_new substr(text[file], at + len) > path
    close(path)
    path = out "/" c
    printf "%s", substr(text[c], 1, c_at[c, name] - 1) c_new substr(text[c], c_at[c, name] + c_len[c, name]) > path
    close(path)
}
