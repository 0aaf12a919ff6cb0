// The file of `link -r`: a partial link, written as an object.

import { objectFile, type Identify } from "../../object/columns/write/object-file.js";
import type { Columns } from "../../object/columns/columns.js";
import type { LinkTarget } from "../image/section-plan.js";
import type { Resolution } from "../resolve/resolve.js";
import { linkPartially } from "./partial-link.js";
import { stripObject } from "./strip.js";

export interface RelocatableOptions {
  /** Makes the build ID, where the file is to have one. */
  readonly identify?: Identify;
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
}

/** The file in parts, which may be of the inputs'. */
export function relocatableFile(
  columns: Columns,
  resolution: Resolution,
  linkTarget: LinkTarget,
  { identify, stripDebug = false }: RelocatableOptions,
): readonly Uint8Array[] {
  const whole = linkPartially(columns, resolution);
  return objectFile(stripDebug ? stripObject(whole) : whole, linkTarget, identify);
}
