// Checks that a file can hold an object. Programs may change objects or make their own, so every number, index and string that
// writing would truncate, wrap or replace is refused.

import { parseTarget, type Target } from "../../isa/requirement.js";
import type { AppliedRelocation, ModuleOrigin, ObjectFile, ObjectSymbol, Relocation, Section } from "../object.js";

/** Upper bound of the numbers in a file. */
const LIMIT = 2 ** 31;

const NOTHING: readonly AppliedRelocation[] = [];

/** Throws RangeError for the first value that a file cannot hold. */
export function checkWritable(object: ObjectFile): void {
  const { sections, symbols, modules } = object;
  checkTarget("the object", object);
  modules.forEach(checkModule);
  sections.forEach((section, i) => checkSection(object, section, `section ${i}`));
  for (const symbol of symbols) checkSymbol(object, symbol);
  checkGraph(object);
}

function refuse(reason: string): never {
  throw new RangeError(reason);
}

const isInFile = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < LIMIT;

const isIndex = (value: number, list: readonly unknown[]): boolean =>
  Number.isInteger(value) && value >= 0 && value < list.length;

/** Any half of a surrogate pair. Most texts have none, which this finds faster than the search for unpaired ones. */
const HALVES = /[\ud800-\udfff]/;

/** Unpaired halves of surrogate pairs have no UTF-8; encoding would replace them. */
const isEncodable = (text: string): boolean => !HALVES.test(text) || !/\p{Surrogate}/u.test(text);

// -------------------------------------------------------------------------------------------------------------- modules

function checkTarget(where: string, { target, version }: { readonly target: Target; readonly version: number }): void {
  const { name, sm, suffix } = target;
  const known = parseTarget(name);
  if (known === undefined) refuse(`${where}: ${JSON.stringify(name)} is not a target, such as "sm_90a"`);
  if (known.sm !== sm || known.suffix !== suffix)
    refuse(`${where}: the target ${name} has the architecture ${sm}${suffix}`);
  if (!isInFile(version)) refuse(`${where}: PTX version ${version} is not a whole number from 0 to ${LIMIT - 1}`);
}

function checkModule(module: ModuleOrigin, index: number): void {
  const { name, targetOptions, targetLine, files } = module;
  const where = `module ${index}`;
  checkTarget(where, module);
  const texts = [name, ...targetOptions, ...files.map(({ path }) => path)];
  const wrong = texts.find((text) => !isEncodable(text));
  if (wrong !== undefined) refuse(`${where}: ${JSON.stringify(wrong)} contains half of a surrogate pair`);
  for (const value of [targetLine, ...files.map(({ index: of }) => of)])
    if (!isInFile(value)) refuse(`${where}: line or file number ${value} is not a whole number from 0 to ${LIMIT - 1}`);
}

// ------------------------------------------------------------------------------------------------------------- sections

function checkSection(object: ObjectFile, section: Section, where: string): void {
  const { role, size, align, data, relocations, applied = NOTHING } = section;
  if (align !== 0 && !isPowerOfTwo(align)) refuse(`${where}: an alignment of ${align} bytes, which is no power of two`);
  if (!Number.isSafeInteger(size) || size < 0) refuse(`${where}: a size of ${size} bytes`);
  const bytes = data?.length ?? 0;
  if (hasBytes(role) && bytes !== size) refuse(`${where}: ${bytes} bytes of data, and a size of ${size}`);
  if ("symbol" in role && !isIndex(role.symbol, object.symbols))
    refuse(`${where}: its function is symbol ${role.symbol}`);
  for (const relocation of relocations) {
    checkRelocation(object, relocation, where);
    if (!isWidth(relocation.width))
      refuse(`${where}: a relocation of ${relocation.width} bytes; relocations have 1, 2, 4 or 8`);
  }
  for (const relocation of applied) checkRelocation(object, relocation, where);
}

const isPowerOfTwo = (value: number): boolean =>
  Number.isSafeInteger(value) && value > 0 && 2 ** Math.round(Math.log2(value)) === value;

const hasBytes = ({ kind }: Section["role"]): boolean =>
  kind === "text" || kind === "global-init" || kind === "constant";

const isWidth = (width: number): boolean => width === 1 || width === 2 || width === 4 || width === 8;

function checkRelocation({ symbols }: ObjectFile, relocation: Omit<Relocation, "width">, where: string): void {
  const { offset, type, symbol, addend } = relocation;
  if (!isInFile(offset)) refuse(`${where}: a relocation at byte ${offset}`);
  if (!isInFile(type)) refuse(`${where}: a relocation of type ${type}`);
  if (!isIndex(symbol, symbols))
    refuse(`${where}: a relocation to symbol ${symbol}; the object has ${symbols.length} symbols`);
  if (addend !== 0n && BigInt.asIntN(64, addend) !== addend)
    refuse(`${where}: a relocation with the addend ${addend}, which does not fit 64 bits`);
}

// -------------------------------------------------------------------------------------------------------------- symbols

function checkSymbol({ sections, modules }: ObjectFile, { name, placement, origin }: ObjectSymbol): void {
  if (!isWritableName(name)) refuse(`a string table cannot hold ${JSON.stringify(name)}`);
  checkPosition(name, "line", origin.line);
  checkPosition(name, "column", origin.column ?? 0);
  if (!isIndex(origin.module, modules)) refuse(`${name}: declared in module ${origin.module} of ${modules.length}`);
  if (placement.kind === "section" && !isIndex(placement.section, sections))
    refuse(`${name}: defined in section ${placement.section} of ${sections.length}`);
}

/** Whether a name is read back unchanged: names end at a NUL. */
const isWritableName = (name: string): boolean => name !== "" && !name.includes("\0") && isEncodable(name);

function checkPosition(name: string, what: "line" | "column", value: number): void {
  if (!isInFile(value)) refuse(`${name}: declared in ${what} ${value}, which is none up to ${LIMIT - 1}`);
}

function checkGraph({ symbols, kernels, calls, addressTaken, codeProperties }: ObjectFile): void {
  const check = (what: string, symbol: number): void => {
    if (!isIndex(symbol, symbols)) refuse(`${what}: symbol ${symbol}; the object has ${symbols.length} symbols`);
  };
  for (const { symbol } of kernels) check("a kernel", symbol);
  for (const { caller, callee } of calls) {
    check("a caller", caller);
    check("a callee", callee);
  }
  for (const symbol of addressTaken) check("a function whose address is taken", symbol);
  for (const { symbol, addressUses } of codeProperties) {
    check("properties of code", symbol);
    for (const used of addressUses) check("a use of an address", used);
  }
}
