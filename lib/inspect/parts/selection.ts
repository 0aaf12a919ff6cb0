// Selects the elements of a container that are shown, listed or extracted: by kind, architecture and name.

import type { FileKind } from "../../link/inputs/recognise.js";
import type { Element } from "./walk.js";

export interface Selection {
  readonly kind?: "ptx" | "cubin";
  /** "sm_90a" */
  readonly arch?: string;
  /** A substring of the name: "1.sm_90". */
  readonly match?: string;
}

/** Kinds of content that each kind selects: objects and images of ptxkit are packed like cubins. */
const kinds: Readonly<Record<NonNullable<Selection["kind"]>, readonly FileKind[]>> = {
  ptx: ["ptx"],
  cubin: ["cubin", "ptxkit"],
};

/** Whether the selection excludes anything. */
export const isSelective = ({ kind, arch, match }: Selection): boolean =>
  kind !== undefined || arch !== undefined || match !== undefined;

/** Whether an element is selected; only entries of fatbins have an architecture. */
export function isSelected(
  { kind, path, entry }: Pick<Element, "kind" | "path" | "entry">,
  wanted: Selection,
): boolean {
  if (wanted.kind !== undefined && (kind === null || !kinds[wanted.kind].includes(kind))) return false;
  if (wanted.arch !== undefined && entry?.target !== wanted.arch) return false;
  return wanted.match === undefined || path.join(".").includes(wanted.match);
}
