// Detects inputs that are the same file, given twice. Members of an archive may share a name and be different files: those define
// what both include once each, and differ otherwise.

import { valuesOf } from "../../base/series.js";
import type { ReadInputs, ReadObject } from "../model/linked.js";
import type { ReadSection } from "../../object/columns/views.js";

/** Whether two inputs, by number, have the same symbols and the same bytes. */
export type AreTwins = (a: number, b: number) => boolean;

/** Compares each pair once, because files that are given twice have many names in common. */
export function createTwins(inputs: ReadInputs): AreTwins {
  const known = new Map<string, boolean>();
  return (a, b) => {
    const pair = `${a} ${b}`;
    const before = known.get(pair);
    if (before !== undefined) return before;
    const now = areSame(inputs.at(a)!, inputs.at(b)!);
    known.set(pair, now);
    return now;
  };
}

function areSame(a: ReadObject, b: ReadObject): boolean {
  if (a.symbols.length !== b.symbols.length || a.sections.length !== b.sections.length) return false;
  let i = 0;
  for (const { name, linkage, origin } of valuesOf(a.symbols)) {
    const other = b.symbols.at(i++)!;
    if (name !== other.name || linkage !== other.linkage || origin.line !== other.origin.line) return false;
  }
  let section = 0;
  for (const each of valuesOf(a.sections)) if (!areSameBytes(each, b.sections.at(section++)!)) return false;
  return true;
}

const areSameBytes = (a: ReadSection, b: ReadSection): boolean =>
  a.role.kind === b.role.kind &&
  a.size === b.size &&
  (a.data === undefined ? b.data === undefined : b.data !== undefined && isEqual(a.data, b.data));

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);
