// The options of a link, filled in by the command line and library callers. Each pass reads those that concern it.

import type { OptionNames } from "../base/known-options.js";
import type { CollectOptions } from "./gc/collect-options.js";
import type { CompatibilityOptions } from "./messages/compatible.js";
import type { Joined } from "./model/relocatable.js";
import type { Linked, LinkedNames } from "./model/linked.js";
import type { SectionOrder } from "./layout/section-order.js";
import type { SymbolOrder } from "./layout/symbol-order.js";
import type { UnresolvedOptions } from "./messages/unresolved.js";
import type { VisibilityRule } from "./resolve/visibility-rules.js";
import type { Suggestion } from "./model/suggestion.js";
import type { SymbolDefinition } from "./model/symbol-definition.js";

/** Options of a link. */
export interface LinkOptions extends CollectOptions, CompatibilityOptions, UnresolvedOptions {
  /** The image's target, "sm_90"; the first input's unless given. */
  readonly arch?: string;
  /** Whether the one input is a module that is compiled as a whole, not linked: shared.ts says what that changes. */
  readonly wholeProgram?: boolean;
  /** The input that counts as first there, by its number; 0 unless given. A member of an archive does not. */
  readonly leader?: number;
  /** What is known of a name from members of archives that were not taken, where it stays undefined. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
  /** The image's name, for messages; "a.out" unless given. */
  readonly name?: string;
  /** Names whose undefined references mean __wrap_NAME. */
  readonly wrap?: readonly string[];
  /** Names of --defsym. */
  readonly define?: readonly SymbolDefinition[];
  /** Which definitions others see in the image; the last rule that fits counts. */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether names of static variables that nothing refers to are left out (--discard-all). */
  readonly discardLocals?: boolean;
  /** Order of modules' data; command-line order unless given. */
  readonly sectionOrder?: SectionOrder;
  /** Of variables and functions, instead (--symbol-ordering-file, --sort-section). */
  readonly symbolOrder?: SymbolOrder;
  /** Whether the image records the applied relocations (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Whether modules with `.loc` lines alone get a `.debug_line` (--debug-line). */
  readonly lineTables?: boolean;
  /** Bytes of initialised data that the image may have. */
  readonly maxImageBytes?: number;
  /** Whether .weak definitions of one name are compared. */
  readonly detectOdrViolations?: boolean;
  /** Whether to warn of kernels for which no size of stack is known; of images. */
  readonly warnUnknownStacks?: boolean;
  /** Called with all names before garbage collection and diagnostics: for tracing symbols. */
  readonly onResolved?: (names: LinkedNames) => void;
  /** Called with the laid out link, once every offset is fixed: for maps. */
  readonly onLinked?: (linked: Linked) => void;
  /** The same for -r and --emit ptx, which have other maps. */
  readonly onJoined?: (joined: Joined) => void;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}

/** The names of all of them, by which misspelt ones are found. */
export const linkOptions: OptionNames<LinkOptions> = {
  gcSections: true,
  roots: true,
  onRemoved: true,
  whyLive: true,
  onWhyLive: true,
  warnCommon: true,
  mayGrow: true,
  allowUndefined: true,
  warnUndefined: true,
  whyTaken: true,
  arch: true,
  wholeProgram: true,
  leader: true,
  suggestElsewhere: true,
  name: true,
  wrap: true,
  define: true,
  visibility: true,
  stripDebug: true,
  discardLocals: true,
  sectionOrder: true,
  symbolOrder: true,
  emitRelocations: true,
  lineTables: true,
  maxImageBytes: true,
  detectOdrViolations: true,
  allowDuplicates: true,
  warnUnknownStacks: true,
  onResolved: true,
  onLinked: true,
  onJoined: true,
  onPass: true,
};
