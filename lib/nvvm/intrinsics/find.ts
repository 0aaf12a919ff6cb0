// Finds an intrinsic of the table by its name in a module.

import { nearest } from "../../base/nearest.js";
import { once } from "../../base/once.js";
import type { FunctionType, Type } from "../ir/type.js";
import { intrinsicRows } from "../intrinsics.table.js";
import { fillChoices, matchName, namesOf, partsOf } from "./pattern.js";
import type { IntrinsicRow } from "./row.js";
import { parseSignature, signatureFault, type Signature } from "./signature.js";

export interface Intrinsic {
  readonly row: IntrinsicRow;
  /** Words selected by the name, in the order of the pattern. */
  readonly choices: readonly string[];
  /** Types of an overloaded name with their dots: ".i32"; "" for others. */
  readonly suffix: string;
  readonly signature: Signature;
  /** The template with choices filled in; for an intrinsic with one for each type, see `templateFor`. */
  readonly ptx: string | Readonly<Record<string, string>> | undefined;
  /** The misprinted letter l for the digit 1 in the name's types (`pli64`), as in NVVM IR 1.0 chapter 13. */
  readonly misprint: boolean;
}

/** Rows by the first word of their names; a row whose first word has choices is listed under each. */
const families = once((): ReadonlyMap<string, readonly IntrinsicRow[]> => {
  const groups = new Map<string, IntrinsicRow[]>();
  for (const row of intrinsicRows())
    for (const key of keysOf(row.name)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  return groups;
});

/** The words by which a row can be looked up. */
function keysOf(pattern: string): Iterable<string> {
  // Most have no alternatives in their first word.
  const start = pattern.startsWith("nvvm.") ? 5 : 0;
  const dot = pattern.indexOf(".", start);
  const first = dot < 0 ? pattern.replace(/\*$/, "") : pattern.slice(0, dot);
  if (!first.includes("<")) return [first];
  // Alternatives of later words do not affect the key, and there may be many.
  const words = pattern.startsWith("nvvm.") ? pattern.slice(5) : pattern;
  const end = words.search(/\.(?![^<]*>)/);
  const head = end < 0 ? words : words.slice(0, end);
  return new Set(namesOf({ name: head }).map((name) => keyOf(pattern.startsWith("nvvm.") ? `nvvm.${name}` : name)));
}

/** `nvvm.shfl` of `nvvm.shfl.sync.up.i32`, `ctpop` of `ctpop.i32`. */
function keyOf(name: string): string {
  const words = name.split(".");
  return words[0] === "nvvm" ? `nvvm.${words[1] ?? ""}` : words[0]!;
}

/** By name; null for unknown names. */
const found = new Map<string, Intrinsic | null>();
/** Hostile modules have any number of names. */
const MAX_FOUND = 4096;

/** The intrinsic of that name (`llvm.ctpop.i32`); undefined for an unknown name. */
export function findIntrinsic(name: string): Intrinsic | undefined {
  if (!name.startsWith("llvm.")) return undefined;
  const known = found.get(name);
  if (known !== undefined) return known ?? undefined;
  if (found.size >= MAX_FOUND) found.clear();
  const made = matchIntrinsic(name);
  found.set(name, made ?? null);
  return made;
}

function matchIntrinsic(name: string): Intrinsic | undefined {
  const rest = name.slice("llvm.".length);
  for (const row of families().get(keyOf(rest)) ?? []) {
    const match = matchName(rest, row.name, partsOf(row.name));
    if (match === undefined) continue;
    const { choices, suffix } = match;
    const fill = (text: string): string => fillChoices(text, choices);
    return {
      row,
      choices,
      suffix,
      signature: parseSignature(fill(row.type)),
      ptx:
        row.ptx === undefined || typeof row.ptx === "string"
          ? row.ptx && fill(row.ptx)
          : Object.fromEntries(Object.entries(row.ptx).map(([type, text]) => [type, fill(text)])),
      misprint: /\.pl[if]\d/.test(suffix),
    };
  }
  return undefined;
}

/** Suggestions for an unknown name. */
export function nearIntrinsics(name: string): readonly string[] {
  const rest = name.replace(/^llvm\./, "");
  const family =
    families().get(keyOf(rest)) ??
    intrinsicRows().filter((row) => row.name.startsWith("nvvm.") === rest.startsWith("nvvm."));
  const names = family.flatMap(namesOf);
  return nearest(rest, names).map((near) => `llvm.${near}`);
}

const elementName = (type: Type): string | undefined => {
  if (type.kind === "vector") return elementName(type.element);
  if (type.kind === "integer") return `i${type.bits}`;
  if (type.kind === "float") return { half: "f16", bfloat: "bf16", float: "f32", double: "f64" }[type.name as string];
  return undefined;
};

/**
 * The template for a call of that type: the only one, or that of the element type of the first type variable. Undefined if the
 * intrinsic has none, or none for the type; `narrow` of the row then tells whether a wider one can be used.
 */
export function templateFor({ ptx, signature }: Intrinsic, type: FunctionType): string | undefined {
  if (ptx === undefined || typeof ptx === "string") return ptx;
  const bound = new Map<string, Type>();
  if (signatureFault(type, signature, bound) !== undefined) return undefined;
  const name = ["F", "G", "I", "J", "V"].flatMap((letter) => {
    const found = bound.get(letter);
    const element = found === undefined ? undefined : elementName(found);
    return element !== undefined && element in ptx ? [element] : [];
  })[0];
  return name === undefined ? undefined : ptx[name];
}
