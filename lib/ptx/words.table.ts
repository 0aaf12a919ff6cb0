// The words with a dot that the grammar itself uses: beginnings of statements, types, linkages. Every other word with a dot is a
// modifier of an instruction, which the isa table checks. PTX ISA 9.0 tables 1, 6, 7 and 8 and chapter 11. `.bf16`, `.v8` and the
// like are instruction types only: ptxas 13.0 accepts none of them in a declaration.

import type { Linkage } from "./tree.js";

/** Linkages; the tree has them without the dot. */
export const linkages: ReadonlyMap<string, Linkage> = new Map([
  [".extern", "extern"],
  [".visible", "visible"],
  [".weak", "weak"],
  [".common", "common"],
]);

/** Maps words with the dot to words without it. All trees share these strings. */
const dotted = (words: string): ReadonlyMap<string, string> =>
  new Map(words.split(" ").map((word) => [`.${word}`, word]));

/** State spaces in which a variable can be declared (`.sreg` has predefined variables only). */
export const spaces: ReadonlyMap<string, string> = dotted("reg const global local param shared tex");

/** Types of variables: fundamental, packed and opaque. */
export const types: ReadonlyMap<string, string> = dotted(
  "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 f32 f64 pred texref samplerref surfref",
);

export const vectors: ReadonlyMap<string, number> = new Map([
  [".v2", 2],
  [".v4", 4],
]);

/** The targets of a pointer parameter. Besides state spaces, ptxas accepts the opaque types, which OpenCL compilers write. */
export const pointedSpaces: ReadonlySet<string> = new Set([
  ".const",
  ".global",
  ".local",
  ".shared",
  ".texref",
  ".samplerref",
  ".surfref",
]);

/** The directives after a function's parameters. */
export interface DirectiveShape {
  /** Valid on kernels, or on device functions and call prototypes. */
  readonly on: "entry" | "func";
  /** Number of integers that follow, separated by commas. */
  readonly values: readonly [least: number, most: number];
  /** Range of values that ptxas accepts; 1 to 2^31 by default. */
  readonly range?: readonly [least: number, most: number];
}

/** The default range of values. */
export const usualRange = [1, 2 ** 31] as const;

export const functionDirectives: ReadonlyMap<string, DirectiveShape> = new Map([
  [".maxntid", { on: "entry", values: [1, 3] }],
  [".reqntid", { on: "entry", values: [1, 3] }],
  [".minnctapersm", { on: "entry", values: [1, 1], range: [1, 0xffffffff] }],
  [".maxnctapersm", { on: "entry", values: [1, 1] }],
  [".maxnreg", { on: "entry", values: [1, 1], range: [1, 0xffffffff] }],
  [".explicitcluster", { on: "entry", values: [0, 0] }],
  [".reqnctapercluster", { on: "entry", values: [1, 3], range: [0, 0xffffffff] }],
  [".maxclusterrank", { on: "entry", values: [1, 1], range: [0, 0xffffffff] }],
  [".blocksareclusters", { on: "entry", values: [0, 0] }],
  [".minperctamemory", { on: "entry", values: [1, 1], range: [0, 0xffffffff] }],
  [".noreturn", { on: "func", values: [0, 0] }],
  [".abi_preserve", { on: "func", values: [1, 1], range: [0, 255] }],
  [".abi_preserve_control", { on: "func", values: [1, 1], range: [0, 11] }],
]);

/** Words that begin a module item and nothing inside a function; error recovery resumes at them from any depth. */
export const moduleStarters: ReadonlySet<string> = new Set([
  ".version",
  ".address_size",
  ".visible",
  ".extern",
  ".weak",
  ".common",
  ".entry",
  ".func",
  ".file",
  ".section",
  ".alias",
]);

/** Words that begin a statement in a function's body. */
export const statementStarters: ReadonlySet<string> = new Set([
  ...spaces.keys(),
  ".align",
  ".attribute",
  ".loc",
  ".pragma",
  ".target",
]);

/** Words that begin nothing outside a function. */
export const bodyStarters: ReadonlySet<string> = new Set([".reg", ".local", ".param", ".loc"]);

/** Words that begin a declaration of variables. */
export const declarationStarters: ReadonlySet<string> = new Set([...spaces.keys(), ".align", ".attribute"]);

/** Words of .target other than targets. */
export const targetWords: ReadonlySet<string> = new Set([
  "texmode_unified",
  "texmode_independent",
  "debug",
  "map_f64_to_f32",
]);

/** The only predefined constant (section 4.4); no name may have this spelling. */
export const RESERVED = "WARP_SZ";
