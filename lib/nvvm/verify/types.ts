// Types that a GPU does not have, anywhere in a module (NVVM IR 1.0 chapter 4 and section 10.1), and structures that contain
// themselves.

import type { Ranged } from "../../ptx/source-text.js";
import type { FloatName, PointerType, StructType, Type } from "../ir/type.js";
import type { Reporter } from "./facts.js";
import type { RuleName } from "./rules.table.js";
import { wordIn } from "./tokens.js";
import { depthOf, partsOf, hasParts, MAX_NESTED } from "./type-depth.js";

interface NamedStruct extends StructType {
  readonly name: string;
}

const isNamedStruct = (type: Type): type is NamedStruct => type.kind === "struct" && type.name !== undefined;
const isToNamed = ({ pointee }: PointerType): boolean => pointee !== undefined && isNamedStruct(pointee);
const none: readonly Type[] = [];

interface TypeFault {
  readonly rule: RuleName;
  /** In the text. */
  readonly word: string;
  /** In the message. */
  readonly words: readonly (string | number)[];
}

const floatRules: Readonly<Partial<Record<FloatName, RuleName>>> = {
  half: "type",
  bfloat: "type",
  fp128: "type-never",
  x86_fp80: "type-never",
  ppc_fp128: "type-never",
};

/** Address spaces of NVVM IR. */
const knownSpaces: ReadonlySet<number> = new Set([0, 1, 3, 4, 5]);
/** Further spaces of LLVM: tensor memory, shared memory of a cluster, and parameters of kernels. */
const laterSpaces: ReadonlySet<number> = new Set([6, 7, 101]);

/** Reports an invalid type in a range of the text, and returns whether it was invalid. */
export function checkType(type: Type, at: Ranged | (() => Ranged), reporter: Reporter): boolean {
  if (reporter.rightTypes.get(type) === true) return false;
  const fault = faultOf(type, reporter, undefined, 0);
  if (fault === undefined) {
    reporter.rightTypes.set(type, true);
    return false;
  }
  const range = typeof at === "function" ? at() : at;
  return reporter.report(fault.rule, wordIn(reporter.module, range, fault.word), fault.words);
}

function faultOf(type: Type, reporter: Reporter, above: Set<Type> | undefined, level: number): TypeFault | undefined {
  // Such a structure is checked at its definition; followed here, a chain of them would be as long as the module.
  const parts = type.kind === "pointer" && isToNamed(type) ? none : partsOf(type);
  if (parts.length === 0 && level <= MAX_NESTED) return ownFault(type, reporter);
  if (reporter.rightTypes.get(type) === true || above?.has(type) === true) return undefined;
  const depth = depthOf(type, reporter.typeDepths);
  const name = type.kind === "struct" ? (type.name ?? "") : "";
  if (depth === Infinity) return { rule: "type-recursive", word: `%${name}`, words: [name] };
  if (depth > MAX_NESTED || level > MAX_NESTED) return { rule: "type-deep", word: `%${name}`, words: [MAX_NESTED] };
  const own = ownFault(type, reporter);
  if (own !== undefined) return own;
  let seen = above;
  for (const part of parts) {
    if (hasParts(part) || part.kind === "pointer") (seen ??= new Set()).add(type);
    const fault = faultOf(part, reporter, seen, level + 1);
    // A named structure has its fields elsewhere: here, only its name is visible.
    if (fault !== undefined) return isNamedStruct(type) ? { ...fault, word: type.name } : fault;
  }
  return undefined;
}

function ownFault(type: Type, { holds }: Reporter): TypeFault | undefined {
  switch (type.kind) {
    case "float": {
      const rule = floatRules[type.name];
      return rule !== undefined && holds(rule) ? { rule, word: type.name, words: [type.name] } : undefined;
    }
    case "pointer": {
      const { space } = type;
      if (knownSpaces.has(space) || (laterSpaces.has(space) && !holds("type"))) return undefined;
      return { rule: "type-space", word: `addrspace(${space})`, words: [space] };
    }
    case "vector":
      return type.scalable ? { rule: "type-scalable", word: "vscale", words: [] } : undefined;
    case "x86_mmx":
    case "x86_amx":
    case "target":
      return { rule: "type-never", word: type.kind, words: [type.kind] };
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------------------------------------- kinds of types

export const elementOf = (type: Type): Type => (type.kind === "vector" ? type.element : type);
export const isInteger = (type: Type): boolean => elementOf(type).kind === "integer";
export const isFloat = (type: Type): boolean => elementOf(type).kind === "float";
export const isPointer = (type: Type): boolean => elementOf(type).kind === "pointer";
export const isFirstClass = (type: Type): boolean =>
  type.kind !== "void" && type.kind !== "function" && type.kind !== "label" && type.kind !== "metadata";

/** Elements of a vector, 0 for other types. */
export const lengthOf = (type: Type): number => (type.kind === "vector" ? type.count : 0);

const spaceNames: Readonly<Record<number, string>> = {
  0: "generic",
  1: "global",
  3: "shared",
  4: "constant",
  5: "local",
};
export const spaceName = (space: number): string => spaceNames[space] ?? `addrspace(${space})`;
