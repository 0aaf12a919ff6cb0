// The words with a dot that the grammar itself knows: what begins a statement, a type, a linkage. Everything else with a
// dot is a modifier of an instruction, which the isa table judges. PTX ISA 9.0 tables 1, 6, 7 and 8 and chapter 11;
// `.bf16`, `.v8` and friends are instruction types only: ptxas 13.0 takes none of them in a declaration.

import type { Linkage } from "./tree.js";

/** Written without the dot in the tree. */
export const linkages: ReadonlyMap<string, Linkage> = new Map([
  [".extern", "extern"],
  [".visible", "visible"],
  [".weak", "weak"],
  [".common", "common"],
]);

/** Words by their spelling with the dot. All trees share these strings. */
const dotted = (words: string): ReadonlyMap<string, string> =>
  new Map(words.split(" ").map((word) => [`.${word}`, word]));

/** State spaces in which a variable can be declared (`.sreg` is predefined only). */
export const spaces: ReadonlyMap<string, string> = dotted("reg const global local param shared tex");

/** Types of variables: fundamental, packed and opaque. */
export const types: ReadonlyMap<string, string> = dotted(
  "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 f32 f64 pred texref samplerref surfref",
);

export const vectors: ReadonlyMap<string, number> = new Map([
  [".v2", 2],
  [".v4", 4],
]);

/** The targets of a pointer parameter; ptxas accepts the opaque types, which OpenCL compilers write, besides the spaces. */
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
  /** On kernels, or on device functions and call prototypes. */
  readonly on: "entry" | "func";
  /** How many integers follow, separated by commas. */
  readonly values: readonly [least: number, most: number];
  /** The values that ptxas accepts, if not 1 to 2^31. */
  readonly range?: readonly [least: number, most: number];
}

/** Of a directive that says nothing else. */
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

/** Words that begin a module item and nothing inside a function: recovery resumes at them from any depth. */
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

/** Those that begin nothing outside a function. */
export const bodyStarters: ReadonlySet<string> = new Set([".reg", ".local", ".param", ".loc"]);

/** Words that begin a declaration of variables. */
export const declarationStarters: ReadonlySet<string> = new Set([...spaces.keys(), ".align", ".attribute"]);

/** Words of .target beside the target and other targets. */
export const targetWords: ReadonlySet<string> = new Set([
  "texmode_unified",
  "texmode_independent",
  "debug",
  "map_f64_to_f32",
]);

/** The one predefined constant (section 4.4); no name may be spelled so. */
export const RESERVED = "WARP_SZ";
