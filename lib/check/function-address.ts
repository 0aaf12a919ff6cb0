// Rejects addresses of functions that have none. Functions of the driver have no address in a module: ptxas 13.0 rejects it
// everywhere in code and in initialisers ("Cannot take address of function 'free'"). For a variable of a function that does not
// use it, ptxas writes address 0; ptxkit rejects that, too. Direct calls are valid, and so are members of .calltargets lists. Nor
// can ptxas take the address of an external function that its calling convention cannot call (parameters.ts). It checks variables
// of bodies only if code of the body, reachable or not, names them, directly or through the addresses in other variables.

import { isDriverFunction } from "../isa/driver-functions.table.js";
import type { Code, Parameter } from "../isa/code.js";
import { noteSymbols } from "../isa/note-symbols.js";
import type { Ranged } from "../ptx/source-text.js";
import type { FunctionSymbol, ModuleSymbol } from "./module.js";
import { isNarrowValue, narrowFault, narrowRemedy } from "./narrow-parameters.js";
import type { Reporter } from "./reporter.js";

type Declared = Pick<FunctionSymbol, "name" | "linkage" | "prototype">;

/** Whether it is a driver function; a function of that name that the module defines is not. */
const isDrivers = ({ name, linkage }: Declared): boolean => linkage === "extern" && isDriverFunction(name);

const isNarrow = ({ layout }: Parameter): boolean => layout.dimensions.length === 0 && isNarrowValue(layout);

/** The first parameter of an external function that cannot be passed; undefined if all can. */
const narrowOf = ({ linkage, prototype }: Declared): Parameter | undefined =>
  linkage === "extern" ? (prototype.returns.find(isNarrow) ?? prototype.parameters.find(isNarrow)) : undefined;

/** Whether a function may have no address. */
export const mayHaveNoAddress = (symbol: Declared): boolean => isDrivers(symbol) || narrowOf(symbol) !== undefined;

/** Reports a function whose address is taken although it has none. False after a report. */
export const checkHasAddress = (symbol: FunctionSymbol, at: Ranged, reporter: Reporter): boolean =>
  checkIsNotDrivers(symbol, at, reporter) && checkCanBeCalled(symbol, at, reporter);

const notesOf = ({ place }: FunctionSymbol): { message: string; place: FunctionSymbol["place"] }[] => [
  { message: "it is declared here", place },
];

/** `checkHasAddress` for driver functions only. */
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

/** A variable of a body whose initial value contains such an address; `at` is the variable's name. */
export interface BodyPointer {
  readonly variable: number;
  readonly callee: FunctionSymbol;
  readonly at: Ranged;
}

/** The variable with the external function in its value that cannot be called; undefined if there is none. */
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

/** Reports those variables that the body uses. */
export function checkBodyPointers(
  pointers: readonly BodyPointer[],
  { instructions }: Pick<Code, "instructions">,
  symbols: readonly ModuleSymbol[],
  reporter: Reporter,
): void {
  const used = new Set<number>();
  for (const instruction of instructions)
    for (const operand of instruction.operands) if (operand !== undefined) noteSymbols(operand, used);
  // The set grows during iteration, which visits the new elements, too.
  for (const symbol of used) for (const further of pointedAt(symbols[symbol]!)) used.add(further);
  for (const { variable, callee, at } of pointers) if (used.has(variable)) checkCanBeCalled(callee, at, reporter);
}
