// An observer gets the same events whether the interpreter executes a block or generated code logs it: each warp
// instruction with its lanes, the lanes whose guard is true, and addresses.

import test from "ava";
import { atOnce } from "../../../lib/base/steps.js";
import { openDevice } from "../../../lib/exec/device/device.js";
import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import type { Launch } from "../../../lib/exec/launch/launch.js";
import type { IssueObserver } from "../../../lib/exec/state/observer.js";
import { sample } from "../../sample.js";
import { linkPtx } from "../random/host.js";
import { randomKernel } from "../random/kernel.js";
import { readRows } from "../random/rows.js";
import { dataOf, outputBytes } from "../random/shape.js";
import { ptxOf } from "../random/tree.js";
import { imageOf, words } from "./both.js";

type Image = ReturnType<typeof imageOf>;
type Shape = Pick<DeviceLaunch, "grid" | "block">;

/** Issues of all blocks as text, and the launch's counts. */
interface Told {
  readonly issues: readonly string[];
  readonly counts: string;
}

/** An observer that writes its events down. */
function writer(issues: string[], block: number): IssueObserver {
  return {
    issue(warp, fn, pc, mask, active, access) {
      const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => ((active >>> lane) & 1) !== 0);
      // Some lanes of matrix instructions have no address.
      const isPartial = /matrix|tcgen05|wgmma/.test(fn.code.instructions[pc]?.opcode.spelling ?? "");
      const addresses = access && !isPartial && lanes.map((lane) => access.addresses[lane]).join(" ");
      const accessed = access && `${access.space} ${access.bytes}: ${addresses}`;
      issues.push(`${block}/${warp} ${fn.name}+${pc} ${mask} ${active} ${accessed ?? ""}`);
    },
  };
}

async function told(
  image: Image,
  engine: EngineName,
  shape: Shape,
  argsOf: (device: ReturnType<typeof openDevice>) => DeviceLaunch["args"],
): Promise<Told> {
  const issues: string[] = [];
  const time = (launch: Launch): { readonly cycles: number; readonly microseconds: number } => {
    for (let block = 0; block < launch.blocks; block++) atOnce(launch.runBlock(block, (b) => writer(issues, b)));
    return { cycles: 0, microseconds: 0 };
  };
  const device = openDevice(image, { hotAfter: 0, time });
  const { warpInstructions, threadInstructions, fault } = await device.launch("k", {
    ...shape,
    args: argsOf(device) ?? [],
    engine,
    maxInstructions: 2_000_000,
  });
  return { issues, counts: JSON.stringify({ warpInstructions, threadInstructions, fault }) };
}

const body = (text: string): string => `
.extern .func free (.param .b64 pointer);
.visible .global .align 8 .b8 table[256];
.const .align 8 .b8 constants[64] = {1, 2, 3};
.func (.param .b32 result) twice(.param .b32 value) {
  .reg .b32 %v; .reg .pred %odd; ld.param.b32 %v, [value]; and.b32 %v, %v, 1; setp.ne.u32 %odd, %v, 0;
  @%odd add.u32 %v, %v, %v; add.u32 %v, %v, 7; st.param.b32 [result], %v; ret;
}
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %far, %pair; .reg .b32 %n, %lane, %x, %y, %z; .reg .pred %more, %p, %q; .reg .f32 %f, %g;
  .shared .align 16 .b8 tile[1024]; .local .align 8 .b8 own[32];
  ld.param.u64 %base, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %at, %lane, 4, %base; mov.u32 %n, 0; mov.u32 %x, 1;
again:
  ${text}
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 9; @%more bra again;
  ret;
}`;

const bodies: Readonly<Record<string, string>> = {
  "loads and stores of global memory": `
    ld.global.u32 %x, [%at]; add.u32 %x, %x, %n; st.global.u32 [%at], %x; ld.global.v2.u32 {%y, %z}, [%base+8];
    mad.wide.u32 %far, %y, 0, %at; ld.global.u8 %x, [%far+3]; st.global.u16 [%far+130], %x;`,
  guards: `
    and.b32 %y, %lane, %n; setp.eq.u32 %p, %y, 0; setp.gt.u32 %q, %n, 20; @%p ld.global.u32 %x, [%at];
    @!%p add.u32 %x, %x, 1; @%q st.global.u32 [%at], %x; @!%q mul.lo.u32 %x, %x, 3; @%p st.global.u32 [%at+128], %x;`,
  "branches that part lanes": `
    and.b32 %y, %lane, 3; setp.eq.u32 %p, %y, 1; @%p bra other; add.u32 %x, %x, 1; ld.global.u32 %y, [%at]; setp.gt.u32 %q, %lane, 20;
    @%q bra join; st.global.u32 [%at], %x; bra join; other: mul.lo.u32 %x, %x, 5; st.global.u32 [%at+4], %x; join: add.u32 %x, %x, 2;`,
  "shared memory and barriers": `
    mov.u32 %y, tile; mad.lo.u32 %z, %lane, 4, %y; st.shared.u32 [%z], %n; bar.sync 0; xor.b32 %z, %z, 64;
    ld.shared.u32 %x, [%z+4]; ld.shared.v4.u32 {%x, %x, %y, %x}, [tile+16]; bar.sync 0;`,
  "generic addresses": `
    mov.u64 %far, tile; cvta.shared.u64 %far, %far; mad.wide.u32 %far, %lane, 4, %far; st.u32 [%far], %n; ld.u32 %x, [%at]; st.u32 [%at], %x;
    mov.u64 %far, own; cvta.local.u64 %far, %far; st.u32 [%far+4], %n; setp.lt.u32 %p, %n, 4; selp.u64 %far, %far, %at, %p; ld.u32 %x, [%far];`,
  "local memory, constants and variables of the module": `
    st.local.u32 [own+8], %n; ld.local.u32 %x, [own+8]; ld.const.u8 %y, [constants+1]; mov.u64 %far, table; ld.global.u32 %z, [%far+8];
    st.global.u32 [table+16], %x; and.b32 %y, %lane, 7; cvt.u64.u32 %pair, %y; add.u64 %far, %far, %pair; ld.global.u8 %x, [%far];`,
  "atomics, fences and exchanges": `
    atom.global.add.u32 %x, [%base], %n; red.global.max.u32 [%at], %x; membar.gl; shfl.sync.bfly.b32 %y, %x, 1, 31, -1;
    vote.sync.ballot.b32 %z, %more, -1; atom.shared.add.u32 %x, [tile], 1; bar.warp.sync -1;`,
  calls: `
    { .param .b32 out; .param .b32 in; st.param.b32 [in], %lane; call (out), twice, (in); ld.param.b32 %x, [out]; }
    setp.lt.u32 %p, %lane, 5; @!%p bra skip;
    { .param .b32 out; .param .b32 in; st.param.b32 [in], %x; call (out), twice, (in); ld.param.b32 %y, [out]; }
    skip: add.u32 %x, %x, %y;`,
  "a call that faults, in one lane": `
    setp.eq.u32 %p, %lane, 20; setp.eq.and.u32 %q, %n, 5, %p; add.s64 %far, %base, 4;
    { .param .b64 pointer; st.param.b64 [pointer], %far; @%q call free, (pointer); }`,
  "lanes that leave early": `
    setp.eq.u32 %p, %n, %lane; @%p ret; st.global.u32 [%at], %n;`,
  "a guard that its own instruction writes": `
    setp.lt.u32 %p, %n, 4; @%p setp.gt.u32 %p, %lane, 11; @%p add.u32 %x, %x, 1; st.global.u32 [%at], %x;`,
  "a load far away, in one lane": `
    mul.lo.u32 %y, %n, %lane; st.global.u32 [%at], %y; setp.eq.u32 %p, %y, 120; mov.u64 %far, %at; @%p add.s64 %far, %at, 100000;
    @!%q ld.global.u32 %x, [%far]; st.global.u32 [%at+128], %x;`,
  "a store that is misaligned in the upper lanes, after guarded instructions": `
    setp.gt.u32 %p, %lane, 19; setp.eq.and.u32 %q, %n, 5, %p; mov.u64 %far, %at; @%q add.u64 %far, %far, 2; @%p add.u32 %x, %x, 1;
    @!%q ld.global.u32 %y, [%at]; st.global.u32 [%far], %x;`,
};

for (const [name, text] of Object.entries(bodies))
  test(`observers see the same events: ${name}`, async (t) => {
    const image = imageOf(body(text));
    const next = words(7);
    const input = Uint32Array.from({ length: 1024 }, () => next() & 0xff);
    const run = (engine: EngineName): Promise<Told> =>
      told(image, engine, { grid: 3, block: 80 }, (device) => [device.alloc(new Uint8Array(input.buffer))]);
    const [fast, reference] = [await run("fast"), await run("reference")];
    t.deepEqual(fast, reference);
    t.true(fast.issues.length > 20);
  });

test("observers see the same events of a warp that issues more than a log holds", async (t) => {
  const image = imageOf(
    body("")
      .replace("%n, 9", "%n, 9000")
      .replace("again:", "again: ld.global.u32 %x, [%at]; ld.global.u32 %y, [%at+4];"),
  );
  const run = (engine: EngineName): Promise<Told> =>
    told(image, engine, { grid: 1, block: 32 }, (device) => [device.alloc(4096)]);
  const [fast, reference] = [await run("fast"), await run("reference")];
  t.true(fast.issues.length > 40_000);
  t.true(fast.issues.every((issue, i) => issue === reference.issues[i]));
  t.is(fast.counts, reference.counts);
});

test("observers see the same events of random kernels", async (t) => {
  for (const seed of sample([1001, 1003, 1005, 1006, 1008, 1010, 1013, 1014], 4)) {
    const kernel = randomKernel(seed, readRows());
    const image = linkPtx(ptxOf(kernel));
    if (typeof image === "string") throw new Error(image);
    const { input, counters, slices, blob } = dataOf(kernel);
    const { grid, block } = kernel;
    const run = (engine: EngineName): Promise<Told> =>
      told(image, engine, { grid, block }, (device) => {
        device.write(device.symbol("in"), input);
        device.write(device.symbol("counters"), counters);
        return [device.alloc(outputBytes(kernel)), device.alloc(slices), blob];
      });
    const [fast, reference] = [await run("fast"), await run("reference")];
    t.is(fast.counts, reference.counts, `seed ${seed}`);
    t.is(
      fast.issues.find((issue, i) => issue !== reference.issues[i]),
      undefined,
      `seed ${seed}`,
    );
    t.is(fast.issues.length, reference.issues.length, `seed ${seed}`);
  }
});
