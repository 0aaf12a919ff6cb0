// The suggestion in a message about an undefined name.

import type { Meant, Note } from "../../diag/diagnostic.js";

export interface Suggestion {
  readonly notes: readonly Note[];
  readonly remedy: string;
  /** The symbol that was probably meant. */
  readonly meant?: Meant;
}

export const STATIC_REMEDY = "declare its definition .visible (nvcc makes it so with -rdc=true and without static)";
