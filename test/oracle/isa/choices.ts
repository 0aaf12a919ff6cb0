// Samples of what a row of the instruction table allows: every choice of every slot at least once, and some mixtures.
// Deterministic, so that a recorded sample stays the same until the table changes.

import { brokenLimit, type Chosen } from "../../../lib/isa/conditions.js";
import type { Form } from "../../../lib/isa/form.js";
import { resolveOpcode, type Opcode } from "../../../lib/isa/opcode.js";
import { parseTarget, parseVersion, satisfies, type Requirement } from "../../../lib/isa/requirement.js";

/** A module's version and target. */
export interface Platform {
  readonly version: string;
  readonly target: string;
}

/** Modules in the order in which they are tried: what is new, then what later versions and targets have no longer. */
const platforms: readonly Platform[] = [
  ...["sm_100a", "sm_90a", "sm_120a", "sm_110a", "sm_103a", "sm_121a"].map((target) => ({ version: "9.0", target })),
  ...["sm_107a", "sm_100a", "sm_120a", "sm_90a", "sm_110a", "sm_103a", "sm_121a"].map((target) => {
    return { version: "9.4", target };
  }),
  { version: "6.2", target: "sm_70" },
  { version: "6.2", target: "sm_60" },
  { version: "3.1", target: "sm_13" },
  { version: "1.5", target: "sm_13" },
  { version: "1.3", target: "sm_13" },
];

/** A module that has what is needed. */
export function platformFor(needs: Requirement): Platform | undefined {
  return platforms.find(({ version, target }) => satisfies(parseVersion(version), parseTarget(target)!, needs));
}

/** The Opcode of a form with those modifiers, if the table has it. */
export function opcodeFor(form: Form, chosen: Chosen): Opcode | undefined {
  return resolveOpcode(spell(form, chosen)).find((opcode) => opcode.form.id === form.id);
}

/** A small generator of numbers (mulberry32): the same sequence from the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A seed from a text, so that each row has its own sequence. */
export function seedOf(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ char.codePointAt(0)!, 16777619);
  return hash >>> 0;
}

/**
 * Modifier choices of a form that its limits allow and some module has: for each choice of each slot up to `each` vectors that have it, the rest
 * drawn. Choices that no vector reaches are in `unreached` ("slot=choice").
 */
export function sampleChoices(
  form: Form,
  each: number,
): { readonly vectors: readonly Chosen[]; readonly unreached: readonly string[] } {
  const random = randomFrom(seedOf(form.id));
  const draw = (fixed: number, text: string | undefined): Chosen =>
    form.slots.map((slot, s) => {
      if (s === fixed) return text;
      const count = slot.choices.length + (slot.optional ? slot.choices.length + 1 : 0);
      return slot.choices[random(count)]?.text;
    });
  const found = new Map<string, Chosen>();
  const unreached: string[] = [];
  const keep = (fixed: number, text: string | undefined): boolean => {
    let kept = 0;
    for (let attempt = 0; attempt < 2000 && kept < each; attempt++) {
      const chosen = draw(fixed, text);
      if (brokenLimit(form, chosen) !== undefined) continue;
      const opcode = opcodeFor(form, chosen);
      if (opcode === undefined || platformFor(opcode.needs) === undefined) continue;
      kept++;
      found.set(chosen.join("."), chosen);
    }
    return kept > 0;
  };
  if (!keep(-1, undefined)) unreached.push("any");
  form.slots.forEach((slot, s) => {
    for (const { text } of slot.choices) if (!keep(s, text)) unreached.push(`${slot.name ?? text}=${text}`);
  });
  return { vectors: [...found.values()], unreached };
}

/** The spelling of a form with its modifiers chosen, in the table's order. */
export function spell(form: Form, chosen: Chosen): string {
  return [form.opcode, ...chosen.filter((text) => text !== undefined)].join(".");
}
