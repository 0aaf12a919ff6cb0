// Rewrites instructions of older modules with today's modifiers: the "PTX ISA notes" of PTX ISA 9.0 section 9.7.3 (defaults that
// ended with PTX 1.4 and 3.2) and its "subnormal numbers" (targets before sm_20 flush them). Each rule was compared with ptxas
// 13.0, which makes the same machine code from both spellings (docs/versions.md).
//
// The object keeps the original text; the loader and the printer for a later version use this file. The engines thus have one
// meaning per spelling, and no versions. Rejected: meanings that depend on the module's version (two of everything), and
// respelling in the checker (the object's text would no longer be the author's, nor valid for its own version).

import type { Code } from "./code.js";
import { brokenLimit } from "./conditions.js";
import { slotNamed, type Form } from "./form.js";
import { makeOpcode, type Opcode } from "./opcode.js";
import type { PtxVersion } from "./targets.table.js";
import { dataType } from "./types.table.js";
import type { Target } from "./requirement.js";

/** The implied choice of a slot that an older module omits, by form. */
const defaults: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  "div.approx": { approx: "approx" },
  "rcp.approx": { approx: "approx" },
  "sqrt.approx": { approx: "approx" },
  "rsqrt.approx": { approx: "approx" },
  "rsqrt.approx.f64": { approx: "approx" },
  "sin.approx": { approx: "approx" },
  "cos.approx": { approx: "approx" },
  "lg2.approx": { approx: "approx" },
  "ex2.approx": { approx: "approx" },
  "div.f64": { rnd: "rn" },
  "rcp.f64": { rnd: "rn" },
  "sqrt.f64": { rnd: "rn" },
  "mad.f32": { rnd: "rn" },
  "mad.f64": { rnd: "rn" },
};

/** Double precision keeps subnormal numbers on every target; .ftz of this form is another approximation (section 9.7.3.17). */
const neverFlushed = "rsqrt.approx.f64";
/** First target that keeps subnormal numbers. */
const firstWithSubnormals = 20;
/** Last version in which cvt does not flush if either type has 64 bits. */
const lastNarrowFlush = 14;

/** Respells an opcode; returns the same opcode if nothing must be added. */
export type Dialect = (opcode: Opcode) => Opcode;

// Memoizes a pure function with few arguments: whether cvt flushes (version), and whether anything does (target).
const dialects = new Map<string, Dialect>();

/** The dialect of modules with that version and target; undefined if spellings have today's meaning. */
export function dialectOf(version: PtxVersion, target: Target): Dialect | undefined {
  const flushes = target.sm < firstWithSubnormals;
  // mad.f32 was the last form to lose its default.
  if (!flushes && version > 31) return undefined;
  const key = `${flushes} ${version <= lastNarrowFlush}`;
  let dialect = dialects.get(key);
  if (dialect === undefined) {
    const memo = new Map<Opcode, Opcode>();
    dialect = (opcode) => {
      let respelled = memo.get(opcode);
      if (respelled === undefined) memo.set(opcode, (respelled = respell(opcode, flushes, version <= lastNarrowFlush)));
      return respelled;
    };
    dialects.set(key, dialect);
  }
  return dialect;
}

/** The code of a module in that dialect, with today's spellings. */
export function inDialect(code: Code, dialect: Dialect | undefined): Code {
  if (dialect === undefined) return code;
  const instructions = code.instructions.map((instruction) => {
    const opcode = dialect(instruction.opcode);
    return opcode === instruction.opcode ? instruction : { ...instruction, opcode };
  });
  return { ...code, instructions };
}

function respell(opcode: Opcode, flushes: boolean, narrowly: boolean): Opcode {
  const { form } = opcode;
  const chosen = [...opcode.chosen];
  const add = (slot: number, text: string): void => {
    if (slot >= 0) chosen[slot] ??= text;
  };
  for (const [name, text] of Object.entries(defaults[form.id] ?? {})) add(slotOf(form, name), text);
  const flush = slotOf(form, "ftz");
  if (
    flushes &&
    flush >= 0 &&
    form.id !== neverFlushed &&
    !(narrowly && form.opcode === "cvt" && hasWideType(chosen))
  ) {
    const before = chosen[flush];
    chosen[flush] = "ftz";
    // The table has the types for which .ftz is valid.
    if (brokenLimit(form, chosen) !== undefined) chosen[flush] = before;
  }
  return chosen.every((text, i) => text === opcode.chosen[i]) ? opcode : makeOpcode(form, chosen);
}

const hasWideType = (chosen: Opcode["chosen"]): boolean =>
  chosen.some((text) => text !== undefined && dataType(text)?.bits === 64);

/** Index of a slot by its name, or of a literal by its text; -1 if the form has none. */
function slotOf({ slots }: Form, name: string): number {
  const named = slotNamed(slots, name);
  return named >= 0
    ? named
    : slots.findIndex((slot) => slot.name === undefined && slot.choices.some(({ text }) => text === name));
}
