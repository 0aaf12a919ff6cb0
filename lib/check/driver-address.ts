// Addresses of functions of the driver: there are none that a module could hold. ptxas 13.0 refuses them wherever they stand, in
// code and in initialisers ("Cannot take address of function 'free'"), and makes an address of 0 of one in a variable of a
// function that does not use it, which is refused here too. Calls by name are right, and so are members of .calltargets lists.

import { isDriverFunction } from "../isa/driver-functions.table.js";
import type { Ranged } from "../ptx/tree.js";
import type { FunctionSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";

/** A function of that name which the module defines is its own; `.extern`, it does not. */
export const hasNoAddress = ({ name, linkage }: Pick<FunctionSymbol, "name" | "linkage">): boolean =>
  linkage === "extern" && isDriverFunction(name);

/** Reports a function that is the driver's where its address is taken. */
export function checkHasAddress(symbol: FunctionSymbol, at: Ranged, reporter: Reporter): boolean {
  if (!hasNoAddress(symbol)) return true;
  const { name } = symbol;
  reporter.report(
    "driver-address",
    at,
    `'${name}' is a function of the driver and has no address; it can only be called`,
    {
      notes: [{ message: "it is declared here", place: symbol.place }],
      remedy: `define a function that calls ${name}, and take that one's address`,
    },
  );
  return false;
}
