// A cache of matched instructions. Key: a module's version and target, a spelling and a signature (signature.ts). Value: the row,
// and the operand number of each of its places. Compiled PTX repeats the same few hundred combinations, so that nearly every
// instruction is a hit and is never compared with the table. Only instructions that passed every check without a report are
// cached. The first of each kind, and all wrong ones, take the slow path.
//
// An entry depends on the isa table only, so that the cache outlives the module: it memoizes a pure function over constant
// tables, as isa/opcode.ts does. The signatures of one spelling form a trie of their codes.
//
// Rejected: a table made in advance (all rows by all types, of which a program uses a hundredth), and one cache per module
// (modules of a linked program are small and alike: a third of their instructions would be the first of their kind).

import type { Opcode } from "../isa/opcode.js";
import { versionText } from "../isa/requirement.js";
import type { CallPlaces } from "./call.js";
import type { LintTraits } from "./lint/candidates.js";
import type { Platform } from "./require.js";
import type { Signature } from "./signature.js";

export interface CachedMatch {
  readonly opcode: Opcode;
  /** For each place of the row, the index of its operand; -1 if it is absent. */
  readonly places: readonly number[];
  /** For each place, an exclusive limit: integers from 0 up to it need no matching. */
  readonly limits: readonly number[];
  /** Operand numbers of a call; undefined for other instructions. */
  readonly call: CallPlaces | undefined;
  readonly lint: LintTraits;
}

/** A node of the trie, for one code of a signature. Its children form a linked list: `child`, then each `sibling`. */
export interface TrieNode {
  readonly code: number;
  child: TrieNode | undefined;
  sibling: TrieNode | undefined;
  cached: CachedMatch | undefined;
}

/** The cached matches of one version and target, by spelling. */
export interface MatchCache {
  readonly bySpelling: Map<string, TrieNode>;
  /** Number of nodes that may still be added. */
  nodesLeft: number;
}

const memo = new Map<string, MatchCache>();
/** Limits of nodes and of caches; real programs need some thousands of nodes. */
export const MAX_NODES = 1 << 16;
const MAX_PLATFORMS = 16;

/** The cache for modules of that version, target and address size. */
export function matchCacheOf({
  version,
  target,
  addresses,
}: Pick<Platform, "version" | "target" | "addresses">): MatchCache {
  const key = `${versionText(version)} ${target.name} ${addresses.size ?? "any"}`;
  let known = memo.get(key);
  if (known === undefined) {
    if (memo.size >= MAX_PLATFORMS) memo.clear();
    known = { bySpelling: new Map(), nodesLeft: MAX_NODES };
    memo.set(key, known);
  }
  return known;
}

/** The cached match for a signature, by its path through the trie. */
export function lookup(first: TrieNode | undefined, { codes, length }: Signature): CachedMatch | undefined {
  let node = first;
  for (let i = 0; i < length && node !== undefined; i++) {
    const code = codes[i]!;
    node = node.child;
    while (node !== undefined && node.code !== code) node = node.sibling;
  }
  return node?.cached;
}

/** Adds a valid match, unless the trie is full. */
export function cacheMatch(
  matchCache: MatchCache,
  spelling: string,
  { codes, length }: Signature,
  cached: CachedMatch,
): void {
  if (matchCache.nodesLeft <= length) return;
  let node = matchCache.bySpelling.get(spelling);
  if (node === undefined) {
    node = makeNode(matchCache, 0, undefined);
    matchCache.bySpelling.set(spelling, node);
  }
  for (let i = 0; i < length; i++) {
    const code = codes[i]!;
    let next: TrieNode | undefined = node.child;
    while (next !== undefined && next.code !== code) next = next.sibling;
    next ??= node.child = makeNode(matchCache, code, node.child);
    node = next;
  }
  node.cached = cached;
}

function makeNode(matchCache: MatchCache, code: number, sibling: TrieNode | undefined): TrieNode {
  matchCache.nodesLeft--;
  return { code, child: undefined, sibling, cached: undefined };
}
