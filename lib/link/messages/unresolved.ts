// Names that may stay undefined in an image: the driver's, and those that options allow (--unresolved-symbols and similar ones,
// --defsym).

import type { NoteOptions } from "./undefined-notes.js";
import { isProvided } from "../../isa/driver-functions.table.js";

export interface UnresolvedOptions extends NoteOptions {
  /** Whether a name may stay undefined, besides the driver's own. */
  readonly allowUndefined?: (name: string) => boolean;
  /** Whether other undefined names are only warnings. */
  readonly warnUndefined?: boolean;
}

export interface UndefinedOptions extends UnresolvedOptions {
  /** Names that options define. */
  readonly settled?: ReadonlySet<string>;
  readonly wrap?: readonly string[];
}

/** Whether an undefined name is allowed. The driver provides functions only. */
export const mayBeOpen = (name: string, isFunction: boolean, { allowUndefined, settled }: UndefinedOptions): boolean =>
  (isFunction && isProvided(name)) || settled?.has(name) === true || allowUndefined?.(name) === true;
