#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# header_forms.pl < PREPROCESSED > PTX - one kernel for each distinct asm statement of preprocessed
# headers, with registers for its operands: all forms of instructions that the headers can emit.
# Kernel names: form_N.
use strict;
use warnings;

local $/;
my $text = <STDIN>;
my %class = (r => "r", h => "h", l => "d", f => "f", d => "e", n => "n");
my (%seen, $count);
print ".version 8.8\n.target sm_90a\n.address_size 64\n";

# String literals at the current position, joined; undef: none.
sub literals {
    my $all;
    while (1) {
        if ($text =~ /\G\s*R"(\w*)\((.*?)\)\1"/gcs) {
            $all .= $2;
        } elsif ($text =~ /\G\s*"((?:[^"\\]|\\.)*)"/gcs) {
            my $one = $1;
            $one =~ s/\\([nt"\\])/$1 eq "n" ? "\n" : $1 eq "t" ? "\t" : $1/ge;
            $all .= $one;
        } else {
            return $all;
        }
    }
}

# The constraints of a list of operands: "=r"(expression), ...
sub operands {
    my @list;
    while ($text =~ /\G\s*,?\s*(?:\[\w+\]\s*)?"([^"]*)"\s*(?=\()/gc) {
        push @list, $1;
        my $open = 0;
        while ($text =~ /\G[^()]*([()])/gc) {
            $open += $1 eq "(" ? 1 : -1;
            last if $open == 0;
        }
    }
    return @list;
}

while ($text =~ /\b(?:__)?asm(?:__)?\s*(?:__)?(?:volatile)?(?:__)?\s*\(/g) {
    my $code = literals();
    next if !defined $code || $code !~ /;/;
    my @operands;
    while ($text =~ /\G\s*:/gc) {
        last if $text =~ /\G\s*"memory"/gc;
        push @operands, operands();
    }
    my (%uses, $bad);
    my @names;
    for my $i (0 .. $#operands) {
        (my $letter = $operands[$i]) =~ s/[=+&]//g;
        my $c = $class{$letter};
        $bad = 1, next if !defined $c;
        push @names, $c eq "n" ? "16" : "%" . $c . $i;
    }
    next if $bad;
    $code =~ s/%%|%(\d+)/defined $1 ? ($names[$1] \/\/ "0") : "%"/ge;
    $code =~ s/\s+/ /g;
    next if $seen{$code}++;
    print ".visible .entry form_", $count++, "()\n{ .reg .b16 %h<40>; .reg .b32 %r<40>; ",
        ".reg .b64 %d<40>; .reg .f32 %f<40>; .reg .f64 %e<40>;\n{ $code }\nret; }\n";
}
