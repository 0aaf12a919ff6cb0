// Conditions on the chosen modifiers, and the limits that consist of them (form.ts has the notation): parses them from a row, and
// evaluates them for a choice.

import { assert } from "../base/assert.js";
import { slotNamed, type Condition, type Form, type Limit, type Slot } from "./form.js";
import { parseGone, parseRequirement } from "./requirement.js";

/** Parallel to a form's slots; undefined for an omitted optional modifier. */
export type Chosen = readonly (string | undefined)[];

/** Parses "vec=v8", "!scope", "type!=b8|u8", "sat"; `where` names the row in messages. */
export function compileCondition(where: string, slots: readonly Slot[], text: string): Condition {
  const match = /^(!?)([a-zA-Z0-9_:]+?)(?:(!?=)(.+))?$/.exec(text);
  assert(match !== null, `${where}: cannot read condition '${text}'`);
  const [, not, name, sign, list] = match;
  const named = slotNamed(slots, name!);
  const literal = (slot: Slot): boolean => slot.name === undefined && slot.choices[0]!.text === name;
  const slot = named >= 0 ? named : slots.findIndex(literal);
  assert(slot >= 0, `${where}: no slot '${name!}' for condition '${text}'`);
  const texts = list?.split("|");
  for (const choice of texts ?? [])
    assert(
      slots[slot]!.choices.some((c) => c.text === choice),
      `${where}: slot '${name!}' has no choice '${choice}'`,
    );
  return { slot, texts, negated: not === "!" || sign === "!=" };
}

/** Parses "vec=v4 type=b64 -> @8.8:sm_100", "cop evict -> never", "dtype=bf16 -> narrow", "relu -> type=s32". */
export function compileLimit(where: string, slots: readonly Slot[], text: string): Limit {
  const [when, then] = text.split(/\s*->\s*/);
  assert(when !== undefined && then !== undefined && then !== "", `${where}: cannot read limit '${text}'`);
  const conditions = (list: string): readonly Condition[] =>
    list.split(/\s+/).map((word) => compileCondition(where, slots, word));
  const consequence = (): Limit["then"] => {
    if (then === "never" || then === "narrow") return { kind: then };
    if (then.startsWith("until ")) return { kind: "needs", needs: parseGone(then.slice("until ".length)) };
    if (then.startsWith("@")) return { kind: "needs", needs: parseRequirement(then.slice(1)) };
    return { kind: "must", conditions: conditions(then) };
  };
  return { when: conditions(when), then: consequence(), text };
}

function holds(condition: Condition, chosen: Chosen): boolean {
  const text = chosen[condition.slot];
  const met = text !== undefined && (condition.texts === undefined || condition.texts.includes(text));
  return met !== condition.negated;
}

/** Whether the chosen modifiers satisfy all conditions. */
export function allHold(conditions: readonly Condition[], chosen: Chosen): boolean {
  return conditions.every((condition) => holds(condition, chosen));
}

/** The first limit of the form that the chosen modifiers break for every version and target. */
export function brokenLimit(form: Form, chosen: Chosen): Limit | undefined {
  return form.limits.find(
    ({ when, then }) =>
      allHold(when, chosen) && (then.kind === "never" || (then.kind === "must" && !allHold(then.conditions, chosen))),
  );
}
