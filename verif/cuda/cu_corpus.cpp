// SPDX-License-Identifier: Apache-2.0
//
// cu_corpus FOLDER [NAME...] - runs the programs of the corpus, whose PTX is in FOLDER; "ok NAME"
// or "not ok NAME" for each.  Exit status 1 if one fails.
#include "corpus/corpus.h"

#include <map>

static std::map<std::string, Check> &checks()
{
    static std::map<std::string, Check> list;
    return list;
}

Registered::Registered(const char *name, Check check)
{
    checks()[name] = check;
}

#include "cu_corpus_list.h"

int main(int argc, char **argv)
{
    int bad = argc < 2;

    for (const auto &check : checks()) {
        bool wanted = argc == 2;

        for (int i = 2; i < argc; i++)
            wanted |= check.first == argv[i];
        if (!wanted || argc < 2)
            continue;
        Program program(std::string(argv[1]) + "/" + check.first + ".ptx");
        bool good = check.second(program);
        printf("%s %s\n", good ? "ok" : "not ok", check.first.c_str());
        fflush(stdout);
        bad |= !good;
    }
    return bad;
}
