// Helpers for tests of rows that are not arithmetic: random bytes, kernels with an input and an output, and the rows of
// a chapter by id.

import test from "ava";
import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import { sample } from "../../sample.js";
import { brokenLimit } from "../../../lib/isa/conditions.js";
import { formOf, makeOpcode, modifier, type Opcode } from "../../../lib/isa/opcode.js";
import { platformFor, randomFrom, seedOf } from "../../oracle/isa/choices.js";
import { deviceOfModule } from "../kernel.js";
import { combinationsOf } from "./cases.js";

/** Random bytes, the same on every run. */
export function randomBytes(count: number, seed: number): Uint8Array {
  let state = seed >>> 0;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

const MAX_DRAWS = 400;

/**
 * Opcodes of a row: for every allowed combination of the slots named `essential` (all slots by default) `each` opcodes,
 * with random choices for the other slots.
 */
export function opcodesOf(id: string, essential?: readonly string[], each = 2): readonly Opcode[] {
  const form = formOf(id)!;
  if (essential === undefined) return combinationsOf(form).map((chosen) => makeOpcode(form, chosen));
  const random = randomFrom(seedOf(id));
  const isEssential = (name: string | undefined): boolean => name !== undefined && essential.includes(name);
  const wanted = form.slots
    .filter(({ name }) => isEssential(name))
    .reduce<readonly (readonly (string | undefined)[])[]>(
      (all, { choices, optional }) =>
        all.flatMap((chosen) => [
          ...(optional ? [[...chosen, undefined]] : []),
          ...choices.map(({ text }) => [...chosen, text]),
        ]),
      [[]],
    );
  return wanted.flatMap((fixed) => {
    const found = new Map<string, Opcode>();
    for (let draw = 0; draw < MAX_DRAWS && found.size < each; draw++) {
      let next = 0;
      // Half of the tries mostly omit optional modifiers, because some combinations are rare.
      const sparse = draw % 2 === 0;
      const chosen = form.slots.map(({ name, choices, optional }) => {
        if (isEssential(name)) return fixed[next++];
        if (optional && random(sparse ? 8 : 2) !== 0) return undefined;
        return choices[random(choices.length)]!.text;
      });
      if (brokenLimit(form, chosen) !== undefined) continue;
      const opcode = makeOpcode(form, chosen);
      if (platformFor(opcode.needs) !== undefined) found.set(opcode.spelling, opcode);
    }
    return [...found.values()];
  });
}

/** Opcodes with their numbers; a sample has one in `every` of each space. */
export const turnsOf = (opcodes: readonly Opcode[], every: number): readonly (readonly [turn: number, Opcode])[] =>
  sample([...opcodes.entries()], every, {
    name: ([, { spelling }]) => spelling,
    kind: ([, opcode]) => modifier(opcode, "ss") ?? modifier(opcode, "space") ?? "",
  });

/** Whether the newest modules have it; testdata/programs/old-* has the older spellings. */
export const isCurrent = (opcode: Opcode): boolean => Number(platformFor(opcode.needs)?.version ?? 0) >= 9;

export interface KernelText {
  /** At module scope. */
  readonly before?: string;
  /** Has %in, %out (64 bits) and %t, the thread. */
  readonly body: string;
  readonly target?: string;
  readonly version?: string;
}

/** Runs a kernel on `input`, on both engines, and returns the first `count` bytes that it wrote to %out. */
export async function outputOf(
  { before = "", body, target = "sm_100a", version = "9.4" }: KernelText,
  input: Uint8Array,
  count: number,
  launch: Partial<DeviceLaunch> = {},
): Promise<Uint8Array> {
  const device = deviceOfModule(
    `.version ${version}\n.target ${target}\n.address_size 64
${before}
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .b64 %in, %out; .reg .b32 %t;
  ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;
  ${body}
  ret;
}`,
    { hotAfter: 0 },
  );
  const source = device.alloc(input);
  const answers: { readonly bytes: Uint8Array; readonly stopped: string | undefined }[] = [];
  for (const engine of ["reference", "fast"] as const) {
    const out = device.alloc(Math.max(count, 8));
    const options = { grid: 1, block: 32, args: [source, out], maxInstructions: 1_000_000, ...launch, engine };
    const { fault } = await device.launch("k", options);
    // The message is not compared: it names the nearest allocation, and the second engine has one more.
    const stopped = fault && `${fault.kind}: thread ${fault.thread?.join()}, line ${fault.line}`;
    answers.push({ bytes: device.read(out, new Uint8Array(count)), stopped });
  }
  const [reference, fast] = answers;
  if (reference!.stopped !== fast!.stopped)
    throw new Error(`the engines differ: ${reference!.stopped}; ${fast!.stopped}: ${body}`);
  if (reference!.stopped !== undefined) throw new Error(reference!.stopped);
  if (Buffer.compare(reference!.bytes, fast!.bytes) !== 0) throw new Error(`the engines differ: ${body}`);
  return reference!.bytes;
}

/** Declares the last test of a suite: all of its rows were tested. */
export function holdForms(forms: readonly string[], tested: ReadonlySet<string>): void {
  test.after("every row of the suite is tested", (t) => {
    t.deepEqual(
      forms.filter((id) => !tested.has(id)),
      [],
    );
  });
}
