// Findings through the library: as data, separately for each launch.

import test from "ava";
import { linkSources, openDevice } from "../../../lib/index.js";

const source = `.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.visible .entry k(.param .u64 out, .param .u32 more)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [more];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], 7;
  ret;
}
.visible .entry leak(.param .u64 out)
{
  .param .b64 a;
  .param .b64 r;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, 24;
  st.param.b64 [a], %rd2;
  call.uni (r), malloc, (a);
  ld.param.b64 %rd2, [r];
  st.global.u64 [%rd1], %rd2;
  ret;
}
`;

/** Each block draws a ticket, and one writes the counter back to 0: the last to draw, or any. */
const tickets = (draw: string, isLast: string): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 counter)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<4>;
  .reg .pred %p;
  ld.param.u64 %rd1, [counter];
  ${draw}
  ${isLast}
  @!%p ret;
  st.global.u32 [%rd1], 0;
  ret;
}
`;

/** Lane 1 uses lane 0's value, which is undefined; lanes from `first` on branch on theirs. */
const shuffled = (first: number): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<3>;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p0, %r1, 0;
  @%p0 mov.u32 %r2, %r1;
  shfl.sync.up.b32 %r2, %r2, 1, 0, -1;
  setp.lt.u32 %p1, %r1, ${first};
  @%p1 ret;
  setp.eq.u32 %p2, %r2, 7;
  @%p2 st.global.u32 [%rd1], %r2;
  ret;
}
`;

test("a shuffle into its own operand reads the values from before", async (t) => {
  const find = async (first: number) => {
    const device = openDevice(linkSources({ "k.ptx": shuffled(first) }));
    const { findings = [] } = await device.launch("k", { grid: 1, block: 32, args: [device.alloc(4)], sanitize: true });
    return findings.map(({ kind }) => kind);
  };
  t.deepEqual(await find(2), []);
  t.deepEqual(await find(1), ["uninitialized"]);
});

test("the block with the last ticket may write the counter", async (t) => {
  const atomic = "atom.global.add.u32 %r1, [%rd1], 1;";
  const find = async (draw: string, isLast: string) => {
    const device = openDevice(linkSources({ "k.ptx": tickets(draw, isLast) }));
    const { findings = [] } = await device.launch("k", { grid: 8, block: 1, args: [device.alloc(4)], sanitize: true });
    return findings.map(({ kind }) => kind);
  };
  t.deepEqual(await find(atomic, "setp.eq.u32 %p, %r1, 7;"), []);
  // Not ordered after the operation of a block that has not drawn its ticket.
  t.deepEqual(await find(atomic, "setp.eq.u32 %p, %r1, 3;"), ["race"]);
  // Not ordered after any other block's.
  t.deepEqual(await find("red.global.add.u32 [%rd1], 1; mov.u32 %r1, %ctaid.x;", "setp.eq.u32 %p, %r1, 7;"), ["race"]);
});

/** Two kernels use `common`; each of the others uses a larger variable at the same offset. */
const twoTiles = `.version 8.0
.target sm_90
.address_size 64
.shared .align 4 .b8 common[64];
.shared .align 4 .b8 own[256];
.shared .align 4 .b8 own3[256];
.visible .entry first()
{
  st.shared.u32 [common+60], 1;
  bar.sync 0;
  st.shared.u32 [common], 1;
  ret;
}
.visible .entry other()
{
  st.shared.u32 [common+60], 1;
  ret;
}
.visible .entry second()
{
  .reg .b32 %r<2>;
  mov.u32 %r1, own;
  st.shared.u32 [%r1+252], 1;
  ret;
}
.visible .entry third()
{
  .reg .b32 %r<2>;
  mov.u32 %r1, own3;
  st.shared.u32 [%r1+256], 1;
  ret;
}
`;

test("one kernel's shared variable may overlap what another kernel places there", async (t) => {
  const device = openDevice(linkSources({ "k.ptx": twoTiles }));
  const find = async (kernel: string, sharedBytes = 0) =>
    (await device.launch(kernel, { grid: 1, block: 1, sharedBytes, sanitize: true })).findings;
  t.deepEqual(await find("first"), []);
  t.deepEqual(await find("second"), []);
  t.deepEqual(
    (await find("third", 64))?.map(({ kind, variable }) => [kind, variable]),
    [["out-of-bounds", "own3"]],
  );
});

test("a launch returns its own findings only", async (t) => {
  const device = openDevice(linkSources({ "k.ptx": source }));
  const [first, second] = [device.alloc(16), device.alloc(2 ** 17)];
  const shape = { grid: 1, block: 1, sanitize: true };
  const far = (second.address - first.address) / 4;
  const bad = await device.launch("k", { ...shape, args: [first, { u32: far }] });
  t.is(bad.fault, undefined);
  const [finding, ...rest] = bad.findings ?? [];
  t.deepEqual(rest, []);
  t.is(finding?.kind, "out-of-bounds");
  t.is(finding?.space, "global");
  t.is(finding?.line, 13);
  t.deepEqual(finding?.ptx, { file: "k.ptx", line: 13, column: 1, instruction: "st.global.u32 [%rd3], 7;" });
  t.is(finding?.access, "write");
  t.is(finding?.bytes, 4);
  t.deepEqual([...finding!.block, ...finding!.thread], [0, 0, 0, 0, 0, 0]);
  t.deepEqual((await device.launch("k", { ...shape, args: [first, { u32: 1 }] })).findings, []);
  t.is((await device.launch("k", { ...shape, args: [first, { u32: far }] })).findings?.length, 1);
  t.is((await device.launch("k", { grid: 1, block: 1, args: [first, { u32: 1 }] })).findings, undefined);
  t.deepEqual(device.leaks(), []);
  t.deepEqual((await device.launch("leak", { ...shape, args: [first] })).findings, []);
  t.deepEqual(
    device.leaks().map(({ kind, bytes, count }) => ({ kind, bytes, count })),
    [{ kind: "leak", bytes: 24, count: 1 }],
  );
});

/** Thread 0 copies shared to global memory and waits; the others read the copy after a barrier, and trap if it is not there. */
const copied = (wait: string): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
  .shared .align 16 .u32 from[32];
  .reg .b64 %rd<4>;
  .reg .b32 %r<6>;
  .reg .pred %p;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, from;
  add.u32 %r4, %r3, %r2;
  st.shared.u32 [%r4], 7;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.ne.u32 %p, %r1, 0;
  @%p bra arrived;
  cp.async.bulk.global.shared::cta.bulk_group [%rd1], [from], 128;
  cp.async.bulk.commit_group;
  ${wait} 0;
arrived:
  bar.sync 0;
  cvt.u64.u32 %rd2, %r2;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  setp.ne.u32 %p, %r5, 7;
  @%p trap;
  ret;
}
`;

test("a launch that faults reports copies whose bytes were read too early", async (t) => {
  const run = async (wait: string) => {
    const device = openDevice(linkSources({ "k.ptx": copied(wait) }));
    return device.launch("k", { grid: 1, block: 32, args: [device.alloc(128)], sanitize: true });
  };
  const { fault, findings } = await run("cp.async.bulk.wait_group.read");
  t.is(fault?.kind, "trap");
  t.deepEqual(
    findings?.map(({ kind, line, remedy }) => ({ kind, line, isBulk: remedy?.includes("wait_group; with .read") })),
    [{ kind: "missing-wait", line: 27, isBulk: true }],
  );
  const right = await run("cp.async.bulk.wait_group");
  t.is(right.fault, undefined);
  t.deepEqual(right.findings, []);
});
