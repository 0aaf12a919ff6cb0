// Resolves an opcode's spelling ("ld.global.v2.u32") to the table rows that it can mean, and back. The result is shared: a
// spelling is resolved once, and every instruction with it has the same Opcode. Engines bind an Opcode once, by identity, so that
// no text is compared while a program runs.
//
// ptxas accepts modifiers in almost any order ("setp.u32.eq", "atom.add.global.u32"), so that readings in another order follow
// those in the table's order. Modifiers that ptxas does not reorder keep their order here: the words of the name ("mul.wide",
// "cp.async.bulk"), and several types or several state spaces among themselves (a copy's direction). The canonical spelling is
// the table's.

import { InternalError } from "../base/assert.js";
import { compileRow } from "./compile.js";
import { vectorLength } from "./compile-operands.js";
import { allHold, brokenLimit, type Chosen } from "./conditions.js";
import type { Form, OperandSpec, Slot } from "./form.js";
import { nameLength } from "./names.table.js";
import { bothRequirements, type Requirement } from "./requirement.js";
import { rowById, rowsByOpcode } from "./rows/all.table.js";
import type { Shape } from "./rule.js";
import { typeRules } from "./rules.js";
import { isStateSpace } from "./state-spaces.table.js";
import type { Trait } from "./traits.js";
import { bitType, dataType, widened, type DataType } from "./types.table.js";

/** An operand's place, with its type determined by the chosen modifiers. */
export interface OperandShape {
  readonly spec: OperandSpec;
  /** Whether the chosen modifiers require this operand, allow it, or exclude it. */
  readonly presence: "required" | "optional" | "absent";
  /** The register may be wider than the type. */
  readonly wider: boolean;
  /** Undefined for any type. */
  readonly type: DataType | undefined;
  /** Number of elements in braces. Undefined for a scalar; "any" for as many as make up the type (`split`), or one or more. */
  readonly count: number | "any" | undefined;
  /** The types of the elements in order, if they differ; `type` is then the last element's. */
  readonly elements: readonly DataType[] | undefined;
  /** A vector of one element may omit its braces. */
  readonly bare: boolean;
  /** Further elements may fill a vector of two or four; they are not read. */
  readonly padded: boolean;
  /** Constants that each element may be; undefined for any. */
  readonly allowed: readonly (readonly bigint[])[] | undefined;
  readonly pair: OperandShape | undefined;
  readonly rest: readonly OperandShape[];
}

/** A row with its modifiers chosen. */
export interface Opcode {
  readonly form: Form;
  /** Canonical spelling: modifiers in the table's order. */
  readonly spelling: string;
  /** Parallel to form.slots; undefined for an omitted optional modifier. */
  readonly chosen: readonly (string | undefined)[];
  readonly operands: readonly OperandShape[];
  /** All requirements of the form, its chosen modifiers and their combination. */
  readonly needs: Requirement;
}

/** Whether the place accepts a vector with that number of elements. */
export function takesElements({ count, padded }: OperandShape, elements: number): boolean {
  return count === "any" || elements === count || (padded && elements > count! && (elements === 2 || elements === 4));
}

/** The modifier chosen for a named slot; undefined if it was omitted or the form has no such slot. */
export function modifier(opcode: Opcode, slot: string): string | undefined {
  const index = opcode.form.slots.findIndex((s) => s.name === slot);
  return index < 0 ? undefined : opcode.chosen[index];
}

/** Whether a modifier with that text was chosen in any slot. */
export function hasModifier(opcode: Opcode, text: string): boolean {
  return opcode.chosen.includes(text);
}

/** Whether the instruction's row has the trait (traits.ts). */
export const hasTrait = ({ form: { traits } }: Opcode, trait: Trait): boolean => traits.has(trait);

// Memoizes pure functions over the constant instruction table: affects only the cost of an answer.
const formMemo = new Map<string, Form>();
const spellingMemo = new Map<string, readonly Opcode[]>();
const memoLimit = 20_000;
/** Limit of modifiers; no row has as many slots. */
const mostModifiers = 24;

/** The forms of a base opcode, in the table's order; empty for an unknown opcode. */
export function formsOf(base: string): readonly Form[] {
  return rowsByOpcode(base).map((row) => formOf(row.id)!);
}

/** The form with that id, or undefined. */
export function formOf(id: string): Form | undefined {
  let form = formMemo.get(id);
  if (form === undefined) {
    const row = rowById(id);
    if (row === undefined) return undefined;
    form = compileRow(row);
    formMemo.set(id, form);
  }
  return form;
}

/** Every reading of a spelling, best first; operands decide between them. Empty if no row matches. */
export function resolveOpcode(spelling: string): readonly Opcode[] {
  const known = spellingMemo.get(spelling);
  if (known !== undefined) return known;
  const [base, ...tokens] = spelling.split(".", mostModifiers + 2);
  if (tokens.length > mostModifiers) return [];
  const forms = formsOf(base!);
  const straight = forms.flatMap((form) => reading(form, inOrder(form.slots, tokens)));
  const others = forms.filter((form) => !straight.some((opcode) => opcode.form === form));
  const found = [...straight, ...others.flatMap((form) => reading(form, anyOrder(form, tokens)))];
  if (found.length === 0) return found;
  if (spellingMemo.size >= memoLimit) spellingMemo.clear();
  spellingMemo.set(spelling, found);
  return found;
}

/**
 * The Opcode that an object file refers to by its form and its canonical spelling; undefined if there is none, since a file may
 * contain anything. The spelling alone is ambiguous: "mov.b64" has four forms.
 */
export function opcodeOf(formId: string, spelling: string): Opcode | undefined {
  return resolveOpcode(spelling).find((opcode) => opcode.form.id === formId && opcode.spelling === spelling);
}

function reading(form: Form, chosen: Chosen | undefined): readonly Opcode[] {
  return chosen === undefined || brokenLimit(form, chosen) !== undefined ? [] : [makeOpcode(form, chosen)];
}

function accepts(slot: Slot, token: string): boolean {
  return slot.choices.some((choice) => choice.text === token);
}

/** Assigns tokens to slots from left to right; tries to fill an optional slot before omitting it. */
function inOrder(slots: readonly Slot[], tokens: readonly string[]): Chosen | undefined {
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
}

/** Classes of modifiers that keep their order: types, state spaces, layouts of A and B, packings to and from, .and.popc. */
function orderedClass(token: string): "type" | "space" | "layout" | "packing" | "reduction" | undefined {
  if (token === "row" || token === "col") return "layout";
  if (/^b\dx16/.test(token)) return "packing";
  if (token === "and" || token === "xor" || token === "popc") return "reduction";
  return dataType(token) !== undefined ? "type" : isStateSpace(token) ? "space" : undefined;
}

/**
 * Assigns each token to the first free slot that accepts it, required slots before optional ones. The words of the name keep
 * their order.
 */
function anyOrder({ opcode, slots }: Form, tokens: readonly string[]): Chosen | undefined {
  if (tokens.length > slots.length) return undefined;
  const chosen: (string | undefined)[] = new Array<string | undefined>(slots.length).fill(undefined);
  const last = { type: -1, space: -1, layout: -1, packing: -1, reduction: -1 };
  for (const token of tokens) {
    const ordered = orderedClass(token);
    const from = ordered === undefined ? 0 : last[ordered] + 1;
    const free = (optional: boolean): number =>
      slots.findIndex(
        (slot, i) => i >= from && chosen[i] === undefined && slot.optional === optional && accepts(slot, token),
      );
    const required = free(false);
    const index = required >= 0 ? required : free(true);
    if (index < 0) return undefined;
    if (ordered !== undefined) last[ordered] = index;
    chosen[index] = token;
  }
  if (!slots.every((slot, i) => slot.optional || chosen[i] !== undefined)) return undefined;
  const written = [opcode, ...tokens];
  const sorted = [opcode, ...chosen.filter((text) => text !== undefined)];
  const length = nameLength(sorted);
  return nameLength(written) === length && sorted.every((word, i) => i >= length || word === written[i])
    ? chosen
    : undefined;
}

/** A form with its modifiers chosen. Always a new object, so that caches keyed by identity stay valid. */
export function makeOpcode(form: Form, chosen: Chosen): Opcode {
  const needs = [
    ...form.slots.map((slot, i) => slot.choices.find((c) => c.text === chosen[i])?.needs ?? []),
    ...form.limits.map(({ when, then }) => (then.kind === "needs" && allHold(when, chosen) ? then.needs : [])),
  ].reduce(bothRequirements, form.needs);
  return {
    form,
    spelling: [form.opcode, ...chosen.filter((text) => text !== undefined)].join("."),
    chosen,
    operands: form.operands.map((spec) => operandShape(form, spec, chosen)),
    needs,
  };
}

function operandShape(form: Form, spec: OperandSpec, chosen: Chosen): OperandShape {
  const { type, count, elements, bare, padded, allowed } = ownShape(form, spec, chosen);
  return {
    spec,
    presence: presenceOf(spec, chosen),
    wider: spec.wider && !form.limits.some(({ when, then }) => then.kind === "narrow" && allHold(when, chosen)),
    type,
    count,
    elements,
    bare: (bare ?? spec.bare) && count === 1,
    padded: padded ?? false,
    allowed,
    pair: spec.pair && operandShape(form, spec.pair.spec, chosen),
    rest: spec.rest.map((item) => operandShape(form, item, chosen)),
  };
}

function presenceOf(spec: OperandSpec, chosen: Chosen): OperandShape["presence"] {
  if (!allHold(spec.condition, chosen)) return "absent";
  return spec.optional && !spec.demanded ? "optional" : "required";
}

type OwnShape = Pick<OperandShape, "type" | "count"> & Partial<Pick<Shape, "elements" | "bare" | "padded" | "allowed">>;

function ownShape(form: Form, spec: OperandSpec, chosen: Chosen): OwnShape {
  const slotType = (slot: number): DataType | undefined => dataType(chosen[slot] ?? "");
  const single = spec.bare ? 1 : undefined;
  const count = typeof spec.count === "object" ? (vectorLength(chosen[spec.count.slot] ?? "") ?? single) : spec.count;
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
    case "rule":
      return typeRules[spec.type.rule]!((name) => {
        const slot = form.slots.findIndex((s) => s.name === name);
        if (slot < 0) throw new InternalError(`isa form ${form.id}: rule '${name}' asks for a slot that is not there`);
        return chosen[slot];
      });
    case "any":
      return { type: undefined, count };
  }
}

/** The type names among the modifiers, in order: d's and a's for cvt, one for most instructions. */
export function typesOf(opcode: Opcode): readonly DataType[] {
  return opcode.chosen.flatMap((text) => (text === undefined ? [] : (dataType(text) ?? [])));
}

/** The instruction's type: the last type name among its modifiers. */
export function typeOf(opcode: Opcode): DataType | undefined {
  return typesOf(opcode).at(-1);
}
