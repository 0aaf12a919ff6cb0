// The names of one function body: registers, frame variables, labels, prototypes and target lists, in nested scopes. A name
// declared in an inner block hides the outer one (PTX ISA 9.0 section 4.4, 5.4.6 for `%r<N>`).
//
// A register gets its index on first use: `%r<1000000>` declares a million names at no cost, and unused registers do not reach
// the object. Compilers count from %r1 in each function, so that properties of a register's name are kept for the module's other
// functions.

import type { FrameVariable, Layout, Register } from "../isa/code.js";
import { registerOperand, type RegisterOperand } from "../isa/instruction.js";
import type { DataType } from "../isa/types.table.js";
import { nameText, type Names } from "../ptx/names.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Name } from "../ptx/tree.js";
import { registerCode } from "./operand-codes.js";

export type Binding =
  | {
      readonly kind: "register";
      readonly index: number;
      readonly operand: RegisterOperand;
      readonly register: Register;
      /** Its code in a signature: operand-codes.ts. */
      readonly code: number;
      /** Place of the declaration. */
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
  /** The declaration was wrong or missing, and has been reported; uses are not reported. */
  | { readonly kind: "faulty" };

/** `%r<100>`: declares names that get a binding on first use. */
interface Family {
  readonly name: string;
  readonly count: bigint | number;
  readonly type: DataType;
  readonly vector: Register["vector"];
  readonly code: number;
  readonly at: Ranged;
}

/** A scope. Rare members are created on first use: a function has a scope for each call. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly names: Map<string, Binding>;
  singles: Map<string, Family> | undefined;
  families: Map<string, Family> | undefined;
  /** Prefixes of numbered names whose declaration was wrong; such names are not reported as undefined. */
  faultyFamilies: Set<string> | undefined;
  /** The smallest number of the single names with a prefix; a family with that prefix must not reach it. */
  leastNumbers: Map<string, bigint | number> | undefined;
  /** Symbols of the block's own .global and .const variables. */
  statics: number[] | undefined;
}

export function createScope(parent: Scope | undefined): Scope {
  return {
    parent,
    names: new Map(),
    singles: undefined,
    families: undefined,
    faultyFamilies: undefined,
    leastNumbers: undefined,
    statics: undefined,
  };
}

/** A name that was a register in the outermost block of some function. Its binding is valid for `file` only. */
interface RegisterName {
  readonly kind: "register";
  /** The text before the number at the name's end. */
  readonly prefix: string;
  /** The number at the name's end; undefined if there is none. */
  readonly number: number | bigint | undefined;
  file: RegisterFile | undefined;
  index: number;
  operand: RegisterOperand;
  register: Register;
  code: number;
  at: Ranged;
}

/** Register names of all functions of a module, or of several modules whose names have the same ids. */
export interface RegisterNames {
  readonly byText: Map<string, RegisterName>;
  /** By name id, filled on demand. */
  readonly byId: (RegisterName | undefined)[];
}

export const createRegisterNames = (): RegisterNames => ({ byText: new Map(), byId: [undefined] });

/** A function's registers in order of first use; names are unique over all scopes. */
export interface RegisterFile {
  readonly registers: Register[];
  readonly names: RegisterNames;
  /** Names of registers of inner blocks and renamed ones, with the number last appended to each. */
  taken: Map<string, number> | undefined;
}

/** Declares one register, or `count` of them. False if the scope already has the name. */
export function declareRegister(
  scope: Scope,
  at: Name,
  type: DataType,
  vector: Layout["vector"],
  count?: bigint,
): boolean {
  const name = at.text;
  if (count !== undefined) {
    if (scope.families?.has(name) === true) return false;
    const least = scope.leastNumbers?.get(name);
    if (least !== undefined && least < count) return false;
    scope.families ??= new Map();
    scope.families.set(name, { name, count: simple(count), type, vector, code: registerCode(type, vector), at });
    return true;
  }
  if (isDeclared(scope, name)) return false;
  scope.singles ??= new Map();
  scope.singles.set(name, { name, count: 0, type, vector, code: registerCode(type, vector), at });
  noteNumber(scope, name);
  return true;
}

/** The place where this scope declares a name or its family, if it is recorded. */
export function declaredAt(scope: Scope, name: string): Ranged | undefined {
  const bound = scope.names.get(name);
  if (bound?.kind === "register" || bound?.kind === "variable") return bound.at;
  const prefix = familyPrefix(name);
  return (scope.singles?.get(name) ?? scope.families?.get(name) ?? scope.families?.get(prefix))?.at;
}

/** Binds a name in this scope. */
export function declareName(scope: Scope, name: string, binding: Binding): void {
  scope.names.set(name, binding);
  noteNumber(scope, name);
}

function noteNumber(scope: Scope, name: string): void {
  const digits = numberStart(name);
  if (digits === name.length) return;
  const prefix = name.slice(0, digits);
  const number = numberAt(name, digits);
  scope.leastNumbers ??= new Map();
  const least = scope.leastNumbers.get(prefix);
  if (least === undefined || number < least) scope.leastNumbers.set(prefix, number);
}

/** Whether this scope itself declares the name validly. */
export function isDeclared(scope: Scope, name: string): boolean {
  const bound = scope.names.get(name);
  if (bound !== undefined) return bound.kind !== "faulty";
  return scope.singles?.has(name) === true || familyOf(scope, name) !== undefined;
}

/** Marks a name, or a family (the name and a number), as faulty. Earlier declarations stay valid. */
export function declareFaulty(scope: Scope, name: string, family: boolean): void {
  if (family) (scope.faultyFamilies ??= new Set()).add(name);
  else if (!isDeclared(scope, name)) scope.names.set(name, { kind: "faulty" });
}

/**
 * The family of this scope that has the name as a numbered member. As in ptxas, the number may have leading zeros, and consists
 * of all digits at the end, so that `x1<3>` declares no x12.
 */
function familyOf({ families }: Scope, name: string): Family | undefined {
  if (families === undefined) return undefined;
  const digits = numberStart(name);
  if (digits === name.length) return undefined;
  const family = familyCalled(families, name, digits);
  return family !== undefined && numberAt(name, digits) < family.count ? family : undefined;
}

/**
 * The family whose name is the first `length` characters of `name`. Families are few, so that comparing them is faster than
 * creating the substring.
 */
function familyCalled(families: ReadonlyMap<string, Family>, name: string, length: number): Family | undefined {
  if (families.size > 8) return families.get(name.slice(0, length));
  for (const family of families.values())
    if (family.name.length === length && name.startsWith(family.name)) return family;
  return undefined;
}

/** `familyOf` for a name that was split before. */
function familyOfKnown({ families }: Scope, { prefix, number }: RegisterName): Family | undefined {
  const family = number === undefined ? undefined : families?.get(prefix);
  return family !== undefined && number! < family.count ? family : undefined;
}

/** The binding of a name in this scope; allocates a register on its first use. */
export function findBinding(scope: Scope, name: string, file: RegisterFile): Binding | undefined {
  return findInner(scope, name, file) ?? findOutermost(outermost(scope), name, file.names.byText.get(name), file);
}

/** `findBinding` by name id: avoids looking up names of the outermost block as text. */
export function findById(scope: Scope, id: number, names: Names, file: RegisterFile): Binding | undefined {
  const { byId, byText } = file.names;
  const known = byId[id];
  if (known?.file === file && scope.parent === undefined) return known;
  const text = nameText(names, id);
  const inner = findInner(scope, text, file);
  if (inner !== undefined) return inner;
  const found = findOutermost(outermost(scope), text, known ?? byText.get(text), file);
  if (known === undefined && found?.kind === "register") {
    // Filled without holes, which would turn the array into a dictionary.
    while (byId.length <= id) byId.push(undefined);
    byId[id] = byText.get(text);
  }
  return found;
}

function outermost(scope: Scope): Scope {
  let s = scope;
  while (s.parent !== undefined) s = s.parent;
  return s;
}

/** Finds a name in the scopes inside the outermost one. */
function findInner(scope: Scope, name: string, file: RegisterFile): Binding | undefined {
  for (let s = scope; s.parent !== undefined; s = s.parent) {
    const bound = s.names.get(name);
    if (bound !== undefined) return bound;
    const declared = s.singles?.get(name) ?? familyOf(s, name);
    if (declared !== undefined) return allotInner(s, name, declared, file);
    if (isFaulty(s, name)) return faulty;
  }
  return undefined;
}

function findOutermost(
  s: Scope,
  name: string,
  known: RegisterName | undefined,
  file: RegisterFile,
): Binding | undefined {
  if (known?.file === file) return known;
  const bound = s.names.get(name);
  if (bound !== undefined) return bound;
  const single = s.singles?.get(name);
  const declared = single ?? (known === undefined ? familyOf(s, name) : familyOfKnown(s, known));
  if (declared !== undefined) return allocateRegister(known, name, declared, file);
  return isFaulty(s, name) ? faulty : undefined;
}

const faulty: Binding = { kind: "faulty" };

const isFaulty = ({ faultyFamilies }: Scope, name: string): boolean => faultyFamilies?.has(familyPrefix(name)) === true;

/** The name without the number at its end. */
export const familyPrefix = (name: string): string => name.slice(0, numberStart(name));

/** Index of the first of the digits at a name's end, at most 18; the name's length if there are none. */
function numberStart(name: string): number {
  let at = name.length;
  while (at > 0 && isDigit(name.charCodeAt(at - 1)) && name.length - at < 18) at--;
  return at;
}

const ZERO = 48;

const isDigit = (code: number): boolean => code >= ZERO && code <= 57;

/** The number at a name's end; a bigint if a double cannot hold it. */
function numberAt(name: string, digits: number): number | bigint {
  if (name.length - digits > 15) return BigInt(name.slice(digits));
  let number = 0;
  for (let at = digits; at < name.length; at++) number = 10 * number + name.charCodeAt(at) - ZERO;
  return number;
}

const simple = (count: bigint): number | bigint => (count <= Number.MAX_SAFE_INTEGER ? Number(count) : count);

/** Allocates a register of the function's outermost block. */
function allocateRegister(known: RegisterName | undefined, name: string, family: Family, file: RegisterFile): Binding {
  const { type, vector, code, at } = family;
  const unique = file.taken === undefined ? name : uniqueName(name, file, file.taken);
  if (unique !== name) file.taken?.set(unique, 0);
  if (known === undefined) {
    const digits = numberStart(name);
    known = {
      kind: "register",
      prefix: family.name.length === digits ? family.name : name.slice(0, digits),
      number: digits === name.length ? undefined : numberAt(name, digits),
      file,
      index: 0,
      operand: registerOperand(0),
      register: { name: unique, type, vector },
      code,
      at,
    };
    file.names.byText.set(name, known);
  }
  const { register: last } = known;
  if (last.type !== type || last.vector !== vector || last.name !== unique) {
    known.register = { name: unique, type, vector };
    known.code = code;
  }
  known.at = at;
  known.file = file;
  known.index = file.registers.push(known.register) - 1;
  known.operand = registerOperand(known.index);
  return known;
}

function allotInner(scope: Scope, name: string, { type, vector, code, at }: Family, file: RegisterFile): Binding {
  const taken = (file.taken ??= new Map());
  const register: Register = { name: uniqueName(name, file, taken), type, vector };
  if (!taken.has(register.name)) taken.set(register.name, 0);
  const index = file.registers.push(register) - 1;
  const binding: Binding = { kind: "register", index, operand: registerOperand(index), register, code, at };
  scope.names.set(name, binding);
  return binding;
}

function uniqueName(name: string, file: RegisterFile, taken: Map<string, number>): string {
  const isTaken = (one: string): boolean => taken.has(one) || file.names.byText.get(one)?.file === file;
  if (!isTaken(name)) return name;
  // The last number is remembered, so that a thousand blocks with a register of one name take linear time.
  let number = taken.get(name) ?? 0;
  let unique;
  do unique = `${name}_${++number}`;
  while (isTaken(unique));
  taken.set(name, number);
  return unique;
}

/** The names of `.local .u32 a<4>`. Variables are few, unlike registers, so that they are created at once, up to a limit. */
export function familyNames(name: string, count: bigint): readonly string[] {
  return Array.from({ length: Number(count > 65536n ? 65536n : count) }, (_, i) => `${name}${i}`);
}
