# SPDX-License-Identifier: Apache-2.0
#
# draw.awk - faults of the expressions of pairs.txt, which the RTL and its C twin share.
#
#   awk -f draw.awk pairs.txt   lists them: RTL C PAIR FAULT, separated by tabs; texts of the table
#                               that do not occur exactly once go to standard error (exit code 1)
#   awk -v pick="RTL PAIR FAULT" -v out=DIR -f draw.awk pairs.txt   writes both files with that fault
#   awk -v all=1 -v out=DIR -f draw.awk pairs.txt   writes all files with all faults: fault N, which is
#                               line N of the list, is on while the C variable byw_fault is N
#
#   awk -v whole=1 -f draw.awk pairs.txt   lists also the faults that the table excludes (only, except)
#
# FAULT: not (negated), one, zero (stuck); and, or (the other operator); of operand N: N.not, N.drop
# (neutral), N.M.not ... (of its operands); of a comparison: more (with one more), lt, le, gt, ge;
# of a choice: then, else (always), swap; of a bitwise operator: left, right (one operand alone).
#
BEGIN {
    status = 0
    selector["v"] = "$c32(\"[] { extern int byw_fault; return byw_fault; }()\")" # $c32: C++ in Verilator
    selector["c"] = "byw_fault"
    levels = split("?,||,&&,== != < <= > >=,|,&,-", level, ",")
}
/^#/ || /^$/ { next }
/^@ / { rtl = $2; c = $3; next }
/^v / { v_text = substr($0, 3); next }
/^c / {
    c_text = substr($0, 3)
    if (pick != "" && index(pick, rtl " " name " ") != 1) next
    chain["v"] = chain["c"] = ""
    if (locate(rtl, v_text, "v") && locate(c, c_text, "c")) pair()
    if (chain["v"] != "") {
        edit(rtl, "v")
        edit(c, "c")
    }
    next
}
{
    name = $1
    split("", option)
    split("", order)
    orders = 0
    only = except = ""
    for (i = 2; i <= NF; i++)
        if ($i ~ /^(flat|inverse|value|order|only|except)$/) option[last = $i] = 1
        else if (last == "order") order[++orders] = $i
        else if (last == "only") only = only " " $i " "
        else except = except " " $i " "
}
END {
    for (file in edits) write_edited(file)
    exit status
}

# squeezed[]: a file's text without comments, every run of white space one blank.
function load(file,    line, s) {
    if (file in squeezed) return
    s = ""
    while ((getline line < file) > 0) s = s line "\n"
    close(file)
    text[file] = s
    if (file ~ /\.v$/) gsub(/\/\/[^\n]*/, " ", s)
    else gsub(/\/[*]([^*]|[*]+[^*\/])*[*]+\//, " ", s)
    gsub(/[ \n\t]+/, " ", s)
    squeezed[file] = s
}

# Where character n of squeezed[file] stands in the file.
function place(file, n,    s, i, ch, v, blank) {
    s = text[file]
    v = file ~ /\.v$/
    for (i = 1; n > 0; i++) {
        ch = substr(s, i, 1)
        if (ch == "/" && substr(s, i, 2) == (v ? "//" : "/*")) {
            i += index(substr(s, i), v ? "\n" : "*/") - (v ? 2 : 0)
            ch = " "
        }
        if (ch ~ /[ \n\t]/) {
            if (blank) continue
            ch = " "
        }
        blank = ch == " "
        n--
    }
    return i - 1
}

# Finds the expression of a line of the table in a file: at[lang], len[lang] in the file, expr[lang].
function locate(file, wanted, lang,    a, b, plain, at_, s, n) {
    load(file)
    a = index(wanted, "`")
    b = a + index(substr(wanted, a + 1), "`")
    plain = wanted
    gsub(/`/, "", plain)
    s = squeezed[file]
    at_ = index(s, plain)
    if (a == 0 || at_ == 0 || index(substr(s, at_ + 1), plain) > 0) {
        print name ": " (at_ == 0 ? "not in " : "more than once in ") file ": " wanted > "/dev/stderr"
        status = 1
        return 0
    }
    n = b - a - 1
    expr[lang] = substr(wanted, a + 1, n)
    if (out != "") {
        at[lang] = place(file, at_ + a - 1)
        len[lang] = place(file, at_ + a + n - 2) - at[lang] + 1
    }
    return 1
}

function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

# Without the parentheses that enclose all of it.
function bare(s,    i, depth, ch) {
    s = trim(s)
    if (s !~ /^\(.*\)$/) return s
    for (i = 1; i <= length(s); i++) {
        ch = substr(s, i, 1)
        if (ch == "(") depth++
        else if (ch == ")" && --depth == 0) return i == length(s) ? bare(substr(s, 2, i - 2)) : s
    }
    return s
}

# Splits at the operators `ops` (separated by spaces) outside of parentheses: part[1] ..., part[0]
# their number. Returns the operator, "" if there is none or (part[0] > 1) they differ.
function split_at(s, ops, part,    i, k, n, list, depth, ch, op, start) {
    n = split(ops, list, " ")
    part[0] = 0
    start = 1
    op = ""
    for (i = 1; i <= length(s); i++) {
        ch = substr(s, i, 1)
        if (ch ~ /[(\[{]/) depth++
        else if (ch ~ /[)\]}]/) depth--
        else if (ch == " " && depth == 0)
            for (k = 1; k <= n; k++)
                if (substr(s, i, length(list[k]) + 2) == " " list[k] " ") {
                    if (op != "" && op != list[k]) {
                        part[0] = 2
                        return ""
                    }
                    op = list[k]
                    part[++part[0]] = substr(s, start, i - start)
                    start = i + length(op) + 2
                    i = start - 1
                    break
                }
    }
    part[++part[0]] = substr(s, start)
    return op
}

# The operator at the top of an expression, loosest first, and its operands.
function top(s, part,    i, op) {
    for (i = 1; i <= levels; i++) {
        op = split_at(s, level[i], part)
        if (op != "" || part[0] > 1) return op
    }
    return ""
}

function pair(    v, w) {
    v = expr["v"]
    w = expr["c"]
    if (!("value" in option)) {
        fault("not", "!(" v ")", "!(" w ")")
        fault("one", "1'b1", "inverse" in option ? "false" : "true")
        fault("zero", "1'b0", "inverse" in option ? "true" : "false")
    } else fault("zero", "0", "0")
    if (!("flat" in option) && !("inverse" in option)) inside("", v, w, "", "", "", "")
}

# Faults inside an expression; what stands before and after it (v, c) is kept.
function inside(path, v, w, v0, v1, c0, c1,    vp, cp, op, i, k, mine) {
    v = trim(v)
    w = trim(w)
    if (v ~ /^!\(/ && bare(substr(v, 2)) != substr(v, 2) && w ~ /^!\(/ && bare(substr(w, 2)) != substr(w, 2)) {
        inside(path, substr(v, 2), substr(w, 2), v0 "!(", ")" v1, c0 "!(", ")" c1)
        return
    }
    v = bare(v)
    w = bare(w)
    op = top(v, vp)
    if (op == "" || top(w, cp) != op || vp[0] != cp[0]) return
    for (i = 1; i <= vp[0]; i++) mine[i] = path == "" && orders ? order[i] : i
    if (op == "&&" || op == "||") {
        fault(path (op == "&&" ? "or" : "and"), v0 joined(vp, op == "&&" ? "||" : "&&") v1,
              c0 joined(cp, op == "&&" ? "||" : "&&") c1)
        for (i = 1; i <= vp[0]; i++) {
            k = mine[i]
            fault(path i ".not", v0 put(vp, op, i, "!(" vp[i] ")") v1, c0 put(cp, op, k, "!(" cp[k] ")") c1)
            fault(path i ".drop", v0 put(vp, op, i, op == "&&" ? "1'b1" : "1'b0") v1,
                  c0 put(cp, op, k, op == "&&" ? "true" : "false") c1)
            inside(path i ".", vp[i], cp[k], v0 head(vp, op, i), tail(vp, op, i) v1, c0 head(cp, op, k),
                   tail(cp, op, k) c1)
        }
    } else if (op ~ /^[!=]=$/) {
        fault(path "more", v0 "(" vp[1] " " op " " vp[2] " + 1)" v1, c0 "(" cp[1] " " op " " cp[2] " + 1)" c1)
    } else if (op ~ /^[<>]/) {
        compare(path, op ~ /^</ ? "gt" : "lt", vp, cp, v0, v1, c0, c1)
        compare(path, op == "<" ? "le" : op == "<=" ? "lt" : op == ">" ? "ge" : "gt", vp, cp, v0, v1, c0, c1)
    } else if (op == "?") {
        choice(path, vp[1], vp[2], cp[1], cp[2], v0, v1, c0, c1)
    } else {
        fault(path "left", v0 "(" vp[1] ")" v1, c0 "(" cp[mine[1]] ")" c1)
        fault(path "right", v0 "(" vp[2] ")" v1, c0 "(" cp[mine[2]] ")" c1)
    }
}

function compare(path, to, vp, cp, v0, v1, c0, c1,    op) {
    op = to == "lt" ? " < " : to == "le" ? " <= " : to == "gt" ? " > " : " >= "
    fault(path to, v0 "(" vp[1] op vp[2] ")" v1, c0 "(" cp[1] op cp[2] ")" c1)
}

function choice(path, v, v_rest, w, c_rest, v0, v1, c0, c1,    vp, cp) {
    if (split_at(v_rest, ":", vp) != ":" || split_at(c_rest, ":", cp) != ":" || vp[0] != 2 || cp[0] != 2) return
    fault(path "then", v0 "(" vp[1] ")" v1, c0 "(" cp[1] ")" c1)
    fault(path "else", v0 "(" vp[2] ")" v1, c0 "(" cp[2] ")" c1)
    fault(path "swap", v0 "(" v " ? " vp[2] " : " vp[1] ")" v1, c0 "(" w " ? " cp[2] " : " cp[1] ")" c1)
}

function head(part, op, which,    i, s) {
    for (i = 1; i < which; i++) s = s part[i] " " op " "
    return "(" s "("
}

function tail(part, op, which,    i, s) {
    for (i = which + 1; i <= part[0]; i++) s = s " " op " " part[i]
    return ")" s ")"
}

function put(part, op, which, s) {
    return head(part, op, which) s tail(part, op, which)
}

function joined(part, op) {
    return put(part, op, 1, part[1])
}

function fault(kind, v_new, c_new) {
    if (!whole && (only != "" && !index(only, " " kind " ") || index(except, " " kind " "))) return
    number++
    if (out == "") print rtl "\t" c "\t" name "\t" kind
    else if (all) {
        chain["v"] = chain["v"] selector["v"] " == " number " ? (" v_new ") : "
        chain["c"] = chain["c"] selector["c"] " == " number " ? (" c_new ") : "
    } else if (pick == rtl " " name " " kind) {
        write(rtl, at["v"], len["v"], v_new)
        write(c, at["c"], len["c"], c_new)
    }
}

# Notes that the expression becomes a choice among its faults, by their number.
function edit(file, lang,    n) {
    n = ++edits[file]
    edit_at[file, n] = at[lang]
    edit_len[file, n] = len[lang]
    edit_text[file, n] = chain[lang]
}

# Writes a file with its edits, shorter expressions first: one that contains another has the edited
# one as its own fault-free text.
function write_edited(file,    s, k, n, best, start, size, grown) {
    s = text[file]
    for (n = 1; n <= edits[file]; n++) {
        best = 0
        for (k = 1; k <= edits[file]; k++)
            if (!((file, k) in done) && (best == 0 || edit_len[file, k] < edit_len[file, best])) best = k
        done[file, best] = 1
        start = edit_at[file, best]
        size = edit_len[file, best]
        grown = "(" edit_text[file, best] "(" substr(s, start, size) "))"
        s = substr(s, 1, start - 1) grown substr(s, start + size)
        for (k = 1; k <= edits[file]; k++) {
            if (edit_at[file, k] >= start + size) edit_at[file, k] += length(grown) - size
            else if (edit_at[file, k] + edit_len[file, k] >= start + size) edit_len[file, k] += length(grown) - size
        }
    }
    printf "%s%s", (file ~ /[.]c$/) ? "extern int byw_fault;\n" : "", s > (out "/" file)
    close(out "/" file)
}

function write(file, at_, len_, new,    path) {
    path = out "/" file
    printf "%s(%s)%s", substr(text[file], 1, at_ - 1), new, substr(text[file], at_ + len_) > path
    close(path)
}
