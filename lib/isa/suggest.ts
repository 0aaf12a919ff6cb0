// Explains why a spelling is no instruction, as data and as a sentence, for the checker's message and for tools. The row nearest
// to the spelling determines the text, and the words that are marked.

import { nearest } from "../base/nearest.js";
import { allHold, brokenLimit, type Chosen } from "./conditions.js";
import type { Condition, Form, Limit, Slot } from "./form.js";
import { otherModifiers, otherOpcodes } from "./foreign-words.table.js";
import { formsOf } from "./opcode.js";
import { satisfies, type Target } from "./requirement.js";
import { opcodeNames } from "./rows/all.table.js";
import { isStateSpace } from "./state-spaces.table.js";
import type { PtxVersion } from "./targets.table.js";
import { dataType } from "./types.table.js";

export type SpellingFault =
  /** The opcode does not exist; `near` has similar names, nearest first. */
  | { readonly kind: "unknown-opcode"; readonly opcode: string; readonly near: readonly string[] }
  /** No row of the opcode has the modifier; `choices` are modifiers of its kind, types or state spaces, that a row has. */
  | {
      readonly kind: "unknown-modifier";
      readonly modifier: string;
      readonly near: readonly string[];
      readonly choices: readonly string[];
    }
  /** The opcode has the modifier, but not together with the others; `choices` could replace it. */
  | {
      readonly kind: "misplaced-modifier";
      readonly modifier: string;
      readonly others: readonly string[];
      readonly choices: readonly string[];
    }
  /** A required modifier is missing, for example a type. */
  | { readonly kind: "missing-modifier"; readonly choices: readonly string[] }
  /** A row has all modifiers, but its limits exclude the combination. */
  | {
      readonly kind: "combination";
      readonly modifier: string | undefined;
      readonly why: string;
      readonly remedy?: string;
    };

export interface Explanation {
  readonly fault: SpellingFault;
  readonly message: string;
  readonly remedy?: string;
  /** Possible replacements. */
  readonly replacements?: readonly string[];
  /** The range of the spelling to be marked. */
  readonly start: number;
  readonly end: number;
}

/** Explains a spelling that resolveOpcode does not find. */
export function explainSpelling(spelling: string): Explanation {
  const [base = "", ...tokens] = spelling.split(".", 32);
  const fault = faultOf(base, tokens);
  const remedy = remedyFor(fault);
  return {
    fault,
    message: messageFor(fault, base, spelling),
    ...(remedy === undefined ? {} : { remedy }),
    ...replacementsFor(fault, spelling),
    ...rangeOf(fault, base, tokens, spelling),
  };
}

function messageFor(fault: SpellingFault, base: string, spelling: string): string {
  switch (fault.kind) {
    case "unknown-opcode":
      return `there is no instruction '${fault.opcode}'`;
    case "unknown-modifier":
      return `'${base}' has no ${sortOf([fault.modifier])} '.${fault.modifier}'`;
    case "misplaced-modifier": {
      const others = fault.others.map((name) => `.${name}`).join("");
      if (!fault.others.includes(fault.modifier)) return `'${base}${others}' cannot have '.${fault.modifier}'`;
      return `'${base}' cannot have '.${fault.modifier}' ${fault.choices.length > 0 ? "here" : "a second time"}`;
    }
    case "missing-modifier":
      return `'${spelling}' lacks a ${sortOf(fault.choices)}`;
    case "combination":
      return `'${spelling}': ${fault.why}`;
  }
}

const mostShown = 12;

/** The names as text: ".u16, .u32 or .u64". */
function oneOf(names: readonly string[]): string {
  const dotted = names.slice(0, mostShown).map((name) => `.${name}`);
  if (names.length > mostShown) return `${dotted.join(", ")}, ...`;
  return dotted.length < 2 ? dotted.join("") : `${dotted.slice(0, -1).join(", ")} or ${dotted.at(-1)!}`;
}

function remedyFor(fault: SpellingFault): string | undefined {
  const meant = (names: readonly string[], mark: string): string | undefined =>
    names.length === 0 ? undefined : `did you mean ${names.map((name) => `'${mark}${name}'`).join(" or ")}?`;
  const possible = (names: readonly string[]): string | undefined =>
    names.length === 0 ? undefined : `${names.length === 1 ? "write" : "one of"} ${oneOf(names)}`;
  switch (fault.kind) {
    case "unknown-opcode":
      return meant(fault.near, "");
    case "unknown-modifier":
      return meant(fault.near, ".") ?? possible(fault.choices) ?? `leave '.${fault.modifier}' out`;
    case "misplaced-modifier":
      return possible(fault.choices) ?? `leave '.${fault.modifier}' out`;
    case "missing-modifier":
      return possible(fault.choices);
    case "combination":
      return fault.remedy;
  }
}

/** Possible replacements for the range of rangeOf. */
function replacementsFor(fault: SpellingFault, spelling: string): Pick<Explanation, "replacements"> {
  switch (fault.kind) {
    case "unknown-opcode":
      return fault.near.length === 0 ? {} : { replacements: fault.near };
    case "unknown-modifier":
    case "misplaced-modifier": {
      const near = fault.kind === "unknown-modifier" && fault.near.length > 0 ? fault.near : fault.choices;
      return near.length === 0 ? {} : { replacements: near.slice(0, mostShown).map((name) => `.${name}`) };
    }
    case "missing-modifier":
      return { replacements: fault.choices.slice(0, mostShown).map((name) => `${spelling}.${name}`) };
    case "combination":
      return {};
  }
}

const roundings: ReadonlySet<string> = new Set(["rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi"]);
const comparisons: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

/** The common property of several choices, for messages. */
function sortOf(choices: readonly string[]): string {
  if (choices.every((name) => dataType(name) !== undefined)) return "type";
  if (choices.every(isStateSpace)) return "state space";
  if (choices.every((name) => roundings.has(name))) return "rounding mode";
  return choices.length > 1 && [...comparisons].every((name) => choices.includes(name)) ? "comparison" : "modifier";
}

/** The range of the fault in the spelling: a modifier with its dot, the opcode, or all of it. */
function rangeOf(
  fault: SpellingFault,
  base: string,
  tokens: readonly string[],
  spelling: string,
): { start: number; end: number } {
  if (fault.kind === "unknown-opcode") return { start: 0, end: base.length };
  const index = "modifier" in fault ? tokens.lastIndexOf(fault.modifier ?? "") : -1;
  if (index < 0) return { start: 0, end: spelling.length };
  const start = tokens.slice(0, index).reduce((at, token) => at + 1 + token.length, base.length);
  return { start, end: start + 1 + tokens[index]!.length };
}

function faultOf(base: string, tokens: readonly string[]): SpellingFault {
  const forms = formsOf(base);
  if (forms.length === 0) return { kind: "unknown-opcode", opcode: base, near: meantOpcodes(base) };
  const all = [...new Set(forms.flatMap((form) => form.slots.flatMap((slot) => slot.choices.map((c) => c.text))))];
  const unknown = tokens.find((token) => !all.includes(token));
  if (unknown !== undefined) {
    const sort = sortOf([unknown]);
    const choices = sort === "modifier" ? [] : all.filter((name) => sortOf([name]) === sort);
    return { kind: "unknown-modifier", modifier: unknown, near: meantModifiers(unknown, all), choices };
  }
  const attempts = forms.map((form) => attempt(form, tokens));
  const cost = ({ left, open, ordered }: Attempt): number =>
    left.reduce((sum, token) => sum + (determinesRow(token) ? 3 : 2), 0) +
    open.reduce((sum, slot) => sum + (slot.name === undefined ? 2 : 1), 0) +
    (ordered ? 0 : 4);
  // If two rows are equally near, prefers the one whose first modifiers are right.
  const right = ({ left }: Attempt): number => (left.length === 0 ? tokens.length : tokens.indexOf(left[0]!));
  const best = attempts.reduce((a, b) => (cost(b) < cost(a) || (cost(b) === cost(a) && right(b) > right(a)) ? b : a));
  if (best.left.length > 0) {
    const modifier = best.left.at(-1)!;
    const at = tokens.lastIndexOf(modifier);
    const choices = best.open.length > 0 && best.left.length === 1 ? textsOf(best.open[0]!) : [];
    return { kind: "misplaced-modifier", modifier, others: tokens.filter((_, i) => i !== at), choices };
  }
  if (best.open.length > 0) {
    const alike = attempts.filter(
      ({ left, open, ordered }) => left.length === 0 && open.length === best.open.length && ordered === best.ordered,
    );
    return { kind: "missing-modifier", choices: [...new Set(alike.flatMap(({ open }) => textsOf(open[0]!)))] };
  }
  if (best.limit !== undefined) return combinationFault(best.form, best.limit, best.chosen);
  const others = tokens.slice(0, -1);
  return { kind: "misplaced-modifier", modifier: tokens.at(-1) ?? "", others, choices: [] };
}

/** Types and shapes indicate the intended row; rounding modes and layouts depend on it. */
const determinesRow = (token: string): boolean => dataType(token) !== undefined || /^m\d+n\d+k\d+$/.test(token);

const textsOf = (slot: Slot): readonly string[] => slot.choices.map(({ text }) => text);

/** Probable opcodes: PTX's names in another spelling, then other languages' names, then similar names. */
function meantOpcodes(base: string): readonly string[] {
  const names = opcodeNames();
  const small = base.toLowerCase();
  if (names.includes(small)) return [small];
  const dotted = small.replaceAll("_", ".");
  const known = dotted.includes(".") && names.includes(dotted.slice(0, dotted.indexOf("."))) ? dotted : undefined;
  const meant = known ?? otherOpcodes[small];
  if (meant !== undefined) return [meant];
  const near = nearestFirst(base, names);
  return near.length > 0 ? near : withoutDot(small, names);
}

/** Names without their dot: "shfl.bfly" for `shflbfly`. */
function withoutDot(word: string, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const rest = word.startsWith(name) ? word.slice(name.length) : "";
    const isModifier = formsOf(name).some(({ slots }) => slots.some((slot) => textsOf(slot).includes(rest)));
    return isModifier ? [`${name}.${rest}`] : [];
  });
}

function meantModifiers(word: string, all: readonly string[]): readonly string[] {
  const small = word.toLowerCase();
  if (all.includes(small)) return [small];
  const meant = otherModifiers[small]?.filter((name) => all.includes(name)) ?? [];
  return meant.length > 0 ? meant : nearestFirst(word, all);
}

/** The nearest names; those with the same first letter precede others, because a word's first letter is seldom mistyped. */
function nearestFirst(word: string, names: readonly string[]): readonly string[] {
  const near = nearest(word, names);
  return [...near.filter((name) => name[0] === word[0]), ...near.filter((name) => name[0] !== word[0])];
}

interface Attempt {
  readonly form: Form;
  /** Modifiers without a slot, and required slots without a modifier. */
  readonly left: readonly string[];
  readonly open: readonly Slot[];
  readonly chosen: Chosen;
  /** Whether the modifiers are in the order of their slots. */
  readonly ordered: boolean;
  readonly limit: Limit | undefined;
}

/** Assigns as many modifiers as possible to the row's slots. */
function attempt(form: Form, tokens: readonly string[]): Attempt {
  const chosen: (string | undefined)[] = new Array<string | undefined>(form.slots.length).fill(undefined);
  let last = -1;
  let ordered = true;
  const left = tokens.filter((token) => {
    const fits = (slot: Slot, i: number): boolean =>
      chosen[i] === undefined && slot.choices.some((choice) => choice.text === token);
    const required = form.slots.findIndex((slot, i) => !slot.optional && fits(slot, i));
    const index = required >= 0 ? required : form.slots.findIndex(fits);
    if (index >= 0) chosen[index] = token;
    ordered &&= index < 0 || index > last;
    last = Math.max(last, index);
    return index < 0;
  });
  const open = form.slots.filter((slot, i) => !slot.optional && chosen[i] === undefined);
  return { form, left, open, chosen, ordered, limit: brokenLimit(form, chosen) };
}

/** Describes a broken limit, and names the modifier that breaks it. */
function combinationFault(form: Form, { when, then }: Limit, chosen: Chosen): SpellingFault {
  const given = when.flatMap(({ slot }) => chosen[slot] ?? []);
  const quoted = given.map((text) => `'.${text}'`).join(" and ");
  const fault = (modifier: string | undefined, why: string): SpellingFault & { readonly kind: "combination" } => ({
    kind: "combination",
    modifier,
    why,
  });
  if (then.kind !== "must") {
    const absent = when.find(({ slot }) => chosen[slot] === undefined);
    if (absent === undefined || given.length === 0)
      return { ...fault(given.at(-1), `${quoted} exclude each other`), remedy: "leave one of them out" };
    return fault(given.at(-1), `${quoted} goes with ${oneOf(textsOf(form.slots[absent.slot]!))} only`);
  }
  const exact = form.opcode === "cvt" && given.length === 1 && roundings.has(given[0]!) ? exactTypes(form, chosen) : "";
  if (exact !== "")
    return { kind: "combination", modifier: given[0], why: `${exact} is exact`, remedy: `leave '.${given[0]!}' out` };
  const unmet: Condition = then.conditions.find((condition) => !allHold([condition], chosen))!;
  const actual = chosen[unmet.slot];
  const slot = form.slots[unmet.slot]!;
  const modifier = actual ?? given.at(-1);
  if (unmet.negated)
    return {
      ...fault(modifier, `${quoted} does not go with ${oneOf(unmet.texts ?? textsOf(slot))}`),
      remedy: `leave '.${modifier ?? ""}' out, or choose another`,
    };
  const allowed = oneOf(unmet.texts ?? textsOf(slot));
  const subject = given.length === 0 ? "it" : quoted;
  const why = `${subject} goes with ${allowed}${actual === undefined ? "" : `, not with '.${actual}'`}`;
  const likely = mostLikely(unmet.texts ?? textsOf(slot), actual);
  const remedy = actual === undefined ? `add '.${likely}'` : `write '.${likely}' in place of '.${actual}'`;
  return { ...fault(modifier, why), remedy };
}

/** The most likely of several choices: a type of the same size as in the text, otherwise the first. */
function mostLikely(choices: readonly string[], written: string | undefined): string {
  const bits = dataType(written ?? "")?.bits;
  return choices.find((name) => bits !== undefined && dataType(name)?.bits === bits) ?? choices[0]!;
}

/** ".f16 to .f32", if a conversion between floats needs no rounding; otherwise "". */
function exactTypes({ slots }: Form, chosen: Chosen): string {
  const [to, from] = ["dtype", "atype"].map((name) =>
    dataType(chosen[slots.findIndex((slot) => slot.name === name)] ?? ""),
  );
  const isWider = to?.class === "float" && from?.class === "float" && to.lanes === 1 && to.bits > from.bits;
  return isWider ? `.${from.name} to .${to.name}` : "";
}

/** Spellings that are valid in the module and have all of these modifiers and one more: replacements for a removed form. */
export function longerSpellings(spelling: string, version: PtxVersion, target: Target): readonly string[] {
  const [base = "", ...tokens] = spelling.split(".", 32);
  return formsOf(base).flatMap((form) => {
    const { left, open, chosen } = attempt(form, tokens);
    if (left.length > 0 || !satisfies(version, target, form.needs)) return [];
    const isMode = ({ name, choices }: Slot): boolean => name === "rnd" || choices[0]!.text === "approx";
    const missing = open[0] ?? form.slots.find((slot, i) => isMode(slot) && chosen[i] === undefined);
    if (missing === undefined || open.length > 1) return [];
    const text = missing.choices[0]!.text;
    return [[base, ...form.slots.flatMap((slot, i) => (slot === missing ? text : (chosen[i] ?? [])))].join(".")];
  });
}
