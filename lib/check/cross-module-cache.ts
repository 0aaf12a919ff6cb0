// A cache of names, by id, across modules that are checked one after the other. It is valid while the modules share one table of
// names (shared-names.ts in ptx), version and target. Compilers name registers and write opcodes alike in all modules, and
// modules are small if there are many.

import type { Names } from "../ptx/names.js";
import { createReadingMemory, type ReadingMemory } from "../ptx/outline.js";
import type { MatchCache, TrieNode } from "./match-cache.js";
import { createRegisterNames, type RegisterNames } from "./scope.js";
import { createSignature, type Signature } from "./signature.js";

export interface NameCache {
  readonly names: Names | undefined;
  /** Undefined in an empty cache. */
  readonly matchCache: MatchCache | undefined;
  /** The trie of cached matches for each spelling, by name id. */
  readonly tries: (TrieNode | undefined)[];
  readonly registerNames: RegisterNames;
}

/** Memory for checking modules one after the other; it is reused. */
export interface CrossModuleCache extends ReadingMemory {
  nameCache: NameCache;
  /** Reused, because its arrays have grown. */
  readonly signature: Signature;
}

export const createCrossModuleCache = (): CrossModuleCache => ({
  ...createReadingMemory(),
  nameCache: newNameCache(undefined, undefined),
  signature: createSignature(),
});

/** The cache for these names; a new one if the previous module had other names. Syntax trees have no name ids. */
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
