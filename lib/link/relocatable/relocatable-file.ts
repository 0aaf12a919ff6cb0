// The file of `link -r`: a partial link, written as an object.

import { objectFile, type Identify } from "../../object/columns/write/object-file.js";
import type { Columns } from "../../object/columns/columns.js";
import type { LinkTarget } from "../image/section-plan.js";
import type { Resolution } from "../resolve/resolve.js";
import { linkPartially } from "./partial-link.js";
import { stripObject } from "./strip.js";

export interface RelocatableOptions {
  /** Computes the build ID; undefined for a file without one. */
  readonly identify?: Identify;
  /** Whether to omit lines, .file entries and DWARF (--strip-debug). */
  readonly stripDebug?: boolean;
}

/** The file in parts, some of which are ranges of the inputs' files. */
export function relocatableFile(
  columns: Columns,
  resolution: Resolution,
  linkTarget: LinkTarget,
  { identify, stripDebug = false }: RelocatableOptions,
): readonly Uint8Array[] {
  const whole = linkPartially(columns, resolution);
  return objectFile(stripDebug ? stripObject(whole) : whole, linkTarget, identify);
}
