// A cache of names across modules that are checked one after the other, by the names' ids. It is valid while the modules share
// one table of names (shared-names.ts in ptx), version and target.
// Compilers name registers and spell opcodes alike in all modules, which are small where there are many.

import type { Names } from "../ptx/names.js";
import { createReadingMemory, type ReadingMemory } from "../ptx/outline.js";
import type { MatchCache, TrieNode } from "./match-cache.js";
import { createRegisterNames, type RegisterNames } from "./scope.js";
import { createSignature, type Signature } from "./signature.js";

export interface NameCache {
  readonly names: Names | undefined;
  /** Undefined where nothing is. */
  readonly matchCache: MatchCache | undefined;
  /** By name id: the trie of the spelling's cached matches. */
  readonly tries: (TrieNode | undefined)[];
  readonly registerNames: RegisterNames;
}

/** Memory for checking modules one after the other. */
export interface CrossModuleCache extends ReadingMemory {
  nameCache: NameCache;
  /** Its arrays have grown. */
  readonly signature: Signature;
}

export const createCrossModuleCache = (): CrossModuleCache => ({
  ...createReadingMemory(),
  nameCache: newNameCache(undefined, undefined),
  signature: createSignature(),
});

/** The cache for these names; a new one if the module before had other names. A syntax tree has no names with ids. */
export function nameCacheOf(
  memory: CrossModuleCache | undefined,
  names: Names | undefined,
  matchCache: MatchCache,
): NameCache {
  const known = memory?.nameCache;
  if (known?.names === names && known?.matchCache === matchCache) return known;
  const nameCache = newNameCache(names, matchCache);
  if (memory !== undefined) memory.nameCache = nameCache;
  return nameCache;
}

/** `tries` is never empty: V8 learns an array's element kind from its first element. */
const newNameCache = (names: NameCache["names"], matchCache: NameCache["matchCache"]): NameCache => ({
  names,
  matchCache,
  tries: [undefined],
  registerNames: createRegisterNames(),
});
