// The nesting depth of types, and whether they contain themselves.

import type { TypeMap } from "../ir/type-map.js";
import type { Type } from "../ir/type.js";

const none: readonly Type[] = [];

/** Whether a type contains itself, or is nested so deeply that walking it might not end. */
export const isEndless = (type: Type, { typeDepths }: { readonly typeDepths: TypeMap<number> }): boolean =>
  depthOf(type, typeDepths) > MAX_NESTED;

/** Nesting depth of a type, including itself; infinite if it contains itself other than through pointers. */
export function depthOf(type: Type, depths: TypeMap<number>): number {
  if (!hasParts(type)) return 1;
  const known = depths.get(type) ?? depthAtOnce(type, depths);
  if (known !== undefined) {
    depths.set(type, known);
    return known;
  }
  const stack: Type[] = [type];
  const open = new Set<Type>();
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    const parts = top.kind === "pointer" ? [] : partsOf(top);
    if (!open.has(top)) {
      open.add(top);
      for (const part of parts) {
        if (open.has(part)) depths.set(part, Infinity);
        if (depths.get(part) === undefined) stack.push(part);
      }
      continue;
    }
    stack.pop();
    open.delete(top);
    const inside = parts.map((part) => depths.get(part) ?? Infinity);
    depths.set(top, Math.max(depths.get(top) ?? 0, 1 + Math.max(0, ...inside)));
  }
  return depths.get(type)!;
}

/** The depth if those of all parts are known, as for most types; otherwise undefined. */
function depthAtOnce(type: Type, depths: TypeMap<number>): number | undefined {
  let most = 0;
  for (const part of partsOf(type)) {
    const depth = hasParts(part) ? depths.get(part) : 1;
    if (depth === undefined) return undefined;
    most = Math.max(most, depth);
  }
  return most + 1;
}

export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "pointer":
      return type.pointee === undefined ? none : [type.pointee];
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

export const hasParts = ({ kind }: Type): boolean =>
  kind === "array" || kind === "vector" || kind === "struct" || kind === "function";

/** Limit of the nesting of types: functions that walk them are recursive. */
export const MAX_NESTED = 400;
