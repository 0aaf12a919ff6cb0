// Compares two definitions of one name: functions instruction by instruction, variables byte by byte with the targets of their
// addresses. Names of registers and labels, source lines and symbol numbers do not count. A static symbol is compared by its
// contents, not by name, because compilers number them. Used only for duplicate definitions. Rejected: comparing the encoded
// bytes, which contain lines and symbol numbers.

import type { Layout, Prototype } from "../../isa/code.js";
import { decodeFunction, type DecodedFunction } from "../../object/code/decode.js";
import { type CodeSymbol, type Relocation, type VariableSymbol, isLocal } from "../../object/object.js";
import { prototypeText } from "../model/describe.js";
import type { Contribution } from "../model/contributions.js";
import type { ReadInputs } from "../model/linked.js";

/** The difference between two definitions. */
export interface Difference {
  /** Text that follows "here": "has 12 instructions and 10 there". */
  readonly what: string;
  /** Lines of the first instructions that differ, if they are known. */
  readonly lines?: readonly [here: number, there: number];
}

/** Undefined if the definitions are equal. Both must be of the same kind. */
export function findDifference(inputs: ReadInputs, here: Contribution, there: Contribution): Difference | undefined {
  return compare({ inputs, compared: new Set() }, here, there);
}

interface Comparing {
  readonly inputs: ReadInputs;
  /** Pairs of static symbols under comparison: recursion counts as equal. */
  readonly compared: Set<string>;
}

function compare(comparing: Comparing, here: Contribution, there: Contribution): Difference | undefined {
  const [a, b] = [here.symbol, there.symbol];
  if (a.kind === "variable" && b.kind === "variable") return compareVariables(comparing, here, a, there, b);
  if (a.kind === "function" && b.kind === "function") return compareFunctions(comparing, here, a, there, b);
  if (a.kind === "reference" && b.kind === "reference" && a.type === b.type) return undefined;
  return { what: "is another kind of thing" };
}

// ----------------------------------------------------------------------------------------------------------- variables

function compareVariables(
  comparing: Comparing,
  here: Contribution,
  a: VariableSymbol,
  there: Contribution,
  b: VariableSymbol,
): Difference | undefined {
  if (a.managed !== b.managed)
    return { what: a.managed ? "has it managed, and not so there" : "has it not managed, and managed there" };
  if (String(a.unified) !== String(b.unified)) return { what: "has another .unified attribute than there" };
  if (a.space !== b.space) return { what: `has it in .${a.space} and in .${b.space} there` };
  if (layoutText(a.layout) !== layoutText(b.layout))
    return { what: `has ${layoutText(a.layout)} and ${layoutText(b.layout)} there` };
  if (a.initialised !== b.initialised)
    return { what: a.initialised ? "has a value and none there" : "has no value and one there" };
  const [mine, theirs] = [valueOf(comparing.inputs, here, a), valueOf(comparing.inputs, there, b)];
  const byte = mine.bytes.findIndex((value, i) => value !== theirs.bytes[i]);
  if (byte !== -1)
    return { what: `has 0x${hex(mine.bytes[byte])} at byte ${byte} and 0x${hex(theirs.bytes[byte])} there` };
  const [p, q] = [mine.relocations, theirs.relocations];
  const differs = p.findIndex((each, i) => !sameRelocation(comparing, here, each, there, q[i]));
  const first = differs === -1 && q.length > p.length ? p.length : differs;
  if (first === -1) return undefined;
  const offset = (p[first] ?? q[first])!.offset;
  return { what: `has another address at byte ${offset} than there` };
}

const hex = (byte: number | undefined): string => (byte ?? 0).toString(16).padStart(2, "0");

function layoutText({ type, vector, dimensions, align }: Layout): string {
  const shape = dimensions.map((n) => `[${n ?? ""}]`).join("");
  return `.align ${align} ${vector === 1 ? "" : `.v${vector} `}.${type.name}${shape}`;
}

/** The variable's bytes and relocations, relative to its start. */
function valueOf(inputs: ReadInputs, { object }: Contribution, { placement, layout }: VariableSymbol) {
  const none = { bytes: new Uint8Array(), relocations: [] as readonly Relocation[] };
  if (placement.kind !== "section") return none;
  const section = inputs.at(object)!.sections.at(placement.section)!;
  const [start, end] = [placement.offset, placement.offset + layout.size];
  return {
    bytes: section.data?.subarray(start, end) ?? none.bytes,
    relocations: [...section.relocations]
      .filter(({ offset }) => offset >= start && offset < end)
      .map((each) => ({ ...each, offset: each.offset - start })),
  };
}

function sameRelocation(
  comparing: Comparing,
  here: Contribution,
  a: Relocation,
  there: Contribution,
  b: Relocation | undefined,
): boolean {
  if (b === undefined || a.offset !== b.offset || a.type !== b.type || a.addend !== b.addend) return false;
  return sameSymbol(comparing, here.object, a.symbol, there.object, b.symbol);
}

/** Compares shared names by name, and static symbols by their contents. */
function sameSymbol(comparing: Comparing, objectA: number, a: number, objectB: number, b: number): boolean {
  const { inputs, compared } = comparing;
  const here = { object: objectA, index: a, symbol: inputs.at(objectA)!.symbols.at(a)! };
  const there = { object: objectB, index: b, symbol: inputs.at(objectB)!.symbols.at(b)! };
  if (isLocal(here.symbol) !== isLocal(there.symbol)) return false;
  if (!isLocal(here.symbol)) return here.symbol.name === there.symbol.name;
  const key = `${objectA} ${a} ${objectB} ${b}`;
  if (compared.has(key)) return true;
  compared.add(key);
  return compare(comparing, here, there) === undefined;
}

// ----------------------------------------------------------------------------------------------------------- functions

function compareFunctions(
  comparing: Comparing,
  here: Contribution,
  a: CodeSymbol,
  there: Contribution,
  b: CodeSymbol,
): Difference | undefined {
  if (signatureText(a.prototype) !== signatureText(b.prototype)) {
    const [mine, theirs] = [prototypeText(a), prototypeText(b)];
    return {
      what: mine === theirs ? "has parameters of other alignment than there" : `has ${mine} and ${theirs} there`,
    };
  }
  if (JSON.stringify(a.directives) !== JSON.stringify(b.directives)) return { what: "has other directives than there" };
  const [mine, theirs] = [bodyOf(comparing.inputs, here), bodyOf(comparing.inputs, there)];
  if (mine === undefined || theirs === undefined) return undefined;
  const [p, q] = [mine.decoded.code.instructions, theirs.decoded.code.instructions];
  const same = (x: unknown, y: unknown): boolean =>
    equal(x, y, (i, j) => {
      const [s, t] = [mine.symbols[i], theirs.symbols[j]];
      return s !== undefined && t !== undefined && sameSymbol(comparing, here.object, s, there.object, t);
    });
  const first = p.findIndex((each, i) => {
    const other = q[i];
    const [guard, operands] = [each.guard, each.operands];
    return (
      other === undefined || each.opcode !== other.opcode || !same([guard, operands], [other.guard, other.operands])
    );
  });
  if (p.length !== q.length)
    return {
      what: `has ${countText(p.length)} and ${q.length} there`,
      ...linesAt(p, q, first === -1 ? p.length : first),
    };
  if (first !== -1)
    return {
      what: instructionsText(p[first]!.opcode.spelling, q[first]!.opcode.spelling, first + 1),
      ...linesAt(p, q, first),
    };
  return same(tablesOf(mine.decoded), tablesOf(theirs.decoded))
    ? undefined
    : { what: "has other variables than there" };
}

const instructionsText = (here: string, there: string, number: number): string =>
  here === there
    ? `has other operands in instruction ${number}, ${here}, than there`
    : `has ${here} as instruction ${number} and ${there} there`;

const countText = (n: number): string => `${n} ${n === 1 ? "instruction" : "instructions"}`;

function linesAt(p: readonly { readonly line: number }[], q: readonly { readonly line: number }[], at: number) {
  const [here, there] = [p[at]?.line ?? 0, q[at]?.line ?? 0];
  return here === 0 || there === 0 ? {} : { lines: [here, there] as const };
}

const signatureText = ({ returns, parameters, noreturn }: Prototype): string =>
  [returns, parameters].map((list) => list.map(({ layout }) => layoutText(layout)).join(",")).join(";") + noreturn;

/** The parts of a body besides its instructions, without names. */
const tablesOf = ({ code }: DecodedFunction) => [
  code.registers.map(({ type, vector }) => [type.name, vector]),
  code.variables.map(({ kind, layout, register }) => [kind, layoutText(layout), register]),
  code.branchTargets.map(({ targets }) => targets),
  code.callTargets.map(({ symbols }) => symbols.map((symbol) => ({ kind: "symbol", symbol }))),
  code.prototypes.map(({ prototype }) => signatureText(prototype)),
  code.pragmas,
];

interface Body {
  readonly decoded: DecodedFunction;
  /** The object's symbol for each slot. */
  readonly symbols: readonly (number | undefined)[];
}

function bodyOf(inputs: ReadInputs, { object, symbol }: Contribution): Body | undefined {
  if (symbol.placement.kind !== "section") return undefined;
  const section = inputs.at(object)!.sections.at(symbol.placement.section)!;
  const decoded = decodeFunction(section.data ?? new Uint8Array());
  if (!decoded.ok) return undefined;
  const at = new Map([...section.relocations].map((each) => [each.offset, each.symbol]));
  return { decoded: decoded.value, symbols: decoded.value.slots.map(({ offset }) => at.get(offset)) };
}

/** Deep equality of plain data, in which `{ kind: "symbol", symbol }` is compared by `sameSlot`. */
function equal(a: unknown, b: unknown, sameSlot: (a: number, b: number) => boolean): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => equal(item, b[i], sameSlot));
  const [x, y] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  if (x["kind"] === "symbol" && y["kind"] === "symbol") return sameSlot(x["symbol"] as number, y["symbol"] as number);
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((key) => equal(x[key], y[key], sameSlot));
}
