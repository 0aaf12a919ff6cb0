// Addresses of functions that have none. Functions of the driver have none that a module could hold: ptxas 13.0 refuses them wherever they stand, in
// code and in initialisers ("Cannot take address of function 'free'"), and makes an address of 0 of one in a variable of a
// function that does not use it, which is refused here too. Calls by name are right, and so are members of .calltargets lists.
// Nor can ptxas take that of an external function that its calling convention cannot call (parameters.ts), but for a variable of
// a function that does not use it; here one that does is not refused either.

import { isDriverFunction } from "../isa/driver-functions.table.js";
import type { Ranged } from "../ptx/tree.js";
import type { Parameter } from "../isa/code.js";
import type { FunctionSymbol } from "./module.js";
import { isNarrowValue, narrowFault, narrowRemedy } from "./parameters.js";
import type { Reporter } from "./reporter.js";

type Declared = Pick<FunctionSymbol, "name" | "linkage" | "prototype">;

/** A function of that name which the module defines is its own; `.extern`, it does not. */
const isDrivers = ({ name, linkage }: Declared): boolean => linkage === "extern" && isDriverFunction(name);

const isNarrow = ({ layout }: Parameter): boolean => layout.dimensions.length === 0 && isNarrowValue(layout);

/** What of an external function cannot be passed. */
const narrowOf = ({ linkage, prototype }: Declared): Parameter | undefined =>
  linkage === "extern" ? (prototype.returns.find(isNarrow) ?? prototype.parameters.find(isNarrow)) : undefined;

/** Whether its address may be refused. */
export const mayHaveNoAddress = (symbol: Declared): boolean => isDrivers(symbol) || narrowOf(symbol) !== undefined;

/** Reports a function where its address is taken and there is none. `inBody`: by the value of a variable of a function's. */
export function checkHasAddress(symbol: FunctionSymbol, at: Ranged, reporter: Reporter, inBody = false): boolean {
  const { name } = symbol;
  const notes = [{ message: "it is declared here", place: symbol.place }];
  if (!isDrivers(symbol)) {
    const narrow = inBody ? undefined : narrowOf(symbol);
    if (narrow === undefined) return true;
    reporter.report("variable-space", at, `'${name}' has no address, because ${narrowFault(narrow.layout)}`, {
      notes,
      remedy: narrowRemedy(narrow.layout),
    });
    return false;
  }
  reporter.report(
    "driver-address",
    at,
    `'${name}' is a function of the driver and has no address; it can only be called`,
    {
      notes,
      remedy: `define a function that calls ${name}, and take that one's address`,
    },
  );
  return false;
}
