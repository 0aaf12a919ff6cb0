// Why a spelling is no instruction, as data and as a sentence: for the checker's message, and for anybody who reads the
// table. The row that the spelling comes nearest to decides what is said.

import { nearest } from "../base/nearest.js";
import { brokenLimit, type Chosen } from "./conditions.js";
import type { Form, Limit, Slot } from "./form.js";
import { formsOf } from "./opcode.js";
import { opcodeNames } from "./rows/all.table.js";

export type SpellingFault =
  /** No instruction begins so; `near` are names that differ by little, nearest first. */
  | { readonly kind: "unknown-opcode"; readonly opcode: string; readonly near: readonly string[] }
  /** No row of the opcode has the modifier. */
  | { readonly kind: "unknown-modifier"; readonly modifier: string; readonly near: readonly string[] }
  /** The modifier exists for the opcode, but not together with the others. */
  | { readonly kind: "misplaced-modifier"; readonly modifier: string; readonly others: readonly string[] }
  /** Something has to be chosen there, e.g. a type. */
  | { readonly kind: "missing-modifier"; readonly choices: readonly string[] }
  /** A row has all of them, but its limits rule the combination out. */
  | { readonly kind: "combination"; readonly limit: string };

export interface Explanation {
  readonly fault: SpellingFault;
  readonly message: string;
  readonly remedy?: string;
}

/** Explains a spelling that resolveOpcode does not know. */
export function explainSpelling(spelling: string): Explanation {
  const fault = faultOf(spelling);
  const dotted = (names: readonly string[]): string => names.map((name) => `.${name}`).join(", ");
  const meant = (names: readonly string[], mark: string): { remedy?: string } =>
    names.length === 0 ? {} : { remedy: `did you mean ${names.map((name) => `'${mark}${name}'`).join(" or ")}?` };
  const [base] = spelling.split(".", 1);
  switch (fault.kind) {
    case "unknown-opcode":
      return { fault, message: `there is no instruction '${fault.opcode}'`, ...meant(fault.near, "") };
    case "unknown-modifier":
      return { fault, message: `'${base!}' has no modifier '.${fault.modifier}'`, ...meant(fault.near, ".") };
    case "misplaced-modifier": {
      const others = fault.others.length === 0 ? "a second time" : `together with ${dotted(fault.others)}`;
      return { fault, message: `'${base!}' cannot have '.${fault.modifier}' ${others}` };
    }
    case "missing-modifier": {
      const shown = fault.choices.slice(0, 12);
      const rest = fault.choices.length > shown.length ? ", ..." : "";
      return { fault, message: `'${spelling}' lacks a modifier`, remedy: `one of ${dotted(shown)}${rest}` };
    }
    case "combination":
      return { fault, message: `'${spelling}' combines modifiers that exclude each other: ${limitText(fault.limit)}` };
  }
}

function faultOf(spelling: string): SpellingFault {
  const [base = "", ...tokens] = spelling.split(".", 32);
  const forms = formsOf(base);
  if (forms.length === 0) return { kind: "unknown-opcode", opcode: base, near: nearest(base, opcodeNames()) };
  const all = [...new Set(forms.flatMap((form) => form.slots.flatMap((slot) => slot.choices.map((c) => c.text))))];
  const unknown = tokens.find((token) => !all.includes(token));
  if (unknown !== undefined) return { kind: "unknown-modifier", modifier: unknown, near: nearest(unknown, all) };
  const attempts = forms.map((form) => attempt(form, tokens));
  const best = attempts.reduce((a, b) =>
    b.left.length * 2 + b.open.length < a.left.length * 2 + a.open.length ? b : a,
  );
  if (best.left.length > 0) {
    const modifier = best.left[0]!;
    return { kind: "misplaced-modifier", modifier, others: tokens.filter((token) => token !== modifier) };
  }
  if (best.open.length > 0) {
    const choices = best.open[0]!.choices.map((c) => c.text);
    return { kind: "missing-modifier", choices: [...new Set(choices)] };
  }
  const limit = best.limit;
  if (limit !== undefined) return { kind: "combination", limit: limit.text };
  return { kind: "misplaced-modifier", modifier: tokens.at(-1) ?? "", others: tokens.slice(0, -1) };
}

interface Attempt {
  /** Modifiers that found no slot, and required slots that found no modifier. */
  readonly left: readonly string[];
  readonly open: readonly Slot[];
  readonly limit: Limit | undefined;
}

/** Puts what it can into the row's slots. */
function attempt(form: Form, tokens: readonly string[]): Attempt {
  const chosen: (string | undefined)[] = new Array<string | undefined>(form.slots.length).fill(undefined);
  const left = tokens.filter((token) => {
    const fits = (slot: Slot, i: number): boolean =>
      chosen[i] === undefined && slot.choices.some((choice) => choice.text === token);
    const required = form.slots.findIndex((slot, i) => !slot.optional && fits(slot, i));
    const index = required >= 0 ? required : form.slots.findIndex(fits);
    if (index >= 0) chosen[index] = token;
    return index < 0;
  });
  const open = form.slots.filter((slot, i) => !slot.optional && chosen[i] === undefined);
  return { left, open, limit: brokenLimit(form, chosen satisfies Chosen) };
}

/** "cop evict1 -> never" as words. */
function limitText(limit: string): string {
  const [when, then] = limit.split(/\s*->\s*/);
  const words = (list: string): string =>
    list
      .split(/\s+/)
      .map((word) =>
        word
          .replace(/^!(\w+)$/, "no .$1")
          .replace("!=", " other than ")
          .replace("=", " of ")
          .replaceAll("|", ", "),
      )
      .join(" and ");
  return then === "never" ? `not ${words(when!)} together` : `with ${words(when!)} goes ${words(then!)}`;
}
