// The options of `.target` as `.ptxkit.decl` stores them. For a module whose addresses do not have 64 bits, another word follows.
// Readers that do not know that word reject the file, as for any other unknown word.

import type { ModuleOrigin } from "./object.js";

type TargetOrigin = Pick<ModuleOrigin, "targetOptions" | "addressSize">;

const words = { 32: "address_size_32", any: "address_size_any" } as const;

/** The word for a module without an address size of its own: its addresses have 32 bits if another module's have. */
export const ANY_ADDRESS_SIZE = words.any;

export const targetWordsOf = ({ targetOptions, addressSize }: TargetOrigin): readonly string[] =>
  addressSize === undefined ? targetOptions : [...targetOptions, words[addressSize]];

export function fromTargetWords(all: readonly string[]): TargetOrigin {
  const last = all.at(-1);
  const size = last === words.any ? "any" : last === words[32] ? 32 : undefined;
  return size === undefined ? { targetOptions: all } : { targetOptions: all.slice(0, -1), addressSize: size };
}
