// What a text that was made of NVVM IR cannot say of its variables.

import type { Ranged } from "./tree.js";

/** Another name for a place inside a variable of the made text, which other modules see. The range is that of the name in the origin. */
export interface VariableAlias extends Ranged {
  readonly name: string;
  /** The variable's name. */
  readonly base: string;
  /** Bytes from the variable's start. */
  readonly offset: number;
  /** Bytes of the value, and its alignment. */
  readonly size: number;
  readonly align: number;
  /** Any other definition of the name wins. */
  readonly isWeak: boolean;
}
