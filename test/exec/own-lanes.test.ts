// A .sync instruction executed by a lane that its mask excludes is a fault in both engines; the sanitizer reports it
// and continues.

import test from "ava";
import { deviceOf, runBody } from "./kernel.js";

const instructions: readonly string[] = [
  "shfl.sync.idx.b32 %v, %t, 3, 31, MASK;",
  "vote.sync.ballot.b32 %v, %p, MASK;",
  "match.any.sync.b32 %v, %t, MASK;",
  "redux.sync.add.u32 %v, %t, MASK;",
  "elect.sync %v|%p, MASK;",
  "bar.warp.sync MASK;",
];
const registers = ".reg .b32 %v, %m; .reg .pred %p, %odd; setp.ne.u32 %p, %t, 0;";
const engines = ["fast", "reference"] as const;

/** Masks: a constant, a computed one, and one in a branch that the lane should not have taken. */
const ways: readonly (readonly [code: (text: string) => string, lane: number])[] = [
  [(text) => text.replace("MASK", "0xfffffffd"), 1],
  [(text) => `shl.b32 %m, 1, %t; not.b32 %m, %m; ${text.replace("MASK", "%m")}`, 0],
  [(text) => `@%p bra L; bra E; L: ${text.replace("MASK", "0x0000ffff")} E:`, 16],
];

for (const text of instructions)
  test(`${text.split(" ", 1)[0]} with a mask that lacks its own lane`, async (t) => {
    const [name] = text.split(" ");
    for (const [i, [code, lane]] of ways.entries())
      for (const engine of i === 0 ? engines : (["fast"] as const)) {
        const { result } = await runBody(`${registers} ${code(text)}`, { engine });
        t.is(result.fault?.kind, "trap");
        t.regex(
          result.fault?.message ?? "",
          new RegExp(`^lane ${lane} executes ${name} with the mask .* does not include it$`),
        );
        t.deepEqual(result.fault?.thread, [lane, 0, 0]);
      }
    const device = deviceOf(`.entry k() { .reg .b32 %t; mov.u32 %t, %tid.x; ${registers} ${ways[0]![0](text)} ret; }`);
    const { fault, findings = [] } = await device.launch("k", { grid: 1, block: 32, args: [], sanitize: true });
    t.is(fault, undefined);
    t.deepEqual(
      findings.map(({ kind }) => kind),
      ["warp-mask"],
    );
  });

test("lanes whose guard is false, and those that a small block lacks, need not be in a mask", async (t) => {
  for (const engine of engines) {
    const guarded = await runBody(`${registers} @%p shfl.sync.idx.b32 %v, %t, 3, 31, 0xfffffffe;`, { engine });
    t.is(guarded.result.fault, undefined);
    const small = await runBody(`${registers} shfl.sync.idx.b32 %v, %t, 3, 31, 0xffffffff;`, { engine, block: 7 });
    t.is(small.result.fault, undefined);
  }
});
