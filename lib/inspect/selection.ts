// Which of the things inside a container are shown, listed or extracted: of one kind, for one architecture, of some names.

import type { FileKind } from "../link/inputs/recognise.js";
import type { Element } from "./walk.js";

export interface Selection {
  readonly kind?: "ptx" | "cubin";
  /** "sm_90a" */
  readonly arch?: string;
  /** A part of the names: "1.sm_90". */
  readonly match?: string;
}

/** Kinds of content that each kind selects: objects and images of ours are packed like cubins. */
const kinds: Readonly<Record<NonNullable<Selection["kind"]>, readonly FileKind[]>> = {
  ptx: ["ptx"],
  cubin: ["cubin", "ptxkit"],
};

/** Whether anything is left out. */
export const isSelective = ({ kind, arch, match }: Selection): boolean =>
  kind !== undefined || arch !== undefined || match !== undefined;

/** Only entries of fatbins have an architecture to choose by. */
export function isSelected(
  { kind, path, entry }: Pick<Element, "kind" | "path" | "entry">,
  wanted: Selection,
): boolean {
  if (wanted.kind !== undefined && (kind === null || !kinds[wanted.kind].includes(kind))) return false;
  if (wanted.arch !== undefined && entry?.target !== wanted.arch) return false;
  return wanted.match === undefined || path.join(".").includes(wanted.match);
}
