// What the linker knows after each half of its passes (../link.ts).

import type { Target } from "../../isa/requirement.js";
import type { PrintedObject } from "../../object/print/printed.js";
import type { AliasRow } from "../image/aliases.js";
import type { ImageLayout } from "../layout/layout.js";
import type { LinkTarget } from "../image/section-plan.js";
import type { ResolvedColumns } from "../resolve/resolve.js";
import type { PendingDiagnostics } from "../detect/detect.js";

/** An output; how much went in; and what reports are made of (link/views/views.ts). */
export interface LinkOutput {
  /** The output's file in parts, which may be of the objects' files; none where it is a text. */
  readonly image: readonly Uint8Array[];
  /** What is to be printed (link/relocatable/print.ts), where it is a text. */
  readonly printed?: PrintedObject;
  readonly counts: ObjectCounts;
  readonly stages: LinkStages;
  /** Whether some kernel of an image has no size of stack that is known to be enough (unknown-stack.ts). */
  readonly hasUnknownStacks?: boolean;
}

/** The symbols at each stage of a finished link. */
export interface LinkStages {
  /** Before garbage collection. */
  readonly beforeGc: ResolvedColumns;
  /** After it, in the order of the output. */
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
  /** The requested target, and the one that an image for it is linked for. */
  readonly requestedTarget: string;
  readonly linkTarget: LinkTarget;
  /** Names that --defsym defines, and those that need no definition because of it. */
  readonly aliases: readonly AliasRow[];
  readonly settledNames: ReadonlySet<string>;
  readonly counts: ObjectCounts;
  readonly pending: PendingDiagnostics;
}

/** A link that exceeds what a GPU or the options allow (../layout/limits.ts). */
export interface LimitExcess {
  readonly beyond: ResolvedColumns & { readonly layout: ImageLayout; readonly target: Target };
}

export const exceedsLimits = (result: LinkOutput | LimitExcess): result is LimitExcess => "beyond" in result;

/** How much the objects of a link hold. */
export interface ObjectCounts {
  /** Objects, members of archives among them, each text as what it was assembled to. */
  readonly objects: number;
  readonly modules: number;
  readonly sections: number;
  readonly symbols: number;
  readonly relocations: number;
}
