#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# random_forms.pl SEED COUNT PTXAS OUT - PTX instructions with random qualifiers, one kernel each,
# by the templates below; those that PTXAS accepts for sm_90a are written to the file OUT.  Prints how many
# forms were tried and accepted.
#
# In a template, {a|b|c} is one of the alternatives, <type> one of the list of that name, and a
# register of a class is one of %h (16 bits), %r (32), %d (64), %f and %e (floating-point), %p
# (predicates), with a number behind it.
use strict;
use warnings;
use File::Temp qw(tempdir);

my ($seed, $count, $ptxas, $out) = @ARGV;
my $state = $seed;

sub draw { # a number below n; the same on every machine
    my $n = shift;
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return int($state / 65536) % $n;
}

my $s = "s32|u32";
my @templates = map { s/\s+/ /gr } grep { /\S/ } split /;\n/, <<'END';
{add|sub}{|.sat}.s32 %r1, %r2, %r3;
{add|sub|addc|subc}{|.cc}.{u32|s32|u64|s64} X1, X2, X3;
{add|sub|mul.lo|mul.hi|min|max}.{u16|s16|u32|s32|u64|s64} X1, X2, X3;
{min|max}{|.relu}.{s16x2|u16x2|s32} X1, X2, X3;
{mul|mad}.wide.{u16|s16|u32|s32} W1, X2, X3M;
{mad.lo|mad.hi|madc.lo|madc.hi}{|.cc}.{u32|s32|u64|s64} X1, X2, X3, X4;
mad.hi.sat.s32 %r1, %r2, %r3, %r4;
{mul24|mad24}.{lo|hi}.{u32|s32} %r1, %r2, %r3M;
mad24.hi.sat.s32 %r1, %r2, %r3, %r4;
sad.{u16|s16|u32|s32|u64|s64} X1, X2, X3, X4;
{div|rem}.{u16|s16|u32|s32|u64|s64} X1, X2, X3;
{abs|neg}.{s16|s32|s64} X1, X2;
{popc|clz}.{b32|b64} %r1, X2;
bfind{|.shiftamt}.{u32|s32|u64|s64} %r1, X2;
{fns.b32 %r1, %r2, %r3, %r4|brev.b32 %r1, %r2|brev.b64 %d1, %d2};
bfe.{u32|s32|u64|s64} X1, X2, %r3, %r4;
bfi.{b32|b64} X1, X2, X3, %r4, %r5;
bmsk.{clamp|wrap}.b32 %r1, %r2, %r3;
szext.{clamp|wrap}.{u32|s32} %r1, %r2, %r3;
dp4a.{u32|s32}.{u32|s32} %r1, %r2, %r3, %r4;
dp2a.{lo|hi}.{u32|s32}.{u32|s32} %r1, %r2, %r3, %r4;
{and|or|xor}.{b16|b32|b64|pred} X1, X2, X3;
{not|cnot}.{b16|b32|b64} X1, X2;
lop3.b32 %r1, %r2, %r3, %r4, {0x1a|0x80|0xfe};
lop3.{or|and}.b32 %r1|%p1, %r2, %r3, %r4, 0x3c, %p2;
{shl.b16|shl.b32|shl.b64|shr.b32|shr.u16|shr.s16|shr.u32|shr.s32|shr.u64|shr.s64} X1, X2, %r3;
shf.{l|r}.{wrap|clamp}.b32 %r1, %r2, %r3, %r4;
prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16} %r1, %r2, %r3, %r4;
{add|sub|mul}{|.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32 %f1, %f2, %f3;
{add|sub|mul}{|.rn|.rz|.rm|.rp}.f64 %e1, %e2, %e3;
fma.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32 %f1, %f2, %f3, %f4;
{fma|mad}.{rn|rz|rm|rp}.f64 %e1, %e2, %e3, %e4;
div.{approx|full|rn|rz|rm|rp}{|.ftz}.f32 %f1, %f2, %f3;
div.{rn|rz|rm|rp}.f64 %e1, %e2, %e3;
{rcp|sqrt}.{approx|rn|rz|rm|rp}{|.ftz}.f32 %f1, %f2;
{rcp|sqrt}.{rn|rz|rm|rp}.f64 %e1, %e2;
{rcp|rsqrt}.approx.ftz.f64 %e1, %e2;
{rsqrt|sin|cos|lg2|ex2}.approx{|.ftz}.f32 %f1, %f2;
rsqrt.approx.f64 %e1, %e2;
tanh.approx.{f32 %f1, %f2|f16 %h1, %h2|f16x2 %r1, %r2|bf16 %h1, %h2|bf16x2 %r1, %r2};
ex2.approx.{f16 %h1, %h2|f16x2 %r1, %r2|ftz.bf16 %h1, %h2|ftz.bf16x2 %r1, %r2};
{abs|neg}{|.ftz}.{f32|f64|f16|f16x2|bf16|bf16x2} X1, X2;
{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.{f32|f16|f16x2|bf16|bf16x2} X1, X2, X3;
{min|max}.f64 %e1, %e2, %e3;
copysign.{f32|f64} X1, X2, X3;
testp.{finite|infinite|number|notanumber|normal|subnormal}.{f32|f64} %p1, X2;
{add|sub|mul}{|.rn}{|.ftz}{|.sat}.{f16|f16x2} X1, X2, X3;
{add|sub|mul}{|.rn}.{bf16|bf16x2} X1, X2, X3;
fma.rn{|.ftz}{|.sat|.relu}.{f16|f16x2} X1, X2, X3, X4;
fma.rn{|.relu|.oob|.oob.relu}.{bf16|bf16x2|f16|f16x2} X1, X2, X3, X4;
setp.{eq|ne|lt|le|gt|ge}{|.and|.or|.xor}.{b16|u16|s16|b32|u32|s32|u64|s64} P1, X2, X3Q;
setp.{lo|ls|hi|hs}.{u16|u32|u64} %p1, X2, X3;
setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{|.ftz}.{f32|f64|f16|bf16} P1, X2, X3;
setp.{eq|lt|gtu|nan}{|.ftz}.{f16x2|bf16x2} %p1|%p2, %r1, %r2;
set.{eq|ne|lt|ge}{|.ftz}.{u32|s32|f32}.{u32|s32|f32|s64|f64|f16|bf16} Y1, X2, X3;
set.{eq|gtu|nan}.{f16.f16 %h1, %h2, %h3|bf16.bf16 %h1, %h2, %h3|f16x2.f16x2 %r1, %r2, %r3|bf16x2.bf16x2 %r1, %r2, %r3};
selp.{b16|b32|b64|u16|s32|u64|f32|f64} X1, X2, X3, %p1;
slct{|.ftz}.{b16|b32|b64|u32|s64|f32|f64}.{s32|f32} X1, X2, X3, {%r4|%f4};
mov.{b16|b32|b64|u32|s64|f32|f64|pred} X1, X2;
mov.{b32 %r1, {%h1, %h2}|b64 %d1, {%r1, %r2}|b64 {%r1, %r2}, %d1|b32 {%h1, %h2}, %r1|b64 %d1, {%h1, %h2, %h3, %h4}};
mov.u32 %r1, {%tid.x|%ntid.y|%ctaid.z|%nctaid.x|%laneid|%warpid|%nwarpid|%smid|%nsmid|%lanemask_eq|%lanemask_lt|%lanemask_le|%lanemask_gt|%lanemask_ge|%clock|%clock_hi|%globaltimer_lo|%globaltimer_hi|%dynamic_smem_size|%total_smem_size|%aggr_smem_size|%cluster_ctaid.x|%cluster_nctaid.x|%cluster_ctarank|%cluster_nctarank|%clusterid.x|%nclusterid.x|%envreg1|%reserved_smem_offset_begin|%reserved_smem_offset_1};
mov.u64 %d1, {%clock64|%globaltimer|%gridid|%current_graph_exec};
cvt{|.sat}.{u8|s8|u16|s16|u32|s32|u64|s64}.{u8|s8|u16|s16|u32|s32|u64|s64} C1, C2;
cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.{f32|f64|f16|bf16}.{u8|s16|u32|s32|u64|s64} C1, C2;
cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{u8|s8|u16|s16|u32|s32|u64|s64}.{f32|f64|f16|bf16} C1, C2;
cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.{f16|bf16|f32}.{f32|f64|f16|bf16} C1, C2;
cvt{|.ftz}.{f32.f16|f64.f32|f32.bf16|f64.f16} C1, C2;
cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{f32.f32|f64.f64|f16.f16|bf16.bf16} C1, C2;
cvt.{rn|rz}{|.relu}{|.satfinite}.{f16x2|bf16x2}.f32 %r1, %f2, %f3;
cvt.{rn|rz|rna}{|.relu}{|.satfinite}.tf32.f32 %r1, %f2;
cvt.rn.satfinite{|.relu}.{e4m3x2|e5m2x2}.{f32 %h1, %f2, %f3|f16x2 %h1, %r2};
cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2} %r1, %h2;
cvt.pack.sat.{u16|s16}.s32 %r1, %r2, %r3;
cvt.pack.sat.{u8|s8|u4|s4|u2|s2}.s32.b32 %r1, %r2, %r3, %r4;
cvta{|.to}.{global|shared|const|local|shared::cta|shared::cluster}.u64 %d1, %d2;
isspacep.{global|shared|const|local|shared::cta|shared::cluster} %p1, %d2;
ld{|.weak}{|.global|.shared|.local|.const}{|.ca|.cg|.cs|.lu|.cv}{|.L1::evict_last|.L1::no_allocate}{|.L2::64B|.L2::128B|.L2::256B}.{u8|s16|b32|u64|f32|f64} C1, [%d9];
ld.{volatile|relaxed.gpu|acquire.sys|relaxed.cta|acquire.cluster}{|.global|.shared}.{u8|b16|u32|s64|f32} C1, [%d9];
ld{|.global|.shared}.v{2.{u32|f32|b16|f64|u8} {X1, X2}|4.{u32|f32|b16|u8} {X1, X2, X3, X4}}, [%d9+16];
ld.global.nc{|.ca|.cg}{|.L1::no_allocate}{|.L2::128B}.{b32 %r1|v2.f32 {%f1, %f2}|v4.u32 {%r1, %r2, %r3, %r4}|u64 %d1}, [%d9];
ldu.global.{u32 %r1|v4.f32 {%f1, %f2, %f3, %f4}}, [%d9];
ld.global.L2::cache_hint.{b32 %r1|v2.u64 {%d1, %d2}}, [%d9], %d8;
st{|.weak}{|.global|.shared|.local}{|.wb|.cg|.cs|.wt}{|.L1::evict_first|.L1::no_allocate}.{u8|s16|b32|u64|f32|f64} [%d9], C1;
st.{volatile|relaxed.gpu|release.sys|release.cta}{|.global|.shared}.{u8|b16|u32|s64|f32} [%d9], C1;
st{|.global|.shared}.v{2.{u32|f32|b16|f64} [%d9], {X1, X2}|4.{u32|f32|b16} [%d9], {X1, X2, X3, X4}};
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{|.v2}.{b32|u64} [%r9], A1, [%r8];
prefetch.{global.L1|global.L2|local.L1|L1|L2|global.L2::evict_last|global.L2::evict_normal} [%d9];
prefetchu.L1 [%d9];
applypriority.global.L2::evict_normal [%d9], 128;
discard.global.L2 [%d9], 128;
createpolicy.fractional.L2::{evict_last|evict_first|evict_normal|evict_unchanged}{|.L2::evict_unchanged}.b64 %d1, {0.5|1.0};
createpolicy.range.global.L2::evict_last.b64 %d1, [%d9], %r1, %r2;
createpolicy.cvt.L2.b64 %d1, %d2;
atom{|.relaxed|.acq_rel|.acquire|.release}{|.gpu|.cta|.sys|.cluster}{|.global|.shared}.{and|or|xor|exch}.{b32|b64} X1, [%d9], X2;
atom{|.relaxed|.acq_rel}{|.gpu|.cta|.sys}{|.global|.shared}.{add|min|max}.{u32|s32|u64} X1, [%d9], X2;
atom{|.global|.shared}.{min|max}.s64 %d1, [%d9], %d2;
atom{|.relaxed}{|.global|.shared}.{inc|dec}.u32 %r1, [%d9], %r2;
atom{|.acq_rel}{|.gpu}{|.global|.shared}.cas.{b16|b32|b64} X1, [%d9], X2, X3;
atom{|.global|.shared}.add.{f32|f64|noftz.f16|noftz.f16x2|noftz.bf16|noftz.bf16x2} X1, [%d9], X2;
atom.global{|.relaxed.gpu}.{v2.f32.add|v4.f32.add} V1, [%d9], V2;
atom.global.{add|min|max}.noftz.{v2.f16|v2.bf16|v4.f16x2|v2.bf16x2} V1, [%d9], V2;
red{|.relaxed|.release}{|.gpu|.cta|.sys}{|.global|.shared}.{add|min|max}.{u32|s32|u64} [%d9], X2;
red{|.global|.shared}.{and|or|xor}.{b32|b64} [%d9], X2;
red{|.global|.shared}.{inc|dec}.u32 [%d9], %r2;
red{|.global}.add.{f32|f64|noftz.f16|noftz.f16x2|noftz.bf16|noftz.bf16x2} [%d9], X2;
red.global.{add.v2.f32|add.v4.f32} [%d9], V2;
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{add|min|max|and|or|xor|inc}.{u32|s32|b32|u64} [%r9], A1, [%r8];
shfl.sync.{up|down|bfly|idx}.b32 {%r1|%p1|%r1}, %r2, %r3, %r4, {-1|%r5};
vote.sync.{all.pred %p1|any.pred %p1|uni.pred %p1|ballot.b32 %r1}, {%p2|!%p2}, -1;
match.{any|all}.sync.{b32|b64} %r1, X2, -1;
match.all.sync.{b32|b64} %r1|%p1, X2, -1;
redux.sync.{add|min|max}.{u32|s32} %r1, %r2, -1;
redux.sync.{and|or|xor}.b32 %r1, %r2, -1;
activemask.b32 %r1;
elect.sync %r1|%p1, {-1|%r2};
bar{|.cta}.{sync 0|sync %r1|sync 1, 64|arrive 2, 64|sync 0, 32};
barrier{|.cta}.{sync 0|sync.aligned 1|sync 1, 64|arrive 2, 64|arrive.aligned 2, 64};
bar{|.cta}.red.{popc.u32 %r1|and.pred %p1|or.pred %p1}, 0, %p2;
barrier{|.cta}.red{|.aligned}.{popc.u32 %r1|and.pred %p1|or.pred %p1}, 0, !%p2;
bar.warp.sync {-1|%r1};
barrier.cluster.{arrive|arrive.release|arrive.relaxed|arrive.aligned|wait|wait.acquire|wait.aligned};
{membar.cta|membar.gl|membar.sys|fence.acq_rel.gpu|fence.sc.cta|fence.acq_rel.sys|fence.acq_rel.cluster|fence.proxy.alias|fence.proxy.async|fence.proxy.async.global|fence.proxy.async.shared::cta|fence.mbarrier_init.release.cluster|fence.proxy.tensormap::generic.release.gpu};
fence.proxy.tensormap::generic.acquire.gpu [%d9], 128;
mbarrier.init{|.shared|.shared::cta}.b64 [%r9G], %r1;
mbarrier.inval{|.shared}.b64 [%r9G];
mbarrier.{arrive|arrive_drop}{|.release.cta|.release.cluster}{|.shared|.shared::cta}.b64 %d1, [%r9G]{|, %r1};
mbarrier.arrive.noComplete{|.release.cta}.shared.b64 %d1, [%r9], %r1;
mbarrier.arrive.expect_tx{|.release.cta}.shared::cta.b64 {%d1|_}, [%r9], %r1;
mbarrier.{test_wait|try_wait}{|.acquire.cta}{|.shared|.shared::cta}.b64 %p1, [%r9G], %d1;
mbarrier.{test_wait|try_wait}.parity{|.shared|.shared::cta}.b64 %p1, [%r9G], %r1;
mbarrier.{expect_tx|complete_tx}.relaxed.cta.shared::cta.b64 [%r9], %r1;
mbarrier.pending_count.b64 %r1, %d1;
cp.async.{ca|cg}.shared{|::cta}.global{|.L2::128B|.L2::64B} [%r9], [%d9], 16{|, %r1|, %p1};
cp.async.ca.shared.global{|.L2::cache_hint} [%r9], [%d9], {4|8};
{cp.async.commit_group|cp.async.wait_group 1|cp.async.wait_all|cp.async.bulk.commit_group|cp.async.bulk.wait_group 0|cp.async.bulk.wait_group.read 1};
cp.async.mbarrier.arrive{|.noinc}{|.shared|.shared::cta}.b64 [%r9G];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{|.L2::cache_hint} [%r9], [%d9], %r1, [%r8]L;
cp.async.bulk.global.shared::cta.bulk_group{|.L2::cache_hint} [%d9], [%r9], %r1L;
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r9], [%r7], %r1, [%r8];
cp.async.bulk.prefetch.L2.global [%d9], %r1;
cp.reduce.async.bulk.global.shared::cta.bulk_group.{add|min|max|inc|dec|and|or|xor}.{u32|s32|u64|s64|b32|b64|f32|f64} [%d9], [%r9], %r1;
cp.reduce.async.bulk.global.shared::cta.bulk_group.{add.noftz|min|max}.{f16|bf16} [%d9], [%r9], %r1;
cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.shared::cluster.global{|.tile}.mbarrier::complete_tx::bytes [%r9], [%d9, T], [%r8];
cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.global.shared::cta{|.tile}.bulk_group [%d9, T], [%r9];
cp.async.bulk.prefetch.tensor.{1d|2d|3d}.L2.global.tile [%d9, T];
cp.reduce.async.bulk.tensor.{1d|2d|3d|4d}.global.shared::cta.{add|min|max|and|or|xor|inc|dec}{|.tile}.bulk_group [%d9, T], [%r9];
ldmatrix.sync.aligned.m8n8.{x1|x2|x4}{|.trans}{|.shared|.shared::cta}.b16 M1, [%r9G];
stmatrix.sync.aligned.m8n8.{x1|x2|x4}{|.trans}{|.shared|.shared::cta}.b16 [%r9G], M1;
movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;
mapa{|.shared::cluster}.{u32|u64} X1, X2, %r3;
getctarank{|.shared::cluster}.{u32|u64} %r1, X2;
{nanosleep.u32 %r1|nanosleep.u32 100|pmevent 3|pmevent.mask 5|griddepcontrol.wait|griddepcontrol.launch_dependents|setmaxnreg.inc.sync.aligned.u32 128|setmaxnreg.dec.sync.aligned.u32 64};
{vadd|vsub|vabsdiff|vmin|vmax}.{u32|s32}.{u32|s32}.{u32|s32}{|.sat}{|.add|.min|.max} %r1, %r2, %r3, %r4;
{vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4|vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2}.{u32|s32}.{u32|s32}.{u32|s32}{|.sat|.add} %r1, %r2, %r3, %r4;
{vshl|vshr}.{u32|s32}.{u32|s32}.u32.{clamp|wrap} %r1, %r2, %r3;
vmad.{u32|s32}.{u32|s32}.{u32|s32}{|.sat}{|.shr7|.shr15} %r1, %r2, %r3, %r4;
vset{|2|4}.{u32|s32}.{u32|s32}.{eq|ne|lt|ge} %r1, %r2, %r3{|, %r4};
tex.{1d|2d|3d|a1d|a2d|cube}.v4.{f32|s32|u32}.{f32|s32} S4, [%d9, T];
tld4.{r|g|b|a}.2d.v4.{f32|u32}.f32 S4, [%d9, {%f1, %f2}];
suld.b.{1d|2d|3d}{|.v2|.v4}.{b8|b16|b32|b64}.{trap|clamp|zero} U1, [%d9, U];
sust.b.{1d|2d|3d}{|.v2|.v4}.{b8|b16|b32|b64}.{trap|clamp|zero} [%d9, U], U1;
txq.{width|height|depth|channel_data_type}.b32 %r1, [%d9];
suq.{width|height|channel_order}.b32 %r1, [%d9];
END

my %class = (
    u8 => "h", s8 => "h", b8 => "h", u16 => "h", s16 => "h", b16 => "h", f16 => "h", bf16 => "h",
    u32 => "r", s32 => "r", b32 => "r", f16x2 => "r", bf16x2 => "r", u16x2 => "r", s16x2 => "r",
    tf32 => "r", u64 => "d", s64 => "d", b64 => "d", f32 => "f", f64 => "e", pred => "p");
my %wider = (h => "r", r => "d");

# A list of n registers.
sub list { my ($c, $n, $first) = @_; "{" . join(", ", map { "%$c" . ($first + $_) } 0 .. $n - 1) . "}" }

# Alternatives, the innermost first; {%r1, %r2} is none.
sub expand {
    my $text = shift;
    1 while $text =~ s/\{([^{}]*\|[^{}]*)\}/my @a = split m{\|}, $1, -1; $a[draw(scalar @a)]/e;
    return $text;
}

# Replaces register classes by the types in the opcode: X and C by the last type's (C1 of cvt: the
# one before), Y by the one before, W by one twice as wide, V by lists, A and M as the opcode says.
sub registers {
    my $text = shift;
    my ($opcode, $rest) = $text =~ /^(\S+)(.*)$/s;
    my @types = grep { exists $class{$_} } split /\./, $opcode;
    my $last = @types ? $class{$types[-1]} : "r";
    my $before = @types > 1 ? $class{$types[-2]} : $last;
    my $cvt = $opcode =~ /^cvt/;
    $rest =~ s/\bX(\d)M/my $n = $1; $opcode =~ m{^mad} ? "%$last$n, %" . ($wider{$last} \/\/ "d") . "4" : "%$last$n"/ge;
    $rest =~ s/%r3M/$opcode =~ m{^mad} ? "%r3, %r4" : "%r3"/e;
    $rest =~ s/\bX(\d)Q/my $n = $1; "%$last$n" . ($opcode =~ m{\.(and|or|xor)\.} ? ", %p4" : "")/ge;
    $rest =~ s/\bX(\d)/%$last$1/g;
    $rest =~ s/\bY(\d)/%$before$1/g;
    $rest =~ s/\bW(\d)/"%" . ($wider{$last} \/\/ "d") . $1/ge;
    $rest =~ s/\bC1\b/"%" . ($cvt ? $before : $last) . "1"/ge;
    $rest =~ s/\bC2\b/%${last}2/g;
    $rest =~ s/\bP1\b/draw(2) ? "%p1" : "%p1|%p2"/e;
    $rest =~ s/\bA1\b/$opcode =~ m{v2} ? list($last, 2, 1) : "%${last}1"/e;
    $rest =~ s/\bV(\d)/my ($n) = $opcode =~ m{\.v(\d)}; list($last, $n \/\/ 1, $1)/ge;
    $rest =~ s/\bM1\b/my ($n) = $opcode =~ m{\.x(\d)}; list("r", $n, 1)/e;
    $rest =~ s/\bS4\b/list($opcode =~ m{v4\.f32} ? "f" : "r", 4, 1)/e;
    $rest =~ s/\bU1\b/my ($n) = $opcode =~ m{\.v(\d)}; my $c = $opcode =~ m{b64} ? "d" : $opcode =~ m{b32} ? "r" : "h"; $n ? list($c, $n, 1) : "%${c}1"/e;
    $rest =~ s/\bU\b/my ($n) = $opcode =~ m{\.(\d)d}; list("r", $n == 3 ? 4 : $n, 5)/e;
    $rest =~ s/\bT\b/my ($n) = $opcode =~ m{\.a?(\d)d}; $n = 4 if $opcode =~ m{cube|^tex.*3d|a2d}; list($opcode =~ m{^tex.*f32$} ? "f" : "r", $n \/\/ 2, 5)/e;
    my $generic = $opcode !~ /shared/;
    $rest =~ s/%r(\d)G/$generic ? "%d$1" : "%r$1"/ge;
    $rest =~ s/L;?$/$opcode =~ m{cache_hint} ? ", %d7" : ""/e;
    $rest =~ s/%d9/%r9/ if $opcode =~ /\.shared\./ && $opcode =~ /^(ld|st|atom|red)\./ && draw(2);
    return "$opcode$rest";
}

my (%seen, @forms);
for (my $tries = 0; @forms < $count && $tries < 20 * $count; $tries++) {
    my $template = $templates[draw(scalar @templates)];
    $template =~ s/^\s+|;?\s*$//g;
    my $form = registers(expand($template));
    push @forms, $form if !$seen{$form}++;
}
my $head = ".version 8.7\n.target sm_90a\n.address_size 64\n";

# Kernel n; each is one line.
sub kernel {
    my $n = shift;
    return ".visible .entry form_$n() { .reg .b16 %h<20>; .reg .b32 %r<20>; .reg .b64 %d<20>; "
        . ".reg .f32 %f<20>; .reg .f64 %e<20>; .reg .pred %p<9>; { $forms[$n]; } ret; }\n";
}

# The numbers of a list whose kernels the assembler accepts.
my $folder = tempdir(CLEANUP => 1);
sub accepted {
    my @n = @_;
    return () if !@n;
    open my $file, ">", "$folder/a.ptx" or die "$folder: $!\n";
    print $file $head, map { kernel($_) } @n;
    close $file;
    my $said = `'$ptxas' -O0 -arch=sm_90a -o /dev/null '$folder/a.ptx' 2>&1`;
    return @n if $? == 0;
    my %bad = map { $_ => 1 } $said =~ /line (\d+)/g;
    my @rest = grep { !$bad{$_ + 4} } 0 .. $#n;
    return accepted(@n[@rest]) if @rest < @n;
    return () if @n == 1;
    my $half = int(@n / 2);
    return (accepted(@n[0 .. $half - 1]), accepted(@n[$half .. $#n]));
}
my @good;
for (my $i = 0; $i < @forms; $i += 100) {
    my $end = $i + 99 < $#forms ? $i + 99 : $#forms;
    push @good, accepted($i .. $end);
}
open my $file, ">", $out or die "$out: $!\n";
print $file $head, map { kernel($_) } @good;
close $file;
printf "%d tried, %d accepted\n", scalar @forms, scalar @good;
