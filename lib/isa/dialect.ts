// Rewrites instructions of older modules in today's modifiers: the "PTX ISA notes" of PTX ISA 9.0 section 9.7.3 (defaults that
// ended with PTX 1.4 and 3.2) and its "subnormal numbers" (targets before sm_20 flush them). Each rule was compared with ptxas
// 13.0: it makes the same machine code of both spellings (docs/versions.md).
//
// The object keeps the original text; the loader and the printer for a later version call this file. The engines thus see one
// meaning per spelling, and no versions.
// Rejected: meanings that depend on the module's version (two of everything), and respelling in the checker (the object's text
// would no longer be the author's, nor valid for its own version).

import type { Code } from "./code.js";
import { brokenLimit } from "./conditions.js";
import { slotNamed, type Form } from "./form.js";
import { makeOpcode, type Opcode } from "./opcode.js";
import type { PtxVersion } from "./targets.table.js";
import { dataType } from "./types.table.js";
import type { Target } from "./requirement.js";

/** The meaning of a slot that an older module omits, by form. */
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

/** Double precision keeps subnormal numbers on every target; this form's .ftz is another approximation (section 9.7.3.17). */
const neverFlushed = "rsqrt.approx.f64";
/** Targets from this one on keep subnormal numbers. */
const firstWithSubnormals = 20;
/** Up to this version cvt does not flush when either type has 64 bits. */
const lastNarrowFlush = 14;

/** Respells an opcode; the same opcode where there is nothing to add. */
export type Dialect = (opcode: Opcode) => Opcode;

// A memo of a pure function of two small sets: versions by whether cvt flushes, targets by whether anything does.
const dialects = new Map<string, Dialect>();

/** The dialect that modules of that version and target are written in; undefined where they mean what they say. */
export function dialectOf(version: PtxVersion, target: Target): Dialect | undefined {
  const flushes = target.sm < firstWithSubnormals;
  // mad.f32 was the last to lose its default.
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

/** The code of a module of that dialect, saying what it means. */
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
    // The table says for which types there is anything to flush.
    if (brokenLimit(form, chosen) !== undefined) chosen[flush] = before;
  }
  return chosen.every((text, i) => text === opcode.chosen[i]) ? opcode : makeOpcode(form, chosen);
}

const hasWideType = (chosen: Opcode["chosen"]): boolean =>
  chosen.some((text) => text !== undefined && dataType(text)?.bits === 64);

/** A slot by its name, or a literal by its text; -1 when the form has none. */
function slotOf({ slots }: Form, name: string): number {
  const named = slotNamed(slots, name);
  return named >= 0
    ? named
    : slots.findIndex((slot) => slot.name === undefined && slot.choices.some(({ text }) => text === name));
}
