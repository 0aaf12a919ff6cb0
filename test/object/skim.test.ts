// Skimming encoded functions gives the same as decoding them, for code with names and without, and never fails on any
// bytes. A sample has one in 10 of testdata's programs.

import test, { type ExecutionContext } from "ava";
import type { Code, FrameVariable } from "../../lib/isa/code.js";
import { assemble } from "../../lib/object/assemble.js";
import { decodeFunction } from "../../lib/object/code/decode.js";
import { encodeFunction } from "../../lib/object/code/encode.js";
import { alignUp } from "../../lib/object/place.js";
import { referencesOf } from "../../lib/object/code/references.js";
import { frameBytes, slotLines } from "../../lib/object/code/skim.js";
import { sample } from "../sample.js";
import { corners } from "./corners.js";
import { check, checkFile, nameInTestdata, ptxFiles } from "./pipeline.js";
import { richCode } from "./samples.js";

type Lines = readonly (readonly [offset: number, lines: readonly number[]])[];

const sorted = (lines: Iterable<readonly [number, readonly number[]]>): Lines => [...lines].sort(([a], [b]) => a - b);

/** Lines of each slot, and bytes of the frame, from the decoded function. */
function decoded(bytes: Uint8Array): { readonly lines: Lines; readonly frame: number } {
  const result = decodeFunction(bytes);
  if (!result.ok) throw new Error(result.error.what);
  const { code, slots } = result.value;
  const lines = new Map<number, number[]>();
  for (const instruction of code.instructions)
    for (const slot of referencesOf({ callTargets: [], instructions: [instruction] }).all) {
      const known = lines.get(slots[slot]!.offset) ?? [];
      if (instruction.line !== 0 && known.at(-1) !== instruction.line) known.push(instruction.line);
      if (known.length > 0) lines.set(slots[slot]!.offset, known);
    }
  const isOwn = ({ kind }: FrameVariable): boolean => kind === "local" || kind === "param";
  const frame = code.variables
    .filter(isOwn)
    .reduce((end, { layout: { align, size } }) => alignUp(end, align) + size, 0);
  return { lines: sorted(lines), frame };
}

/** The number of lines with slots. */
function agree(t: ExecutionContext, bytes: Uint8Array, what: string): number {
  const { lines, frame } = decoded(bytes);
  t.deepEqual(sorted(slotLines(bytes)), lines, what);
  t.is(frameBytes(bytes), frame, what);
  return lines.reduce((count, [, own]) => count + own.length, 0);
}

const rich = (names: boolean, of: Code = richCode([0, 1, 2])): Uint8Array =>
  encodeFunction(of, (s) => (["global", "const", "function"] as const)[s]!, { names }).bytes;

/** A list of callees, and a register of the module, which only old modules have. */
const rare = [
  `.version 8.5
.target sm_80
.address_size 64
.func a(.param .u32 x) { ret; }
.func b(.param .u32 x) { ret; }
.entry k() { .reg .u64 %f; .reg .u32 %i; list: .calltargets a, b; mov.u64 %f, a; call %f, (%i), list; ret; }`,
  `.version 2.3
.target sm_20
.address_size 64
.reg .u32 %shared;
.global .u32 g[4];
.func a() { .local .align 8 .b8 l[20]; .local .u32 m; mov.u32 %shared, 1; st.global.u32 [g+4], %shared; ret; }
.entry k() { call a; ret; }`,
];

test("programs, and code with everything rare", (t) => {
  let count = 0;
  for (const names of [true, false]) {
    count += agree(t, rich(names), "rich");
    for (const file of sample(ptxFiles(), 10, { name: nameInTestdata }))
      for (const { role, data } of assemble(checkFile(file), { names }).sections)
        if (role.kind === "text") count += agree(t, data!, file);
    for (const text of [corners, ...rare])
      for (const { role, data } of assemble(check(text), { names }).sections)
        if (role.kind === "text") count += agree(t, data!, text);
  }
  t.true(count > 50, `${count} lines`);
});

test("truncated and changed bytes have no lines or some, and never throw", (t) => {
  const bytes = rich(true);
  for (let end = 0; end < bytes.length; end++) {
    t.notThrows(() => [slotLines(bytes.subarray(0, end)), frameBytes(bytes.subarray(0, end))]);
    const changed = bytes.slice();
    changed[end]! ^= 0xff;
    t.notThrows(() => [slotLines(changed), frameBytes(changed)]);
  }
  t.is(slotLines(bytes.subarray(0, bytes.length - 8)).size, 0);
});
