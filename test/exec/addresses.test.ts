// Shared addresses in a cluster, windows and their surroundings, compared with an H200 (testdata/hardware/h200/memory).

import test from "ava";
import type { DeviceLaunch } from "../../lib/exec/device/interface.js";
import type { Fault } from "../../lib/exec/state/result.js";
import { runBody } from "./kernel.js";

type Shape = Partial<DeviceLaunch> & { readonly before?: string };

/** The first words of the buffer on each engine. Bodies loop, because the fast engine compiles hot code. */
async function onEngines(body: string, count: number, shape: Shape = {}): Promise<readonly (readonly number[])[]> {
  const looped = `.reg .b32 %turn; .reg .pred %again; mov.u32 %turn, 0;
    again: ${body} add.u32 %turn, %turn, 1; setp.lt.u32 %again, %turn, 60; @%again bra again;`;
  const found: (readonly number[])[] = [];
  for (const engine of ["reference", "fast"] as const) {
    const { result, out } = await runBody(looped, { ...shape, engine });
    if (result.fault !== undefined) throw new Error(`${engine}: ${result.fault.message}`);
    found.push(Array.from({ length: count }, (_, i) => out.getUint32(4 * i, true)));
  }
  return found;
}

async function faultsOf(body: string, shape: Shape = {}): Promise<readonly (Fault | undefined)[]> {
  const faults: (Fault | undefined)[] = [];
  for (const engine of ["reference", "fast"] as const)
    faults.push((await runBody(body, { block: 1, ...shape, engine })).result.fault);
  return faults;
}

test("in a cluster the upper 8 bits of a shared address are the block's rank, and all addresses of a byte agree", async (t) => {
  const body = `.shared .align 8 .b32 s[64]; .reg .b32 %r, %a, %m, %v, %w, %n, %rank; .reg .b64 %g, %l, %to; .reg .pred %p;
    mov.u32 %r, %cluster_ctarank; mad.lo.u32 %v, %r, 1000, %t; mov.u32 %a, s; mad.lo.u32 %a, %t, 4, %a;
    st.shared.u32 [%a], %v; ld.shared.u32 %w, [%a]; add.u32 %v, %v, %w;
    cvt.u64.u32 %l, %a; cvta.shared.u64 %g, %l; ld.u32 %w, [%g]; add.u32 %v, %v, %w; ld.shared.u32 %w, [%l]; add.u32 %v, %v, %w;
    atom.shared.add.u32 %w, [%a], 1; add.u32 %v, %v, %w; atom.add.u32 %w, [%g], 1; add.u32 %v, %v, %w;
    isspacep.shared::cta %p, %g; @%p add.u32 %v, %v, 7;
    barrier.cluster.arrive; barrier.cluster.wait;
    xor.b32 %n, %r, 1; mapa.shared::cluster.u32 %m, %a, %n; ld.shared::cluster.u32 %w, [%m]; add.u32 %v, %v, %w;
    mapa.u64 %g, %g, %n; ld.u32 %w, [%g]; add.u32 %v, %v, %w; getctarank.u64 %rank, %g; add.u32 %v, %v, %rank;
    mad.lo.u32 %n, %r, 32, %t; mul.wide.u32 %to, %n, 8; add.u64 %to, %to, %out; mov.u32 %a, s; st.global.v2.u32 [%to], {%a, %v};
    barrier.cluster.arrive; barrier.cluster.wait;`;
  const expected = [0, 1].flatMap((rank) =>
    Array.from({ length: 32 }, (_, lane) => {
      const [own, other] = [rank, 1 - rank].map((r) => r * 1000 + lane) as [number, number];
      return [rank * 0x1000000 + 0x400, own * 4 + own + own + 1 + 7 + 2 * (other + 2) + (1 - rank)];
    }).flat(),
  );
  for (const found of await onEngines(body, 128, { grid: 2, cluster: 2, block: 32 })) t.deepEqual(found, expected);
});

test("an access to a block outside the cluster is a trap", async (t) => {
  const body = `.shared .b32 s; .reg .b32 %a; mov.u32 %a, s; mapa.shared::cluster.u32 %a, %a, 5; ld.shared::cluster.u32 %a, [%a];`;
  for (const fault of await faultsOf(body)) {
    t.is(fault?.kind, "trap");
    t.regex(fault!.message, /rank 5, but the launch has no clusters/);
  }
  for (const fault of await faultsOf(body, { grid: 2, cluster: 2 }))
    t.regex(fault!.message, /its cluster has 2 blocks/);
});

test("shared memory is guarded after the block's last KiB, not before the program's first byte", async (t) => {
  const at = (address: number): string =>
    `.shared .b32 s; .reg .b32 %v; st.shared.u32 [s], 1; mov.u32 %v, ${address}; st.shared.u32 [%v], 5; ld.shared.u32 %v, [%v]; st.global.u32 [%at], %v;`;
  for (const address of [0, 1020, 2044]) {
    const { result, out } = await runBody(at(address), { block: 1 });
    t.is(result.fault, undefined);
    t.is(out.getUint32(0, true), 5);
  }
  for (const fault of await faultsOf(at(2048))) t.is(fault?.kind, "illegal-address");
});

test("only the low 32 bits of a 64-bit register count in shared memory", async (t) => {
  const body = `.shared .align 16 .b32 s[4]; .reg .b64 %a; .reg .b32 %v, %w; mov.u64 %a, s; or.b64 %a, %a, 0xabcd00000000;
    st.shared.u32 [%a+4], 9; ld.shared.u32 %v, [%a+4]; atom.shared.add.u32 %w, [%a+4], 5; ld.shared.u32 %w, [s+4];
    mad.lo.u32 %v, %v, 100, %w; st.global.u32 [%at], %v;`;
  for (const found of await onEngines(body, 1, { block: 1 })) t.deepEqual(found, [914]);
});

test("the constant bank reads as zero beyond its data", async (t) => {
  const body = `.reg .b32 %a, %v, %w, %u; mov.u32 %a, 65536; ld.const.u32 %v, [%a]; ld.const.u32 %w, [c]; ld.const.u32 %u, [c+4];
    add.u32 %v, %v, %w; add.u32 %v, %v, %u; st.global.u32 [%at], %v;`;
  for (const found of await onEngines(body, 1, { block: 1, before: ".const .u32 c = 77;" })) t.deepEqual(found, [77]);
  for (const fault of await faultsOf(".reg .b32 %a, %v; mov.u32 %a, 65537; ld.const.u32 %v, [%a];"))
    t.is(fault?.kind, "misaligned-address");
});

test("ld.const reads a buffer whose address is in a parameter", async (t) => {
  const body = `.reg .b32 %v; .reg .b64 %c; st.global.u32 [%at+64], 31; ld.param.u64 %c, [out]; ld.const.u32 %v, [%c+64]; st.global.u32 [%at], %v;`;
  for (const found of await onEngines(body, 1, { block: 1 })) t.deepEqual(found, [31]);
});

test("cvta of an address that is generic already is an illegal address, and the message says so", async (t) => {
  const twice = (space: string, from: string): string => `.shared .b32 s; .local .b32 l; .reg .b64 %g; .reg .b32 %v;
    st.shared.u32 [s], 1; st.local.u32 [l], 1; ${from} cvta.${space}.u64 %g, %g; ld.u32 %v, [%g];`;
  const shared = "cvta.shared.u64 %g, s;";
  const local = "mov.u64 %g, l; cvta.local.u64 %g, %g;";
  for (const [space, from, says] of [
    ["shared", shared, /cvta\.shared was applied to an address that was already generic \(in shared memory\)/],
    ["local", local, /cvta\.local was .*already generic \(in local memory\)/],
    ["local", shared, /cvta\.(shared|local) was .*already generic \(in (shared|local) memory\)/],
    ["shared", "mov.u64 %g, %out;", /cvta\.shared was .*already generic \(in global memory\)/],
  ] as const)
    for (const fault of await faultsOf(twice(space, from))) {
      t.is(fault?.kind, "illegal-address");
      t.regex(fault!.message, says);
    }
});

test("isspacep knows the sizes of windows, and is false for an address without a high word", async (t) => {
  const spaces = ["shared", "shared::cluster", "local", "global", "param", "const"];
  const asked = spaces
    .map((space, i) => `isspacep.${space} %p, %g; selp.u32 %w, ${2 ** i}, 0, %p; or.b32 %v, %v, %w;`)
    .join(" ");
  const of = (make: string): string =>
    `{ ${make} mov.u32 %v, 0; ${asked} st.global.u32 [%at], %v; add.u64 %at, %at, 4; }`;
  const base = (space: string, add: number): string =>
    `mov.u64 %g, 0; cvta.${space}.u64 %g, %g; add.u64 %g, %g, ${add};`;
  const body = [
    base("shared", 0),
    base("shared", 0xffffff),
    base("shared", 0x1000000),
    base("local", 0xffffff),
    base("local", 0x1000000),
    "mov.u64 %g, 0;",
    "mov.u64 %g, 16;",
    "mov.u64 %g, out; cvta.param.u64 %g, %g;",
    "mov.u64 %g, c; cvta.const.u64 %g, %g;",
    "mov.u64 %g, %out;",
  ];
  const text = `.reg .b64 %g; .reg .b32 %v, %w; .reg .pred %p; mov.u64 %at, %out; ${body.map(of).join("\n")}`;
  for (const found of await onEngines(text, body.length, { block: 1, before: ".const .u32 c = 1;" }))
    t.deepEqual(found, [3, 3, 2, 4, 8, 0, 0, 8 + 16, 32, 8]);
});

test("%total_smem_size is rounded up, without the system's memory; %reserved_smem_offset_* is the first KiB", async (t) => {
  const registers = [
    ...["total_smem_size", "dynamic_smem_size", "aggr_smem_size"],
    ...["reserved_smem_offset_begin", "reserved_smem_offset_end", "reserved_smem_offset_cap"],
  ];
  const reads = registers.map((name, i) => `mov.u32 %v, %${name}; st.global.u32 [%at+${4 * i}], %v;`).join(" ");
  const body = `.shared .b8 s[8]; .reg .b32 %v; st.shared.u8 [s], 1; mov.u32 %v, dynamic; ${reads}`;
  const shape = { block: 1, sharedBytes: 2000, before: ".extern .shared .b8 dynamic[];" };
  for (const found of await onEngines(body, 6, shape)) t.deepEqual(found, [2048, 2000, 3072, 0, 1024, 1024]);
});
