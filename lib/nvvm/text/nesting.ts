// The nesting depth of types through names, limited so that no later stage exhausts the stack.

import type { Ranged } from "../../ptx/source-text.js";
import type { StructType, Type } from "../ir/type.js";
import type { TypeMap } from "../ir/type-map.js";
import { fail } from "./fault.js";
import { flatter } from "./read.js";
import type { Parser } from "./state.js";

/** Limit of types within types, through names as well. */
const MAX_LEVELS = 1000;

/** Refuses a type that nests too deep. */
export function checkNesting(p: Parser, type: Type, range: Ranged): void {
  if (levelsOf(p.module.levels, type, 0) > MAX_LEVELS) fail(p, `types nest at most ${MAX_LEVELS} deep`, range, flatter);
}

/** Nesting depth of a type; 0 for a structure that is being measured: the verifier reports that it contains itself. */
function levelsOf(known: TypeMap<number>, type: Type, above: number): number {
  const before = known.get(type);
  if (before !== undefined) return before;
  if (above > MAX_LEVELS) return above;
  const parts = partsOf(type);
  if (parts.length === 0) return 1;
  known.set(type, 0);
  let most = 0;
  for (const part of parts) most = Math.max(most, levelsOf(known, part, above + 1));
  const levels = most + 1;
  // A type cut off here was not measured completely.
  if (levels + above <= MAX_LEVELS) known.set(type, levels);
  else known.delete(type);
  return levels;
}

const none: readonly Type[] = [];

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "pointer":
      return type.pointee === undefined || isNamed(type.pointee) ? none : [type.pointee];
    case "array":
    case "vector":
      return [type.element];
    case "struct":
      return type.fields ?? none;
    case "function":
      return [type.result, ...type.parameters];
    default:
      return none;
  }
}

const isNamed = (type: Type): type is StructType => type.kind === "struct" && type.name !== undefined;
