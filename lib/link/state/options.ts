// The options of the linker's passes (../link.ts). The command line and library callers make them of their own options.

import type { PtxVersion } from "../../isa/targets.table.js";
import type { Columns } from "../../object/columns/columns.js";
import type { GcOptions } from "../gc/collect.js";
import type { DetectOptions } from "../detect/detect.js";
import type { DataOrder } from "../layout/data-order.js";
import type { ImageOptions } from "../image/image.js";
import type { DefinedSymbols } from "../image/aliases.js";
import type { VisibilityRule } from "../resolve/visibility-rules.js";

export interface PassOptions extends GcOptions, DetectOptions, DataOrder, ImageOptions {
  /** The image's target, "sm_90"; unless given that of the first module of the file that leads. */
  readonly arch?: string;
  /** Whether the one input is a module that is compiled as a whole, not linked (./shared/shared.ts). */
  readonly wholeProgram?: boolean;
  /** Number of the file that leads; 0 unless given. */
  readonly leader?: number;
  /** Bytes of initialised data that the image may have. */
  readonly maxImageBytes?: number;
  /** Names whose references mean __wrap_NAME (--wrap). */
  readonly wrap?: readonly string[];
  /** What others see of definitions: of the rules that fit, the last one counts (--export, --localize). */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether modules with `.loc` lines alone get a `.debug_line` (--debug-line); of images. */
  readonly lineTables?: boolean;
  /** Whether names of static variables that nothing refers to are left out (--discard-all); of images. */
  readonly discardLocals?: boolean;
  /** Whether the output is to be one PTX module (--emit ptx). */
  readonly asText?: boolean;
  /** What that module says, whatever the inputs do (--ptx-version). */
  readonly ptxVersion?: PtxVersion;
  /** Whether the output is for another link (-r). */
  readonly relocatable?: boolean;
  /** Defines names as others: defineSymbols of ../defsym/define.ts. Called where --defsym is given or an object has aliases of variables. */
  readonly defineNames?: (columns: Columns) => DefinedSymbols;
  /** Whether --defsym is given. */
  readonly hasDefinitions?: boolean;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}
