// The fourth recording: every mma and wmma on registers of any bits, which no load made. Fragments that are held twice differ
// between their copies here, so that it shows which one is read.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { deviceOfModule } from "../../exec/kernel.js";
import { type Engine, type Tally } from "./runner.js";

export interface RawEntry {
  /** Instruction with its registers %r0 to %r31, D first. */
  readonly text: string;
  /** A hash of each register of D over all threads. */
  readonly hashes: readonly string[];
}

export interface RawRecords {
  /** Words of the registers: [thread][register]. */
  readonly input: Uint32Array;
  readonly entries: readonly RawEntry[];
}

const REGISTERS = 32;
const WARPS = 2;
const THREADS = 32 * WARPS;

/** Nothing where the folder has no such recording. */
export function readRaw(folder: string): RawRecords {
  const file = path.join(folder, "raw-fragments.json");
  if (!existsSync(file)) return { input: new Uint32Array(), entries: [] };
  const { input, entries } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly input: string;
    readonly entries: readonly (readonly [text: string, hashes: string])[];
  };
  return {
    input: new Uint32Array(Uint8Array.from(Buffer.from(input, "base64")).buffer),
    entries: entries.map(([text, hashes]) => ({ text, hashes: hashes.split(" ") })),
  };
}

const everyRegister = (line: (register: number) => string): string =>
  Array.from({ length: REGISTERS }, (_, i) => line(i)).join("\n");

const moduleOf = (instruction: string): string => `.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b32 %r<${REGISTERS}>, %t, %c; .reg .b64 %i, %o;
  mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %t, %c, 32, %t;
  ld.param.u64 %i, [in]; mad.wide.u32 %i, %t, ${4 * REGISTERS}, %i;
  ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, ${4 * REGISTERS}, %o;
${everyRegister((i) => `  ld.global.b32 %r${i}, [%i+${4 * i}];`)}
  ${instruction};
${everyRegister((i) => `  st.global.b32 [%o+${4 * i}], %r${i};`)}
  ret;
}`;

export async function runRaw(
  { input }: RawRecords,
  { text, hashes }: RawEntry,
  engines: readonly Engine[],
): Promise<Tally> {
  const tally: Tally = { compared: 0, equal: 0 };
  const device = deviceOfModule(moduleOf(text));
  const out = device.alloc(4 * THREADS * REGISTERS);
  const words = device.alloc(4 * input.length);
  device.write(words, input);
  for (const engine of engines) {
    const { fault } = await device.launch("k", { grid: [WARPS, 1, 1], block: [32, 1, 1], args: [out, words], engine });
    const results = device.read(out, new Uint32Array(THREADS * REGISTERS));
    const made = hashes.map((_, register) => {
      let hash = 0x811c9dc5;
      for (let thread = 0; thread < THREADS; thread++)
        hash = Math.imul(hash ^ results[REGISTERS * thread + register]!, 0x9e3779b1) >>> 0;
      return hash.toString(16);
    });
    const wrong = made.findIndex((hash, register) => hash !== hashes[register]);
    tally.compared++;
    if (fault === undefined && wrong < 0) tally.equal++;
    else tally.difference ??= fault?.message ?? `register ${wrong} of D on the ${engine} engine`;
  }
  return tally;
}
