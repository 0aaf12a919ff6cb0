// From an opcode's spelling ("ld.global.v2.u32") to the table rows that it can mean, and back. The result is shared: a
// spelling is resolved once, and every instruction with it holds the same Opcode.
//
// ptxas takes modifiers in almost any order, so a spelling that fits no row as written is tried again with its modifiers
// in any order (those that fit several slots, as the two types of cvt, stay in theirs). The canonical spelling is the
// table's.

import { InternalError } from "../base/assert.js";
import { compileRow } from "./compile.js";
import type { Condition, Form, Limit, OperandSpec, Slot } from "./form.js";
import { bothRequirements, type Requirement } from "./requirement.js";
import { rowsByOpcode } from "./rows/all.table.js";
import { typeRules } from "./rules.js";
import { bitType, dataType, widened, type DataType } from "./types.table.js";

/** An operand's place with its type settled by the chosen modifiers. */
export interface OperandShape {
  readonly spec: OperandSpec;
  /** Whether the chosen modifiers ask for this operand, leave it to the writer, or rule it out. */
  readonly presence: "required" | "optional" | "absent";
  /** Undefined: any type. */
  readonly type: DataType | undefined;
  /** Elements in braces; undefined: a scalar; "any": as many as make up the type (`split`). */
  readonly count: number | "any" | undefined;
  /** Vectors of mixed types: the type of each element, where it differs from `type`. */
  readonly elements?: readonly (DataType | undefined)[];
  readonly pair: OperandShape | undefined;
  readonly rest: readonly OperandShape[];
}

/** A row with its modifiers chosen. */
export interface Opcode {
  readonly form: Form;
  /** Canonical: modifiers in the table's order. */
  readonly spelling: string;
  /** Parallel to form.slots; undefined where an optional modifier was left out. */
  readonly chosen: readonly (string | undefined)[];
  readonly operands: readonly OperandShape[];
  /** The form's requirement and those of its chosen modifiers, together. */
  readonly needs: Requirement;
}

/** The text chosen for a named slot; undefined when it was left out or the form has no such slot. */
export function modifier(opcode: Opcode, slot: string): string | undefined {
  const index = opcode.form.slots.findIndex((s) => s.name === slot);
  return index < 0 ? undefined : opcode.chosen[index];
}

/** Whether a modifier with that text was written, in whatever slot. */
export function hasModifier(opcode: Opcode, text: string): boolean {
  return opcode.chosen.includes(text);
}

// Memo tables of pure functions over the constant instruction table: they never change an answer, only its cost.
const formsMemo = new Map<string, readonly Form[]>();
const spellingMemo = new Map<string, readonly Opcode[]>();
const memoLimit = 20_000;

/** The forms of a base opcode, in the table's order; empty when there is no such opcode. */
export function formsOf(base: string): readonly Form[] {
  let forms = formsMemo.get(base);
  if (forms === undefined) {
    const rows = rowsByOpcode(base);
    forms = rows.map(compileRow);
    if (forms.length > 0) formsMemo.set(base, forms);
  }
  return forms;
}

/** Every reading of a spelling, best first. Operands decide between them. Empty when no row fits. */
export function resolveOpcode(spelling: string): readonly Opcode[] {
  const known = spellingMemo.get(spelling);
  if (known !== undefined) return known;
  const [base, ...tokens] = spelling.split(".");
  const forms = formsOf(base!);
  let found = forms.flatMap((form) => readings(form, tokens, inOrder));
  if (found.length === 0) found = forms.flatMap((form) => readings(form, tokens, anyOrder));
  if (spellingMemo.size < memoLimit && found.length > 0) spellingMemo.set(spelling, found);
  return found;
}

type Assign = (slots: readonly Slot[], tokens: readonly string[]) => (string | undefined)[] | undefined;

function readings(form: Form, tokens: readonly string[], assign: Assign): readonly Opcode[] {
  const chosen = assign(form.slots, tokens);
  return chosen === undefined || brokenLimit(form, chosen) !== undefined ? [] : [makeOpcode(form, chosen)];
}

type Chosen = readonly (string | undefined)[];

/** Whether the chosen modifiers meet a condition. */
export function holds(condition: Condition, chosen: Chosen): boolean {
  const text = chosen[condition.slot];
  const met = text !== undefined && (condition.texts === undefined || condition.texts.includes(text));
  return met !== condition.negated;
}

const allHold = (conditions: readonly Condition[], chosen: Chosen): boolean =>
  conditions.every((c) => holds(c, chosen));

/** The first limit of the form that the chosen modifiers break, whatever the module's version and target. */
export function brokenLimit(form: Form, chosen: Chosen): Limit | undefined {
  return form.limits.find(
    ({ when, then }) =>
      allHold(when, chosen) && (then.kind === "never" || (then.kind === "must" && !allHold(then.conditions, chosen))),
  );
}

function accepts(slot: Slot, token: string): boolean {
  return slot.choices.some((choice) => choice.text === token);
}

/** Slots take tokens left to right; an optional slot is tried filled first. */
const inOrder: Assign = (slots, tokens) => {
  const chosen: (string | undefined)[] = new Array<string | undefined>(slots.length).fill(undefined);
  const fit = (s: number, t: number): boolean => {
    if (s === slots.length) return t === tokens.length;
    const slot = slots[s]!;
    const token = tokens[t];
    if (token !== undefined && accepts(slot, token)) {
      chosen[s] = token;
      if (fit(s + 1, t + 1)) return true;
      chosen[s] = undefined;
    }
    return slot.optional && fit(s + 1, t);
  };
  return fit(0, 0) ? chosen : undefined;
};

/** Each token goes to the first free slot that accepts it; required slots must all be filled. */
const anyOrder: Assign = (slots, tokens) => {
  if (tokens.length > slots.length) return undefined;
  const chosen: (string | undefined)[] = new Array<string | undefined>(slots.length).fill(undefined);
  for (const token of tokens) {
    const free = (wanted: boolean): number =>
      slots.findIndex((slot, i) => chosen[i] === undefined && slot.optional !== wanted && accepts(slot, token));
    const required = free(true);
    const index = required >= 0 ? required : free(false);
    if (index < 0) return undefined;
    chosen[index] = token;
  }
  return slots.every((slot, i) => slot.optional || chosen[i] !== undefined) ? chosen : undefined;
};

function makeOpcode(form: Form, chosen: Chosen): Opcode {
  const get = (name: string): string | undefined => chosen[form.slots.findIndex((slot) => slot.name === name)];
  const needs = [
    ...form.slots.flatMap((slot, i) => slot.choices.find((c) => c.text === chosen[i])?.needs ?? []),
    ...form.limits.flatMap(({ when, then }) => (then.kind === "needs" && allHold(when, chosen) ? then.needs : [])),
  ].reduce(bothRequirements, form.needs);
  return {
    form,
    spelling: [form.opcode, ...chosen.filter((text) => text !== undefined)].join("."),
    chosen,
    operands: form.operands.map((spec) => shape(form, spec, chosen, get)),
    needs,
  };
}

function shape(form: Form, spec: OperandSpec, chosen: Chosen, get: (name: string) => string | undefined): OperandShape {
  const slotType = (slot: number): DataType | undefined => dataType(chosen[slot] ?? "");
  const own = (): { type: DataType | undefined; count: OperandShape["count"] } => {
    const count = typeof spec.count === "object" ? vectorLength(chosen[spec.count.slot]) : spec.count;
    switch (spec.type.kind) {
      case "fixed":
        return { type: spec.type.type, count };
      case "slot":
        return { type: slotType(spec.type.slot), count };
      case "wide": {
        const type = slotType(spec.type.slot);
        return { type: type && widened(type), count };
      }
      case "bits": {
        const type = slotType(spec.type.slot);
        return { type: type && bitType(type.bits), count };
      }
      case "split":
        return { type: slotType(spec.type.slot), count: "any" };
      case "rule": {
        const rule = typeRules[spec.type.rule];
        if (rule === undefined) throw new InternalError(`isa form ${form.id}: no rule '${spec.type.rule}'`);
        return rule(get);
      }
      case "any":
        return { type: undefined, count };
    }
  };
  const presence =
    spec.condition.length > 0
      ? allHold(spec.condition, chosen)
        ? "required"
        : "absent"
      : spec.optional
        ? "optional"
        : "required";
  return {
    spec,
    presence,
    ...own(),
    pair: spec.pair && shape(form, spec.pair.spec, chosen, get),
    rest: spec.rest.map((item) => shape(form, item, chosen, get)),
  };
}

/** v4 -> 4; left out -> a scalar. */
function vectorLength(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replace(/^[vx]/, ""));
}
