// Matches names of intrinsics against the patterns of the table (row.ts), without a list of all names: there are thousands.

import type { IntrinsicRow } from "./row.js";

/** Parts of a pattern: a literal, or the alternatives of one position. */
type Part = string | readonly Choice[];

interface Choice {
  /** The word in the name. */
  readonly word: string;
  /** The word in the type and the template. */
  readonly means: string;
}

/** The alternatives selected by a name. */
export interface Match {
  /** The alternatives of `<1>`, `<2>`, …. */
  readonly choices: readonly string[];
  /** Types of an overloaded name with their dots, "" for others. */
  readonly suffix: string;
}

/** The literals and alternatives of a pattern, without the star. */
export function partsOf(pattern: string): readonly Part[] {
  return pattern
    .replace(/\*$/, "")
    .split(/(<[^>]*>)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("<") ? part.slice(1, -1).split("|").map(choiceOf) : part));
}

function choiceOf(text: string): Choice {
  const equals = text.indexOf("=");
  return equals < 0 ? { word: text, means: text } : { word: text.slice(0, equals), means: text.slice(equals + 1) };
}

/** `.i32`, `.v2f32`, `.nxv4i1`, `.bf16`, `.p0`, `.p1i8`, `.p0s_pair`, `.sl_i32i1s`, `.a4i32`; the misprint `.pli64` too. */
const suffix =
  /^(?:\.(?:(?:nx)?v\d+)?(?:[if]\d+|bf16|ppcf128|p[\dl](?:\d*)(?:[a-zA-Z_0-9]*(?:\.[a-zA-Z_]\w*)?)|s_[\w.$-]+|sl_\w+|a\d+\w+|isVoid|Metadata))+$/;

/** The alternatives that the name, without `llvm.`, selects in the pattern; undefined if it does not match. */
export function matchName(name: string, pattern: string, parts: readonly Part[]): Match | undefined {
  const choices: string[] = [];
  const open = pattern.endsWith("*");
  let rest = "";

  function follow(at: number, part: number): boolean {
    if (part === parts.length) {
      rest = name.slice(at);
      return rest === "" || (open && suffix.test(rest));
    }
    const wanted = parts[part]!;
    if (typeof wanted === "string") return name.startsWith(wanted, at) && follow(at + wanted.length, part + 1);
    for (const { word, means } of wanted) {
      if (!name.startsWith(word, at)) continue;
      choices.push(means);
      if (follow(at + word.length, part + 1)) return true;
      choices.pop();
    }
    return false;
  }

  return follow(0, 0) ? { choices, suffix: rest } : undefined;
}

/** Every name of a row, without types: for tests, and for suggestions. */
export function namesOf({ name }: Pick<IntrinsicRow, "name">): readonly string[] {
  return partsOf(name).reduce<readonly string[]>(
    (begun, part) =>
      typeof part === "string"
        ? begun.map((start) => start + part)
        : begun.flatMap((start) => part.map(({ word }) => start + word)),
    [""],
  );
}

/** Fills the selected alternatives into a type or a template. */
export const fillChoices = (text: string, choices: readonly string[]): string =>
  text.replace(/<(\d)>/g, (all, digit: string) => choices[Number(digit) - 1] ?? all);
