// Completions at an offset: opcodes and directives at the beginning of a statement, the next modifiers of the opcode's forms,
// visible names for an operand, and keywords in a declaration.

import type { Condition, Form, Limit, Slot } from "../isa/form.js";
import { needsText, syntaxText } from "../isa/form-text.js";
import { formsOf } from "../isa/opcode.js";
import { parseTarget, satisfies, type Requirement, type Target } from "../isa/requirement.js";
import { opcodeNames } from "../isa/rows/all.table.js";
import { specialRegister, specialRegisters } from "../isa/special-registers.table.js";
import { targets, type PtxVersion } from "../isa/targets.table.js";
import {
  functionDirectives,
  linkages,
  moduleStarters,
  pointedSpaces,
  spaces,
  statementStarters,
  targetWords,
  types,
  vectors,
} from "../ptx/words.table.js";
import type { LanguageDocument } from "./document.js";
import { declarationText } from "./hover.js";
import { moduleSymbols, type NamedSymbol } from "./names.js";
import { functionAt, localsAt } from "./occurrences.js";
import { withoutGuard, statementAt, wordStart, type Word } from "./words.js";

export type CompletionKind = "opcode" | "modifier" | "directive" | "special register" | "target" | NamedSymbol["kind"];

export interface Completion {
  /** Text that replaces the document's from `start` to the offset. */
  readonly text: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  /** The module's version or target does not support it. */
  readonly isUnavailable?: true;
}

export interface Completions {
  /** Start of the text that a completion replaces. */
  readonly start: number;
  readonly items: readonly Completion[];
}

export function completionsAt(document: LanguageDocument, offset: number): Completions {
  const begin = wordStart(document.text, offset);
  const word = document.text.slice(begin, offset);
  const { before, isFirst, isInComment } = statementAt(document, begin);
  if (isInComment) return { start: offset, items: [] };
  const inside = functionAt(document, offset);
  const isInBody = inside?.body !== undefined && inside.body.start < offset && offset < inside.body.end;
  const first = withoutGuard(before)[0]?.text ?? "";
  const module = availability(document);
  if (isFirst && !word.startsWith(".")) {
    const dot = word.lastIndexOf(".");
    if (dot >= 0) return { start: begin + dot + 1, items: modifiersAfter(word.slice(0, dot), module) };
    // In an unfinished module there may be no function around the offset.
    return { start: begin, items: [...opcodes(module), ...directives(isInBody)] };
  }
  if (isFirst) return { start: begin, items: directives(isInBody) };
  if (first === ".target") return { start: begin, items: targetNames() };
  if (word.startsWith(".")) return { start: begin, items: declarationWords(before) };
  if (first.startsWith(".") && !before.some(({ text }) => text === "=") && !/targets$/.test(first))
    return { start: begin, items: declarationWords(before) };
  const dot = word.lastIndexOf(".");
  if (dot > 0) return { start: begin + dot + 1, items: components(word.slice(0, dot)) };
  return { start: begin, items: names(document, offset) };
}

// ---------------------------------------------------------------------------------------------------------- instructions

interface Availability {
  readonly version: PtxVersion;
  readonly target: Target | undefined;
}

/** The version and target of the module's header; if they are missing, the newest version and any target. */
function availability(document: LanguageDocument): Availability {
  let version: PtxVersion = Infinity;
  let target: Target | undefined;
  for (const item of document.items()) {
    if (item.kind === "version") version = item.major * 10 + item.minor;
    if (item.kind === "target") target ??= item.names.map(({ text }) => parseTarget(text)).find((one) => one);
  }
  return { version, target };
}

const has = ({ version, target }: Availability, needs: Requirement): boolean =>
  target === undefined || satisfies(version, target, needs);

function opcodes(module: Availability): readonly Completion[] {
  return opcodeNames().map((text) => {
    const forms = formsOf(text);
    const isAvailable = forms.some(({ needs }) => has(module, needs));
    const detail = syntaxText(forms[0]!) + (forms.length > 1 ? ` and ${forms.length - 1} more` : "");
    return { text, kind: "opcode" as const, detail, ...(isAvailable ? {} : { isUnavailable: true as const }) };
  });
}

/** The completions of `ld.global`: the next modifiers of each form that accepts the modifiers already written. */
export function modifiersAfter(spelling: string, module: Availability): readonly Completion[] {
  const [base = "", ...tokens] = spelling.split(".");
  const found = new Map<string, Completion>();
  for (const form of formsOf(base)) {
    for (const { slot, chosen } of positionsAfter(form, tokens)) {
      for (const { text, needs } of slot.choices) {
        const next = [...chosen, text];
        if (form.limits.some((limit) => isBroken(limit, next))) continue;
        const isAvailable =
          has(module, form.needs) &&
          has(module, needs) &&
          form.limits.every(({ when, then }) => then.kind !== "needs" || !hold(when, next) || has(module, then.needs));
        const before = found.get(text);
        if (before !== undefined && (before.isUnavailable === undefined || !isAvailable)) continue;
        const more = needs.length === 0 ? form.needs : needs;
        const detail = `${slot.name === undefined ? form.id : `.${slot.name} of ${form.id}`}${more.length === 0 ? "" : `, PTX ${needsText(more)}`}`;
        found.set(text, { text, kind: "modifier", detail, ...(isAvailable ? {} : { isUnavailable: true as const }) });
      }
    }
  }
  return [...found.values()];
}

/** The slots that may come next, each with the modifiers chosen before it, in slot order. */
function positionsAfter(
  { slots }: Form,
  tokens: readonly string[],
): readonly { readonly slot: Slot; readonly chosen: readonly (string | undefined)[] }[] {
  let states: readonly (readonly (string | undefined)[])[] = [[]];
  for (const token of tokens) {
    states = states.flatMap((chosen) =>
      reachable(slots, chosen.length)
        .filter((at) => slots[at]!.choices.some(({ text }) => text === token))
        .map((at) => [...chosen, ...skipped(at - chosen.length), token]),
    );
  }
  return states.flatMap((chosen) =>
    reachable(slots, chosen.length).map((at) => ({
      slot: slots[at]!,
      chosen: [...chosen, ...skipped(at - chosen.length)],
    })),
  );
}

const skipped = (count: number): readonly undefined[] => new Array<undefined>(count).fill(undefined);

/** Slots from `from` on, up to the first required one. */
function reachable(slots: readonly Slot[], from: number): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < slots.length; at++) {
    found.push(at);
    if (!slots[at]!.optional) break;
  }
  return found;
}

type Chosen = readonly (string | undefined)[];

/** Whether a condition holds; undefined if it depends on a modifier that is not written yet. */
function holds({ slot, texts, negated }: Condition, chosen: Chosen): boolean | undefined {
  if (slot >= chosen.length) return undefined;
  const text = chosen[slot];
  return (text !== undefined && (texts === undefined || texts.includes(text))) !== negated;
}

const hold = (conditions: readonly Condition[], chosen: Chosen): boolean =>
  conditions.every((condition) => holds(condition, chosen) === true);

/** Whether the modifiers chosen so far break a limit, whatever modifiers follow. */
function isBroken({ when, then }: Limit, chosen: Chosen): boolean {
  if (!hold(when, chosen)) return false;
  return then.kind === "never" || (then.kind === "must" && then.conditions.some((one) => holds(one, chosen) === false));
}

// ----------------------------------------------------------------------------------------------------------------- names

/** Components of a special register or a vector. */
function components(name: string): readonly Completion[] {
  const special = specialRegister(name);
  if (special !== undefined && !special.vector) return [];
  const kind = special === undefined ? ("register" as const) : ("special register" as const);
  return ["x", "y", "z", "w"].map((text) => ({ text, kind }));
}

function names(document: LanguageDocument, offset: number): readonly Completion[] {
  const found = new Map<string, Completion>();
  const add = (symbol: NamedSymbol): void => {
    const declaration = symbol.declarations[0];
    if (symbol.count !== undefined || found.has(symbol.text) || declaration === undefined) return;
    found.set(symbol.text, { text: symbol.text, kind: symbol.kind, detail: declarationText(declaration, symbol) });
  };
  for (const symbol of localsAt(document, offset)) add(symbol);
  for (const symbol of moduleSymbols(document).values()) add(symbol);
  for (const { name, type, vector, needs } of specialRegisters) {
    const detail = `${vector ? ".v4 " : ""}.${type.name}, ${needs.length === 0 ? "any PTX" : `PTX ${needsText(needs)}`}`;
    found.set(name, { text: name, kind: "special register", detail });
  }
  return [...found.values()];
}

// ------------------------------------------------------------------------------------------------------------ directives

const directive = (text: string): Completion => ({ text, kind: "directive" });

function directives(isInBody: boolean): readonly Completion[] {
  const words = isInBody
    ? [...statementStarters, ".branchtargets", ".calltargets", ".callprototype"]
    : [...moduleStarters, ...[...spaces.keys()].filter((word) => word !== ".reg"), ".target", ".pragma"];
  return [...new Set(words)].map(directive);
}

const targetNames = (): readonly Completion[] =>
  [...targets.map(({ name }) => name), ...targetWords].map((text) => ({ text, kind: "target" }));

/** Directives that are valid inside a declaration. */
function declarationWords(before: readonly Word[]): readonly Completion[] {
  const first = before[0]?.text ?? "";
  const last = before.at(-1)?.text;
  if (linkages.has(first) && before.length === 1) return [".func", ".entry", ...spaces.keys()].map(directive);
  const isFunction = before.some(({ text }) => text === ".func" || text === ".entry");
  const closes = before.filter(({ text }) => text === ")").length;
  const opens = before.filter(({ text }) => text === "(").length;
  if (isFunction && opens === closes && last === ")") {
    const on = before.some(({ text }) => text === ".entry") ? "entry" : "func";
    const words = [...functionDirectives].filter(([, shape]) => shape.on === on).map(([word]) => word);
    return [...words, ".pragma"].map(directive);
  }
  if (isFunction && (last === "(" || last === ",")) return [".param", ".reg"].map(directive);
  if (last === ".ptr") return [...pointedSpaces, ".align"].map(directive);
  const isParameter = isFunction && before.some(({ text }) => text === ".param");
  return [...types.keys(), ...vectors.keys(), ".align", ".attribute", ...(isParameter ? [".ptr"] : [])].map(directive);
}
