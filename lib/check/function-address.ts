// Functions without an address. Functions of the driver have none that a module could hold: ptxas 13.0 refuses them everywhere in
// code and in initialisers ("Cannot take address of function 'free'"), and writes an address of 0 into a variable of a function
// that does not use it, which is refused here too. Calls by name are valid, and so are members of .calltargets lists.
// Nor can ptxas take the address of an external function that its calling convention cannot call (parameters.ts). Of variables of
// bodies it checks only those that code of the body names, reachable or not, and those whose addresses these have.

import { isDriverFunction } from "../isa/driver-functions.table.js";
import type { Code, Parameter } from "../isa/code.js";
import { noteSymbols } from "../isa/note-symbols.js";
import type { Ranged } from "../ptx/source-text.js";
import type { FunctionSymbol, ModuleSymbol } from "./module.js";
import { isNarrowValue, narrowFault, narrowRemedy } from "./narrow-parameters.js";
import type { Reporter } from "./reporter.js";

type Declared = Pick<FunctionSymbol, "name" | "linkage" | "prototype">;

/** A function of that name which the module defines is its own; `.extern`, it does not. */
const isDrivers = ({ name, linkage }: Declared): boolean => linkage === "extern" && isDriverFunction(name);

const isNarrow = ({ layout }: Parameter): boolean => layout.dimensions.length === 0 && isNarrowValue(layout);

/** The first parameter of an external function that cannot be passed. */
const narrowOf = ({ linkage, prototype }: Declared): Parameter | undefined =>
  linkage === "extern" ? (prototype.returns.find(isNarrow) ?? prototype.parameters.find(isNarrow)) : undefined;

/** Whether its address may be refused. */
export const mayHaveNoAddress = (symbol: Declared): boolean => isDrivers(symbol) || narrowOf(symbol) !== undefined;

/** Reports a function where its address is taken and there is none. */
export const checkHasAddress = (symbol: FunctionSymbol, at: Ranged, reporter: Reporter): boolean =>
  checkIsNotDrivers(symbol, at, reporter) && checkCanBeCalled(symbol, at, reporter);

const notesOf = ({ place }: FunctionSymbol): { message: string; place: FunctionSymbol["place"] }[] => [
  { message: "it is declared here", place },
];

/** The same of the driver's functions alone. */
export function checkIsNotDrivers(symbol: FunctionSymbol, at: Ranged, reporter: Reporter): boolean {
  if (!isDrivers(symbol)) return true;
  const { name } = symbol;
  reporter.report(
    "driver-address",
    at,
    `'${name}' is a function of the driver and has no address; it can only be called`,
    { notes: notesOf(symbol), remedy: `define a function that calls ${name}, and take that one's address` },
  );
  return false;
}

function checkCanBeCalled(symbol: FunctionSymbol, at: Ranged, reporter: Reporter): boolean {
  const narrow = narrowOf(symbol);
  if (narrow === undefined) return true;
  reporter.report("variable-space", at, `'${symbol.name}' has no address, because ${narrowFault(narrow.layout)}`, {
    notes: notesOf(symbol),
    remedy: narrowRemedy(narrow.layout),
  });
  return false;
}

/** A variable of a body whose initial value has such an address; `at` is its name. */
export interface BodyPointer {
  readonly variable: number;
  readonly callee: FunctionSymbol;
  readonly at: Ranged;
}

/** That variable, if it is one. */
export function bodyPointer(variable: number, at: Ranged, symbols: readonly ModuleSymbol[]): BodyPointer | undefined {
  for (const symbol of pointedAt(symbols[variable]!)) {
    const callee = symbols[symbol]!;
    if (callee.kind === "function" && narrowOf(callee) !== undefined) return { variable, callee, at };
  }
  return undefined;
}

function* pointedAt(symbol: ModuleSymbol): Iterable<number> {
  if (symbol.kind === "variable") for (const fixup of symbol.initial?.fixups ?? []) yield fixup.symbol;
}

/** Reports those of a body that the body uses. */
export function checkBodyPointers(
  pointers: readonly BodyPointer[],
  { instructions }: Pick<Code, "instructions">,
  symbols: readonly ModuleSymbol[],
  reporter: Reporter,
): void {
  const used = new Set<number>();
  for (const instruction of instructions)
    for (const operand of instruction.operands) if (operand !== undefined) noteSymbols(operand, used);
  // A set that grows is walked to its end.
  for (const symbol of used) for (const further of pointedAt(symbols[symbol]!)) used.add(further);
  for (const { variable, callee, at } of pointers) if (used.has(variable)) checkCanBeCalled(callee, at, reporter);
}
