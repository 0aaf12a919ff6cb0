// The results of each half of the linker's passes (../link.ts).

import type { Target } from "../../isa/requirement.js";
import type { PrintedObject } from "../../object/print/printed.js";
import type { AliasRow } from "../image/aliases.js";
import type { ImageLayout } from "../layout/layout.js";
import type { LinkTarget } from "../image/section-plan.js";
import type { ResolvedColumns } from "../resolve/resolve.js";
import type { PendingDiagnostics } from "../detect/detect.js";

/** An output, with counts of its inputs, and the data for reports (link/views/views.ts). */
export interface LinkOutput {
  /** The output's file in parts, some of which are ranges of the objects' files; empty for a text. */
  readonly image: readonly Uint8Array[];
  /** For a text: the object to print (link/relocatable/print.ts). */
  readonly printed?: PrintedObject;
  readonly counts: ObjectCounts;
  readonly stages: LinkStages;
  /** Whether the stack size of some kernel of an image is unknown (unknown-stack.ts). */
  readonly hasUnknownStacks?: boolean;
}

/** The symbols at each stage of a finished link. */
export interface LinkStages {
  /** Before garbage collection. */
  readonly beforeGc: ResolvedColumns;
  /** After garbage collection, in the order of the output. */
  readonly ordered: ResolvedColumns;
  /** The image with its layout; undefined for -r and --emit ptx. */
  readonly image: LaidOutImage | undefined;
}

export interface LaidOutImage extends ResolvedColumns {
  readonly layout: ImageLayout;
  readonly linkTarget: LinkTarget;
  readonly aliases: readonly AliasRow[];
}

/** A link whose names are resolved and whose layout is not made yet. */
export interface ResolvedLink {
  readonly beforeGc: ResolvedColumns;
  readonly afterGc: ResolvedColumns;
  /** The requested target; `linkTarget`: the target of an image for it. */
  readonly requestedTarget: string;
  readonly linkTarget: LinkTarget;
  /** Names that --defsym defines. `settledNames`: names that need no definition because of it. */
  readonly aliases: readonly AliasRow[];
  readonly settledNames: ReadonlySet<string>;
  readonly counts: ObjectCounts;
  readonly pending: PendingDiagnostics;
}

/** A link that exceeds limits of a GPU or of the options (../layout/limits.ts). */
export interface LimitExcess {
  readonly beyond: ResolvedColumns & { readonly layout: ImageLayout; readonly target: Target };
}

export const exceedsLimits = (result: LinkOutput | LimitExcess): result is LimitExcess => "beyond" in result;

/** Counts of the contents of a link's objects. */
export interface ObjectCounts {
  /** Objects, including members of archives; each text counts as the object assembled from it. */
  readonly objects: number;
  readonly modules: number;
  readonly sections: number;
  readonly symbols: number;
  readonly relocations: number;
}
