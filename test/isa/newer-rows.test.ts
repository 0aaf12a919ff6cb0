// Instructions of PTX ISA 9.1 to 9.4, which ptxas 13.0 does not know: the syntax of the manuals, and of code that newer
// ptxas assembled, is accepted for the right versions and targets only.

import test from "ava";
import { assemble } from "../../lib/object/assemble.js";
import { check, head } from "../check/support.js";
import { textOf } from "../object/essence.js";

const frame = (statement: string): string => `.shared .align 16 .b8 sh[64];
.visible .entry k()
{
.reg .b64 %rd<10>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b16 %h<6>; .reg .pred %p<5>; .reg .b8 %b<4>;
${statement}
ret;
}
`;

const errorsOf = (version: string, target: string, statement: string): readonly string[] =>
  check(head(version, target) + frame(statement)).errors.map(({ code, message }) => `${code}: ${message}`);

/** The first version and a target with these statements, and a target without ("" if there is none). */
const rows: readonly (readonly [version: string, target: string, without: string, ...statements: string[]])[] = [
  ["9.1", "sm_90", "", "ld.volatile.local.u32 %r1, [%rd1];", "st.volatile.local.v2.u32 [%rd1], {%r1, %r2};"],
  [
    "9.1",
    "sm_120f",
    "sm_90a",
    "cvt.rn.satfinite.relu.e4m3x2.bf16x2 %h1, %r1;",
    "cvt.rn.satfinite.e2m3x2.bf16x2 %h1, %r1;",
    "cvt.rn.satfinite.e3m2x2.f16x2 %h1, %r1;",
    "cvt.rn.satfinite.relu.e2m1x2.bf16x2 %b1, %r1;",
  ],
  [
    "9.1",
    "sm_110a",
    "sm_110f",
    "cvt.rn.satfinite.scaled::n2::ue8m0.s2f6x2.f32 %h1, %f1, %f2, %h2;",
    "cvt.rn.satfinite.relu.s2f6x2.bf16x2 %h1, %r1;",
    "cvt.rn.bf16x2.s2f6x2 %r1, %h1;",
    "cvt.rn.satfinite.relu.scaled::n2::ue8m0.bf16x2.s2f6x2 %r1, %h1, %h2;",
  ],
  [
    "9.1",
    "sm_90",
    "sm_80",
    "multimem.cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%rd2], 16;",
    "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%rd1], [%rd2], 32;",
    "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%rd1], [%rd2], 32;",
  ],
  [
    "9.2",
    "sm_121f",
    "sm_100f",
    "add.sat.u32 %r1, %r2, %r3;",
    "add.sat.s16x2 %r1, %r2, %r3;",
    "add.sat.u8x4 %r1, %r2, %r3;",
    "sub.sat.s8x4 %r1, %r2, %r3;",
    "neg.s8x4 %r1, %r2;",
    "min.u8x4 %r1, %r2, %r3;",
    "max.relu.s8x4 %r1, %r2, %r3;",
  ],
  [
    "9.2",
    "sm_90",
    "sm_80",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%rd1], [%rd2], 32, 3, %r2, [%rd3];",
  ],
  [
    "9.2",
    "sm_103f",
    "sm_103",
    "cvt.rn.relu.satfinite.scaled::n2::ue8m0.bf16x2.e5m2x2 %r1, %h1, %h2;",
    "cvt.rn.satfinite.relu.bf16x2.e4m3x2 %r1, %h1;",
    "cvt.rn.bf16x2.e2m1x2 %r1, %b1;",
  ],
  ["9.3", "sm_80", "sm_75", "clmad.lo.u64 %rd1, %rd2, %rd3, %rd4;", "clmad.hi.u64 %rd1, %rd2, %rd3, 7;"],
  ["9.3", "sm_75", "sm_70", "ld.mmio.acquire.sys.global.u32 %r1, [%rd1];", "st.mmio.release.sys.u64 [%rd1], %rd2;"],
  [
    "9.3",
    "sm_90",
    "sm_89",
    "mbarrier.init.layout::v1.shared::cta.b64 [%r1], 5;",
    "mbarrier.pending_count.layout::v1.b64 %r1, %rd1;",
    "mbarrier.check_layout.layout::v1.b64 %p1, [%rd1];",
    "mbarrier.try_wait.phase_type::primary.b64 %p1|%p2, [%rd1], %rd2;",
    "mbarrier.try_wait.parity.phase_type::primary.acquire.cta.b64 %p1|%p2, %r1, [%rd1], 1, 100;",
    "mbarrier.test_wait.parity.phase_type::conditional.shared.b64 %p1, [%r1], 0;",
  ],
  [
    "9.3",
    "sm_90a",
    "sm_90",
    "cp.async.bulk.weak.global.shared::cta.bulk_group [%rd1], [%rd2], 16;",
    "cp.async.bulk.relaxed.gpu.shared::cta.global.mbarrier::complete_tx::bytes.b128 [%rd1], [%rd2], 16, [%rd3];",
  ],
  [
    "9.3",
    "sm_100",
    "sm_90a",
    "fence.proxy.generic::fabric.alias.acquire.sys;",
    "fabric.submit.op_restrict::fetching;",
    "fabric.wait.sync_restrict::reads;",
    "fabric.try_get.async.shared::cta.mbarrier::complete_tx::bytes.mbarrier::report::fabric.relaxed.sys.b128 [%rd1], [%r1, %rd2], 16, [%rd3];",
    "fabric.try_put.async.multimem.shared::cta.mbarrier::complete_tx::16B.mbarrier::report::fabric.counted::bytes.relaxed.sys.b128 [%r1, %rd2, %rd4], [%rd1], 16, [%rd3];",
    "multimem.red.async.release.gpu.global.add.u64 [%rd1], %rd2;",
  ],
  [
    "9.4",
    "sm_107f",
    "sm_100f",
    "add.rz.f32x2.f16x2.f32x2 %rd1, %r1, %rd2;",
    "fma.rp.f32x2.bf16x2.f32x2.f32x2 %rd1, %r1, %rd2, %rd3;",
    "mul.ftz.rz.f16x2.f32x2.f32x2 %r1, %rd1, %rd2;",
    "mul.bf16x2.bf16x2.f16x2 %r1, %r2, %r3;",
    "set.lo.u8x4 %r1, %r2, %r3;",
    "cvt.rz.satfinite.relu.pzo.scaled::n1::ue8m0.e4m3x2.f32 %h1, %f1, %f2, %b1;",
    "cvt.rp.satfinite.ue5m3x2.f32 %h1, %f1, %f2;",
    "cp.async.bulk.prefetch.L2.global.L2::evict_last [%rd1], 16;",
    "mbarrier.arrive.release.cluster.shared::cluster.multicast::cluster::32b.b64 _, [%rd1], %r1, %r2;",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster::32b.b64 [%rd1], %r1;",
    "tcgen05.mma.cta_group::1.kind::ti16 [%r1], %rd1, %rd2, %r2, %p1;",
  ],
  [
    "9.4",
    "sm_107a",
    "sm_107f",
    "spcompress.b16.b2.sp::2:4.x1 {%r1}, {%r2}, {%r3, %r4}, 5;",
    "spdecompress.b8.b4.sp::1:16.x2 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, {%r9}, {%r10};",
    "tcgen05.shift.cta_group::1.down [%r1];",
  ],
  [
    "9.4",
    "sm_103a",
    "sm_103f",
    "add.rn.satfinite.e4m3x4.e2m1p4x4 %r1, %r2, %r3;",
    "fma.e5m2x4.e4m3x4.ue8m0x4.satfinite %r1, %r2, %r3, %r4;",
  ],
  [
    "9.4",
    "sm_90",
    "sm_89",
    "ld.global.u32.proxy::readonly %r1, [%rd1];",
    "ld.proxy::readonly.f32 %f1, [%rd1];",
    "prefetch.global.L1::32B.valid_addr [%rd1];",
    "atom.global.add.noftz.f32 %f1, [%rd1], %f2;",
    "red.global.add.noftz.v2.f32 [%rd1], {%f1, %f2};",
    "fence.proxy.alias.release.sys;",
    "fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;",
  ],
];

const before = { "9.1": "9.0", "9.2": "9.1", "9.3": "9.2", "9.4": "9.3" } as const;

for (const [version, target, without, ...statements] of rows)
  test(`PTX ${version} for ${target}: ${statements[0]!}`, (t) => {
    for (const statement of statements) {
      t.deepEqual(errorsOf(version, target, statement), [], statement);
      t.deepEqual(errorsOf("9.4", target, statement), [], statement);
      const needed = /(?:^requires|^target-version|^unsupported-target): /;
      if (!target.startsWith("sm_107"))
        for (const error of [errorsOf(before[version as "9.1"], target, statement)[0]])
          t.regex(error ?? "", needed, statement);
      if (without !== "") t.regex(errorsOf("9.4", without, statement)[0] ?? "", needed, `${statement} ${without}`);
    }
  });

test("they are read back from an object unchanged", (t) => {
  for (const [version, target, , ...statements] of rows)
    for (const statement of statements) {
      const { module } = check(head(version, target) + frame(statement));
      const text = textOf(assemble(module));
      t.true(text.includes(statement.slice(0, statement.indexOf(" "))), statement);
      t.deepEqual(check(text).errors, [], statement);
    }
});
