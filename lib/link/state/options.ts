// The options of the linker's passes (../link.ts). The command line and library callers derive them from their own options.

import type { PtxVersion } from "../../isa/targets.table.js";
import type { Columns } from "../../object/columns/columns.js";
import type { GcOptions } from "../gc/collect.js";
import type { DetectOptions } from "../detect/detect.js";
import type { DataOrder } from "../layout/data-order.js";
import type { ImageOptions } from "../image/image.js";
import type { DefinedSymbols } from "../image/aliases.js";
import type { VisibilityRule } from "../resolve/visibility-rules.js";

export interface PassOptions extends GcOptions, DetectOptions, DataOrder, ImageOptions {
  /** The image's target, "sm_90"; default: that of the first module of the leading file. */
  readonly arch?: string;
  /** Whether the only input is a module that is compiled as a whole, not linked (../shared/shared.ts). */
  readonly wholeProgram?: boolean;
  /** Index of the leading file; default 0. */
  readonly leader?: number;
  /** Limit of the image's initialised data in bytes. */
  readonly maxImageBytes?: number;
  /** Names whose references mean __wrap_NAME (--wrap). */
  readonly wrap?: readonly string[];
  /** Which definitions other modules see; the last matching rule wins (--export, --localize). */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether to omit lines, .file entries and DWARF (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether modules that have only `.loc` lines get a `.debug_line` (--debug-line); images only. */
  readonly lineTables?: boolean;
  /** Whether to omit names of static variables that nothing refers to (--discard-all); images only. */
  readonly discardLocals?: boolean;
  /** Whether the output is one PTX module (--emit ptx). */
  readonly asText?: boolean;
  /** The PTX version of that module, regardless of the inputs' versions (--ptx-version). */
  readonly ptxVersion?: PtxVersion;
  /** Whether the output is for another link (-r). */
  readonly relocatable?: boolean;
  /**
   * Resolves --defsym and aliases of variables: defineSymbols of ../defsym/define.ts. Called only if --defsym is given or an
   * object has such aliases.
   */
  readonly defineNames?: (columns: Columns) => DefinedSymbols;
  /** Whether --defsym is given. */
  readonly hasDefinitions?: boolean;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}
