// The names of one function body: registers, frame variables, labels, prototypes and target lists, in nested scopes. A name
// declared in an inner block hides the outer one (PTX ISA 9.0 section 4.4, 5.4.6 for `%r<N>`).
//
// A register gets its index when it is first used: `%r<1000000>` declares a million names and costs nothing, and what is
// declared but never used does not reach the object.

import type { FrameVariable, Layout, Register } from "../isa/code.js";
import type { DataType } from "../isa/types.table.js";
import type { Name, Ranged } from "../ptx/tree.js";
import { registerCode } from "./operand-codes.js";

export type Binding =
  | {
      readonly kind: "register";
      readonly index: number;
      readonly register: Register;
      /** What it is in a signature: signature.ts. */
      readonly code: number;
      /** Where it is declared. */
      readonly at: Ranged;
    }
  | { readonly kind: "variable"; readonly index: number; readonly variable: FrameVariable; readonly at: Ranged }
  /** A .shared, .global or .const variable of the body: index into the module's symbols. */
  | { readonly kind: "symbol"; readonly index: number }
  | { readonly kind: "label"; readonly target: number }
  | {
      readonly kind: "table";
      readonly table: "branch-targets" | "call-targets" | "prototypes";
      readonly index: number;
    }
  /** Its declaration was at fault, or missing, and has been reported: its uses are not. */
  | { readonly kind: "faulty" };

/** `%r<100>`: names that have no binding yet. */
interface Family {
  readonly count: bigint | number;
  readonly type: DataType;
  readonly vector: Register["vector"];
  readonly code: number;
  readonly at: Ranged;
}

export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: Map<string, Binding>;
  readonly singles: Map<string, Family>;
  readonly families: Map<string, Family>;
  /** Prefixes of numbered names without a meaning: those that no family has are not reported. */
  readonly faultyFamilies: Set<string>;
  /** The smallest number of the single names with a prefix, which a family of that prefix must not reach. */
  readonly leastNumbers: Map<string, bigint | number>;
}

export function createScope(parent: Scope | undefined): Scope {
  return {
    parent,
    names: new Map(),
    singles: new Map(),
    families: new Map(),
    faultyFamilies: new Set(),
    leastNumbers: new Map(),
  };
}

/** Registers in order of first use, with names made unique over all scopes. */
export interface RegisterFile {
  readonly registers: Register[];
  /** The scope of all registers so far; within one scope names are unique. */
  owner: Scope | undefined;
  /** The names of all registers, once there are registers of two scopes. */
  taken: Set<string> | undefined;
}

/** Declares one register, or `count` of them. False when the scope has that name already. */
export function declareRegister(
  scope: Scope,
  at: Name,
  type: DataType,
  vector: Layout["vector"],
  count?: bigint,
): boolean {
  const name = at.text;
  if (count !== undefined) {
    if (scope.families.has(name)) return false;
    const least = scope.leastNumbers.get(name);
    if (least !== undefined && least < count) return false;
    scope.families.set(name, { count: simple(count), type, vector, code: registerCode(type, vector), at });
    return true;
  }
  if (isDeclared(scope, name)) return false;
  scope.singles.set(name, { count: 0, type, vector, code: registerCode(type, vector), at });
  noteNumber(scope, name);
  return true;
}

/** Where this scope declares a name, or the family that it belongs to, as far as that is kept. */
export function declaredAt(scope: Scope, name: string): Ranged | undefined {
  const bound = scope.names.get(name);
  if (bound?.kind === "register" || bound?.kind === "variable") return bound.at;
  const prefix = familyPrefix(name);
  return (scope.singles.get(name) ?? scope.families.get(name) ?? scope.families.get(prefix))?.at;
}

/** Gives a name of this scope its meaning. */
export function declareName(scope: Scope, name: string, binding: Binding): void {
  scope.names.set(name, binding);
  noteNumber(scope, name);
}

function noteNumber({ leastNumbers }: Scope, name: string): void {
  const digits = numberStart(name);
  if (digits === name.length) return;
  const prefix = name.slice(0, digits);
  const number = numberAt(name, digits);
  const least = leastNumbers.get(prefix);
  if (least === undefined || number < least) leastNumbers.set(prefix, number);
}

/** Whether this scope itself has the name, with a meaning. */
export function isDeclared(scope: Scope, name: string): boolean {
  const bound = scope.names.get(name);
  if (bound !== undefined) return bound.kind !== "faulty";
  return scope.singles.has(name) || familyOf(scope, name) !== undefined;
}

/** Gives a name, or the names that begin with it and end in a number, no meaning; what is declared already keeps its own. */
export function declareFaulty(scope: Scope, name: string, family: boolean): void {
  if (family) scope.faultyFamilies.add(name);
  else if (!isDeclared(scope, name)) scope.names.set(name, { kind: "faulty" });
}

/**
 * The family of this scope that has declared the name, as one of its numbered members: as in ptxas, the number may have
 * leading zeros, and it is all of the digits at the end, so that `x1<3>` declares no x12.
 */
function familyOf(scope: Scope, name: string): Family | undefined {
  if (scope.families.size === 0) return undefined;
  const digits = numberStart(name);
  if (digits === name.length) return undefined;
  const family = scope.families.get(name.slice(0, digits));
  return family !== undefined && numberAt(name, digits) < family.count ? family : undefined;
}

/** What a name means here, allotting a register when it is one that has not been used before. */
export function findBinding(scope: Scope, name: string, file: RegisterFile): Binding | undefined {
  for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) {
    const bound = s.names.get(name);
    if (bound !== undefined) return bound;
    const declared = (s.singles.size > 0 ? s.singles.get(name) : undefined) ?? familyOf(s, name);
    if (declared !== undefined) return allot(s, name, declared, file);
    if (s.faultyFamilies.size > 0 && s.faultyFamilies.has(familyPrefix(name))) return { kind: "faulty" };
  }
  return undefined;
}

/** The name without the number at its end. */
export const familyPrefix = (name: string): string => name.slice(0, numberStart(name));

/** Where the digits at a name's end begin, at most 18 of them; the name's length when there are none. */
function numberStart(name: string): number {
  let at = name.length;
  while (at > 0 && isDigit(name.charCodeAt(at - 1)) && name.length - at < 18) at--;
  return at;
}

const ZERO = 48;

const isDigit = (code: number): boolean => code >= ZERO && code <= 57;

/** The number at a name's end. Most are small; those that a double cannot hold are bigints. */
function numberAt(name: string, digits: number): number | bigint {
  if (name.length - digits > 15) return BigInt(name.slice(digits));
  let number = 0;
  for (let at = digits; at < name.length; at++) number = 10 * number + name.charCodeAt(at) - ZERO;
  return number;
}

const simple = (count: bigint): number | bigint => (count <= Number.MAX_SAFE_INTEGER ? Number(count) : count);

function allot(scope: Scope, name: string, { type, vector, code, at }: Family, file: RegisterFile): Binding {
  const register: Register = { name: uniqueName(scope, name, file), type, vector };
  const binding: Binding = { kind: "register", index: file.registers.push(register) - 1, register, code, at };
  scope.names.set(name, binding);
  if (scope.singles.size > 0) scope.singles.delete(name);
  return binding;
}

function uniqueName(scope: Scope, name: string, file: RegisterFile): string {
  file.owner ??= scope;
  if (file.taken === undefined && file.owner === scope) return name;
  file.taken ??= new Set(file.registers.map((register) => register.name));
  let unique = name;
  for (let n = 1; file.taken.has(unique); n++) unique = `${name}_${n}`;
  file.taken.add(unique);
  return unique;
}

/** The names of `.local .u32 a<4>`: variables are few, unlike registers, so they are made at once, within reason. */
export function familyNames(name: string, count: bigint): readonly string[] {
  return Array.from({ length: Number(count > 65536n ? 65536n : count) }, (_, i) => `${name}${i}`);
}
