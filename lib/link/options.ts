// The options of a link, set by the command line and library callers. Each pass reads those that concern it.

import type { OptionKinds } from "../base/known-options.js";
import type { CollectOptions } from "./gc/collect-options.js";
import type { RootOptions } from "./gc/roots.js";
import type { CompatibilityOptions } from "./messages/compatible.js";
import type { PartialLink } from "./model/relocatable.js";
import type { Linked, LinkedNames } from "./model/linked.js";
import type { SectionOrder } from "./layout/section-order.js";
import type { SymbolOrder } from "./layout/symbol-order.js";
import type { UnresolvedOptions } from "./messages/unresolved.js";
import type { VisibilityRule } from "./resolve/visibility-rules.js";
import type { Suggestion } from "./model/suggestion.js";
import type { SymbolDefinition } from "./model/symbol-definition.js";

/** Options of a link. */
export interface LinkOptions extends CollectOptions, CompatibilityOptions, UnresolvedOptions {
  /** The image's target, "sm_90"; default: the first input's. */
  readonly arch?: string;
  /** Whether the only input is a module that is compiled as a whole, not linked: shared.ts lists the differences. */
  readonly wholeProgram?: boolean;
  /** Index of the input that counts as first for the default target; default 0. Members of archives do not count. */
  readonly leader?: number;
  /** Looks up an undefined name in archive members that were not extracted. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
  /** The image's name, for messages; default "a.out". */
  readonly name?: string;
  /** Names whose undefined references mean __wrap_NAME. */
  readonly wrap?: readonly string[];
  /** Definitions of --defsym. */
  readonly define?: readonly SymbolDefinition[];
  /** Which definitions other modules see in the image; the last matching rule wins. */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether to omit lines, .file entries and DWARF (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether to omit names of static variables that nothing refers to (--discard-all). */
  readonly discardLocals?: boolean;
  /** Order of modules' data; default: command-line order. */
  readonly sectionOrder?: SectionOrder;
  /** Order of variables and functions, instead of `sectionOrder` (--symbol-ordering-file, --sort-section). */
  readonly symbolOrder?: SymbolOrder;
  /** Whether the image records the applied relocations (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Whether modules that have only `.loc` lines get a `.debug_line` (--debug-line). */
  readonly lineTables?: boolean;
  /** Limit of the image's initialised data in bytes. */
  readonly maxImageBytes?: number;
  /** Whether .weak definitions of one name are compared. */
  readonly detectOdrViolations?: boolean;
  /** Whether to warn of kernels whose stack size is unknown; images only. */
  readonly warnUnknownStacks?: boolean;
  /** Called with all names before garbage collection and diagnostics: for tracing symbols. */
  readonly onResolved?: (names: LinkedNames) => void;
  /** Called with the laid-out link, once every offset is fixed: for maps. */
  readonly onLinked?: (linked: Linked) => void;
  /** Called for -r and --emit ptx, whose maps differ. */
  readonly onPartialLink?: (partialLink: PartialLink) => void;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}

const rootOptions: OptionKinds<RootOptions> = {
  keepExports: "flag",
  undefined: "texts",
  undefinedGlobs: "texts",
  required: "texts",
  forLater: "flag",
  defsym: "texts",
  kernelsUsed: "texts",
  variablesUsed: "texts",
};

/** All options, to detect misspelt ones and wrong values. */
export const linkOptions: OptionKinds<LinkOptions> = {
  gcSections: "flag",
  roots: rootOptions,
  onRemoved: "function",
  whyLive: "texts",
  onWhyLive: "function",
  warnCommon: "flag",
  mayGrow: "flag",
  allowUndefined: "function",
  warnUndefined: "flag",
  extractionReason: "function",
  arch: "text",
  wholeProgram: "flag",
  leader: "count",
  suggestElsewhere: "function",
  name: "text",
  wrap: "texts",
  define: "list",
  visibility: "list",
  stripDebug: "flag",
  discardLocals: "flag",
  sectionOrder: "object",
  symbolOrder: "object",
  emitRelocations: "flag",
  lineTables: "flag",
  maxImageBytes: "count",
  detectOdrViolations: "flag",
  allowDuplicates: "flag",
  warnUnknownStacks: "flag",
  onResolved: "function",
  onLinked: "function",
  onPartialLink: "function",
  onPass: "function",
};
