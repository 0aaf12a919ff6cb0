// 32-bit addresses at run time: windows and conversions, registers of either width, and unavailable features. Both
// engines agree.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { LaunchResult } from "../../lib/exec/state/result.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../lib/link/link-objects.js";

const head = ".version 8.5\n.target sm_80\n.address_size 32\n";

interface Outcome {
  readonly words: readonly number[];
  readonly result: LaunchResult;
}

/** Runs kernel k(out) with 32 threads on both engines, and returns the words that it leaves. */
async function run(t: { deepEqual(a: unknown, b: unknown): unknown }, body: string, before = ""): Promise<Outcome> {
  const text = `${head}${before}
.visible .entry k(.param .u32 out) { .reg .b32 %r<20>, %out, %lane; .reg .b64 %d<8>; .reg .pred %p, %q; .shared .align 4 .b8 s[512]; .local .align 4 .b8 l[64];
ld.param.u32 %out, [out]; mov.u32 %lane, %laneid; mad.lo.u32 %out, %lane, 4, %out;\n${body}\nret; }`;
  const sink = createSink();
  const input = assembleInput({ name: "k.ptx", bytes: Buffer.from(text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  const outcomes: Outcome[] = [];
  for (const engine of ["reference", "fast"] as const) {
    const device = openDevice(image, { hotAfter: 0 });
    const buffer = device.alloc(new Uint32Array(32));
    const result = await device.launch("k", { grid: 1, block: 32, args: [buffer], engine });
    outcomes.push({ words: [...device.read(buffer, new Uint32Array(32))], result });
  }
  const [reference, fast] = outcomes;
  t.deepEqual(fast, reference);
  return reference!;
}

const variables = ".global .u32 g = 11; .const .u32 c = 22;";
const places = {
  global: "mov.u32 %r1, g;",
  const: "mov.u32 %r1, c;",
  shared: "mov.u32 %r1, s; st.shared.u32 [s], 33;",
  local: "mov.u32 %r1, l; st.local.u32 [l], 44;",
} as const;

test("cvta makes a generic address of any space's, cvta.to takes it back, and isspacep knows it", async (t) => {
  const values = { global: 11, const: 22, shared: 33, local: 44 } as const;
  const spaces = Object.keys(values) as (keyof typeof values)[];
  for (const space of spaces)
    for (const wide of [false, true]) {
      const convert = wide
        ? `cvt.u64.u32 %d1, %r1; cvta.${space}.u64 %d2, %d1; cvta.to.${space}.u64 %d3, %d2; cvt.u32.u64 %r2, %d2; cvt.u32.u64 %r3, %d3;`
        : `cvta.${space}.u32 %r2, %r1; cvta.to.${space}.u32 %r3, %r2;`;
      const asked = spaces.map(
        (each, i) => `isspacep.${each} %p, ${wide ? "%d2" : "%r2"}; @%p or.b32 %r5, %r5, ${1 << (8 + i)};`,
      );
      const body = `${places[space]} bar.sync 0; ${convert} ld.u32 %r4, [%r2]; mov.u32 %r5, 0; ${asked.join(" ")}
        setp.eq.u32 %q, %r1, %r3; selp.u32 %r4, %r4, 0, %q; or.b32 %r4, %r4, %r5; st.global.u32 [%out], %r4;`;
      const { words } = await run(t, body, variables);
      t.deepEqual(new Set(words), new Set([values[space] | (1 << (8 + spaces.indexOf(space)))]), `${space} ${wide}`);
    }
});

test("lanes that point to several spaces each access their own", async (t) => {
  const { words } = await run(
    t,
    `mov.u32 %r1, s; mad.lo.u32 %r1, %lane, 4, %r1; st.shared.u32 [%r1], %lane; cvta.shared.u32 %r1, %r1;
     mov.u32 %r2, l; add.u32 %r2, %r2, 8; st.local.u32 [%r2], 200; cvta.local.u32 %r2, %r2; mov.u32 %r3, g;
     and.b32 %r4, %lane, 3; setp.eq.u32 %p, %r4, 1; selp.b32 %r1, %r2, %r1, %p; setp.eq.u32 %p, %r4, 2; selp.b32 %r1, %r3, %r1, %p;
     ld.u32 %r5, [%r1]; add.u32 %r5, %r5, 1; setp.ne.u32 %p, %r4, 2; @%p st.u32 [%r1], %r5; @%p ld.u32 %r5, [%r1]; atom.add.u32 %r6, [%r1], 0;
     setp.eq.u32 %p, %r4, 2; selp.b32 %r5, %r6, %r5, %p; st.u32 [%out], %r5;`,
    variables,
  );
  t.deepEqual(
    words,
    words.map((_, lane) => [lane + 1, 201, 11, lane + 1][lane % 4]!),
  );
});

test("an address in 64 bits is truncated, and a 32-bit one wraps", async (t) => {
  const { words } = await run(
    t,
    `cvt.u64.u32 %d1, %out; or.b64 %d1, %d1, 0x7700000000; mad.lo.u32 %r1, %lane, 3, 5; st.global.u32 [%d1], %r1;
     ld.u32 %r2, [%d1]; sub.u32 %r3, %out, 0x10000000; add.u32 %r2, %r2, 1; st.global.u32 [%r3+0x10000000], %r2;`,
  );
  t.deepEqual(
    words,
    words.map((_, lane) => 3 * lane + 6),
  );
});

test("an access outside of memory is a fault with its address", async (t) => {
  const faults = [
    ["mov.u32 %r1, 0; ld.global.u32 %r2, [%r1];", /4-byte read at 0x0, which is a null pointer/],
    ["mov.u32 %r1, 0xffffffff; ld.u8 %r2, [%r1];", /at 0xffffffff/],
    ["add.u32 %r1, %out, 4096; st.u32 [%r1], 0;", /4-byte write at 0x1[0-9a-f]{7}, \d+ bytes after /],
    ["mov.u32 %r1, s; cvta.shared.u32 %r1, %r1; ld.u32 %r2, [%r1+65536];", /of shared memory, which has/],
    ["add.u32 %r1, %out, 2; ld.global.u32 %r2, [%r1];", /not a multiple of 4/],
  ] as const;
  for (const [body, message] of faults) {
    const { result } = await run(t, body);
    t.regex(result.fault?.message ?? "", message, body);
  }
});
