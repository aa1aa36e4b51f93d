# SPDX-License-Identifier: Apache-2.0
#
# manual.awk - reads the --help of every command and writes a manual page, or a completion.
#
#     awk -v want=man -v only=COMMAND -f manual.awk HELP...      the page of a command; only="": of byway itself
#     awk -v want=bash -f manual.awk HELP...                     completion for bash
#     awk -v want=zsh -f manual.awk HELP...                      for zsh; want=fish: for fish
#
# HELP...: files named as the commands whose help they hold; the first one, "byway", is the help of byway itself.
# version: what byway --version prints.  The help is made from the tables of options in cmodel/cli (byw_args_help).

function base(path) { sub(/.*\//, "", path); return path }

# "  -m, --machine M          name or .cfg file": an option's name, letter, value and help.
function read_option(line,  left) {
    count[command]++
    left = line
    letter = ""
    if (match(left, /^  -[a-zA-Z], /)) letter = substr(left, 3, 2)
    match(left, /--[a-z0-9-]+/)
    name = substr(left, RSTART, RLENGTH)
    left = substr(left, RSTART + RLENGTH)
    value = ""
    if (match(left, /^ [^ ]+( [A-Z]+)?/) && !(left ~ /^  /)) value = substr(left, 2, RLENGTH - 1)
    left = substr(left, value == "" ? 1 : length(value) + 2)
    sub(/^ +/, "", left)
    key = command SUBSEP count[command]
    long[key] = name; short[key] = letter; arg[key] = value; help[key] = left
}

BEGIN { BLANK27 = sprintf("%27s", "") } # the column of the help texts

FNR == 1 {
    command = base(FILENAME)
    if (command != "byway") commands[++command_count] = command
    part = "usage"
}
part == "usage" && /^$/ { part = "text"; next }
part == "usage" {
    usage[command] = usage[command] $0 "\n"
    if (match($0, "byway " command " [a-z]+")) { # an action: byway trace capture
        word = substr($0, RSTART + length("byway " command " "), RLENGTH - length("byway " command " "))
        words[command] = words[command] " " word
    }
    next
}
/^  (-[a-zA-Z], |    )--[a-z]/ && substr($0, 1, 27) ~ /^(  -[a-zA-Z], |      )--/ { read_option($0); in_option = 1; next }
in_option && substr($0, 1, 27) == BLANK27 && substr($0, 28, 1) != " " { help[key] = help[key] (help[key] == "" ? "" : " ") substr($0, 28); next }
{ in_option = 0 }
command == "byway" && /^  [a-z]+ +[^ ]/ { summary[$1] = $0; sub(/^ +[a-z]+ +/, "", summary[$1]); last = $1; text[command] = text[command] $0 "\n"; next }
command == "byway" && substr($0, 1, 13) == substr(BLANK27, 1, 13) && substr($0, 14, 1) != " " { rest = $0; sub(/^ +/, "", rest); summary[last] = summary[last] " " rest }
command == "list" && /^  [a-z]+ +[^ ]/ { words[command] = words[command] " " $1 }
{ text[command] = text[command] $0 "\n" }

# --- manual pages -----------------------------------------------------------------------------------

function roff(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    if (s ~ /^[.']/) s = "\\\\&" s
    return s
}

# Paragraphs; lines with a blank in front keep their form.
function body(s,  n, i, line, form, fixed) {
    sub(/^\n+/, "", s)
    sub(/\n+$/, "", s)
    n = split(s, line, "\n")
    for (i = 1; i <= n; i++) {
        fixed = line[i] ~ /^ / || (fixed && line[i] == "" && line[i + 1] ~ /^ /)
        if (fixed != form) print fixed ? ".nf" : ".fi"
        form = fixed
        if (line[i] == "") print fixed ? "" : ".PP"
        else print roff(line[i])
    }
    if (form) print ".fi"
}

function man(c,  i, k, n, page, what) {
    page = c == "byway" ? "byway" : "byway-" c
    what = c == "byway" ? "which data should a GPU's L1 data cache not cache?" : summary[c]
    printf ".TH %s 1 \"\" \"%s\" \"byway\"\n", toupper(roff(page)), version
    print ".nh\n.ad l\n.SH NAME\n" roff(page) " \\- " roff(what)
    print ".SH SYNOPSIS\n.nf"
    n = split(usage[c], line, "\n")
    for (i = 1; i < n; i++) {
        sub(/^(usage: |       )/, "", line[i])
        print roff(line[i])
    }
    print ".fi"
    if (count[c]) print ".SH OPTIONS"
    for (i = 1; i <= count[c]; i++) {
        k = c SUBSEP i
        printf ".TP\n%s\\fB%s\\fR%s\n%s\n", short[k] == "" ? "" : "\\fB" roff(short[k]) "\\fR, ", roff(long[k]),
            arg[k] == "" ? "" : " \\fI" roff(arg[k]) "\\fR", roff(help[k])
    }
    if (text[c] ~ /[^\n]/) {
        print ".SH " (c == "byway" ? "COMMANDS" : "NOTES")
        body(text[c])
    }
    print ".SH SEE ALSO"
    if (c == "byway") {
        for (i = 1; i <= command_count; i++)
            printf ".BR byway\\-%s (1)%s\n", commands[i], (i < command_count ? "," : "")
    } else {
        print ".BR byway (1)"
    }
}

# --- completion -------------------------------------------------------------------------------------

# What a value is: a list of names, words to choose from, or nothing known (files).
function kind(k) {
    if (long[k] ~ /^--(machine|machines)$/) return "machines"
    if (long[k] ~ /^--(policy|policies)$/ && arg[k] != "") return "policies"
    if (long[k] ~ /^--(workload|workloads|held)$/) return "workloads"
    if (arg[k] ~ /^KEY=/) return "set"
    if (long[k] == "--keys") return "keys"
    if (long[k] == "--claim") return "claims"
    if (arg[k] ~ /^[a-z0-9]+(\|[a-z0-9]+)+$/) return "=" arg[k]
    return arg[k] == "" ? "" : "files"
}

function bash(  i, c, j, k, options, kinds) {
    print "# Completion of byway for bash; made by cmodel/cli/manual.sh from the tables of options.\n"
    print "_byway_names() { # what byway list prints, or sets of workloads"
    print "    [ \"$1\" != workloads ] || printf '@%s\\n' cnf cf ci twolevel pc mpache mi"
    print "    case $1 in"
    print "    keys) \"${COMP_WORDS[0]}\" list configs --json 2>/dev/null | sed -n 's/^ *\"key\": \"\\(.*\\)\",*$/\\1/p' ;;"
    print "    papers) echo all; \"${COMP_WORDS[0]}\" list papers --json 2>/dev/null | sed -n 's/^ *\"number\": \"\\(.*\\)\",*$/\\1/p' ;;"
    print "    *) \"${COMP_WORDS[0]}\" list \"$1\" --json 2>/dev/null | sed -n 's/^ *\"name\": \"\\(.*\\)\",*$/\\1/p' ;;"
    print "    esac"
    print "}\n"
    print "_byway_values() { # KIND WORD: names, of which several may stand with commas"
    print "    local head="
    print "    case $1 in"
    print "    set) # KEY=, without a blank after it"
    print "        compopt -o nospace 2>/dev/null"
    print "        mapfile -t COMPREPLY < <(compgen -S = -W \"$(_byway_names keys)\" -- \"$2\")"
    print "        ;;"
    print "    machines | policies | workloads | claims | papers | keys)"
    print "        case $2 in *,*) head=${2%,*}, ;; esac"
    print "        mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$(_byway_names \"$1\")\" -- \"${2##*,}\")"
    print "        ;;"
    print "    =*) mapfile -t COMPREPLY < <(compgen -W \"$(tr '|' ' ' <<<\"${1#=}\")\" -- \"$2\") ;;"
    print "    esac"
    print "}\n"
    print "_byway() {"
    print "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options= kinds= words= kind"
    print "    COMPREPLY=()"
    print "    if [ \"$COMP_CWORD\" = 1 ]; then"
    printf "        mapfile -t COMPREPLY < <(compgen -W \""
    for (i = 1; i <= command_count; i++) printf "%s ", commands[i]
    print "help --help --version\" -- \"$word\")\n        return\n    fi"
    print "    case ${COMP_WORDS[1]} in"
    for (i = 1; i <= command_count; i++) {
        c = commands[i]
        options = kinds = ""
        for (j = 1; j <= count[c]; j++) {
            k = c SUBSEP j
            options = options " " long[k]
            if (kind(k) != "") kinds = kinds " " long[k] ":" kind(k) (short[k] == "" ? "" : " " short[k] ":" kind(k))
        }
        printf "    %s) options='%s' kinds='%s' words='%s' ;;\n", c, substr(options, 2), substr(kinds, 2), substr(words[c], 2)
    }
    printf "    help) words='"
    for (i = 1; i <= command_count; i++) printf "%s%s", (i > 1 ? " " : ""), commands[i]
    print "' ;;"
    print "    esac"
    print "    for kind in $kinds; do"
    print "        if [ \"${kind%%:*}\" = \"$before\" ]; then"
    print "            _byway_values \"${kind#*:}\" \"$word\""
    print "            return"
    print "        fi"
    print "    done"
    print "    case $word in"
    print "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;"
    print "    *)"
    print "        if [ \"$COMP_CWORD ${COMP_WORDS[1]}\" = '2 reproduce' ]; then"
    print "            _byway_values papers \"$word\""
    print "            return"
    print "        fi"
    print "        [ \"$COMP_CWORD\" != 2 ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")"
    print "        ;;"
    print "    esac"
    print "}"
    print "complete -o default -F _byway byway"
}

function quote(s) { gsub(/\[/, "(", s); gsub(/\]/, ")", s); gsub(/:/, "\\:", s); gsub(/'/, "'\\''", s); return s }

function zsh(  i, c, j, k, value) {
    print "#compdef byway\n# Completion of byway for zsh; made by cmodel/cli/manual.sh from the tables of options.\n"
    print "_byway_names() { # KIND: names that byway list prints, several with commas"
    print "    local -a names"
    print "    local list=$1 field=name"
    print "    case $1 in"
    print "    keys) list=configs field=key ;;"
    print "    papers) field=number ;;"
    print "    esac"
    print "    names=(${(f)\"$(byway list $list --json 2>/dev/null | sed -n \"s/^ *\\\"$field\\\": \\\"\\(.*\\)\\\",*\\$/\\1/p\")\"})"
    print "    [[ $1 != papers ]] || names+=(all)"
    print "    [[ $1 != workloads ]] || names+=(@cnf @cf @ci @twolevel @pc @mpache @mi)"
    print "    _values -s , $1 $names"
    print "}"
    print "_byway_set() { # KEY="
    print "    local -a names"
    print "    names=(${(f)\"$(byway list configs --json 2>/dev/null | sed -n 's/^ *\"key\": \"\\(.*\\)\",*$/\\1/p')\"})"
    print "    compadd -S = -- $names"
    print "}\n"
    print "_byway() {"
    print "    local -a commands"
    print "    commands=("
    for (i = 1; i <= command_count; i++) printf "        '%s:%s'\n", commands[i], quote(summary[commands[i]])
    print "    )"
    print "    if (( CURRENT == 2 )); then"
    print "        _describe command commands"
    print "        return"
    print "    fi"
    print "    case $words[2] in"
    for (i = 1; i <= command_count; i++) {
        c = commands[i]
        printf "    %s)\n        shift words; (( CURRENT-- ))\n        _arguments", c
        for (j = 1; j <= count[c]; j++) {
            k = c SUBSEP j
            value = kind(k)
            if (value == "set") value = ":" quote(arg[k]) ":_byway_set"
            else if (value ~ /^(machines|policies|workloads|claims|keys)$/) value = ":" quote(arg[k]) ":_byway_names " value
            else if (value ~ /^=/) { value = ":" long[k] ":(" substr(value, 2) ")"; gsub(/\|/, " ", value) }
            else if (value == "files") value = ":" quote(arg[k]) ":_files"
            printf " \\\n            "
            if (short[k] != "") printf "'(%s %s)'{%s,%s}'[%s]%s'", short[k], long[k], short[k], long[k], quote(help[k]), value
            else printf "'%s[%s]%s'", long[k], quote(help[k]), value
        }
        if (c == "reproduce") printf " \\\n            '1:papers:_byway_names papers'"
        if (words[c] != "") printf " \\\n            '1:action:(%s)'", substr(words[c], 2)
        print " \\\n            '*:file:_files'\n        ;;"
    }
    print "    esac"
    print "}\n"
    print "_byway \"$@\""
}

function fish_quote(s) { gsub(/\\/, "\\\\", s); gsub(/'/, "\\'", s); return "'" s "'" }

function fish(  i, c, j, k, n, value, word) {
    print "# Completion of byway for fish; made by cmodel/cli/manual.sh from the tables of options.\n"
    print "function __byway_names # KIND: what byway list prints; several with commas"
    print "    set -l field name"
    print "    set -l list $argv[1]"
    print "    switch $list"
    print "        case keys"
    print "            set list configs"
    print "            set field key"
    print "        case papers"
    print "            set field number"
    print "            echo all"
    print "        case workloads"
    print "            printf '@%s\\n' cnf cf ci twolevel pc mpache mi"
    print "    end"
    print "    byway list $list --json 2>/dev/null | sed -n 's/^ *\"'$field'\": \"\\(.*\\)\",*$/\\1/p'"
    print "end"
    print "function __byway_several # KIND: names after the last comma of the word"
    print "    set -l head (string match -r '^.*,' -- (commandline -ct))"
    print "    for name in (__byway_names $argv[1])"
    print "        echo \"$head$name\""
    print "    end"
    print "end"
    print "complete -c byway -f"
    for (i = 1; i <= command_count; i++)
        printf "complete -c byway -n __fish_use_subcommand -a %s -d %s\n", commands[i], fish_quote(summary[commands[i]])
    for (i = 1; i <= command_count; i++) {
        c = commands[i]
        n = split(substr(words[c], 2), word, " ")
        for (j = 1; j <= n; j++)
            printf "complete -c byway -n '__fish_seen_subcommand_from %s; and test (count (commandline -opc)) -eq 2' -a %s\n", c, word[j]
        if (c == "reproduce")
            printf "complete -c byway -n '__fish_seen_subcommand_from %s; and test (count (commandline -opc)) -eq 2' -a '(__byway_several papers)'\n", c
        for (j = 1; j <= count[c]; j++) {
            k = c SUBSEP j
            value = kind(k)
            if (value == "") value = ""
            else if (value == "set") value = " -x -a '(__byway_names keys)='"
            else if (value == "files") value = " -r -F"
            else if (value ~ /^=/) { value = " -x -a '" substr(value, 2) "'"; gsub(/\|/, " ", value) }
            else value = " -x -a '(__byway_several " value ")'"
            printf "complete -c byway -n '__fish_seen_subcommand_from %s'%s -l %s%s -d %s\n", c,
                short[k] == "" ? "" : " -s " substr(short[k], 2), substr(long[k], 3), value, fish_quote(help[k])
        }
    }
}

END {
    if (want == "man") man(only == "" ? "byway" : only)
    else if (want == "bash") bash()
    else if (want == "zsh") zsh()
    else if (want == "fish") fish()
    else exit 2
}
