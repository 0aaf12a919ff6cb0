// Pass: --wrap. A module's reference to SYM that it does not define itself means __wrap_SYM, and one to __real_SYM means SYM:
// GNU ld's and lld's rule, by which references inside the module that defines SYM stay what they are. The driver's functions
// can be wrapped as any other: `--wrap malloc` sends calls of malloc to __wrap_malloc, whose __real_malloc is the driver's.

import type { ObjectSymbol } from "../../object/object.js";
import { isLocal, type Inputs } from "../inputs.js";

/** What references to these names, and to the real ones, mean instead. */
export const wrappedNames = (wrapped: readonly string[]): ReadonlyMap<string, string> =>
  new Map(wrapped.flatMap((name) => [[name, `__wrap_${name}`] as const, [`__real_${name}`, name]]));

/** The inputs with the references to `wrapped` names, and to the real ones, renamed. */
export function wrapReferences(inputs: Inputs, wrapped: readonly string[]): Inputs {
  if (wrapped.length === 0) return inputs;
  const newNames = wrappedNames(wrapped);
  return inputs.map((input) => {
    const newName = (symbol: ObjectSymbol): string | undefined =>
      symbol.placement.kind === "undefined" && !isLocal(symbol) ? newNames.get(symbol.name) : undefined;
    if (!input.symbols.some((symbol) => newName(symbol) !== undefined)) return input;
    return { ...input, symbols: input.symbols.map((symbol) => ({ ...symbol, name: newName(symbol) ?? symbol.name })) };
  });
}
