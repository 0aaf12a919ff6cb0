// One line of a debugger's list of variables.

import type { MemoryContext } from "./memory.js";
import type { ValueResult } from "./result.js";

/** One line of a list. */
export interface VariableNode {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** An expression for the same. */
  readonly expression?: string | undefined;
  /** Number of children with names, and of children with indices; none: a leaf. */
  readonly named?: number;
  readonly indexed?: number;
  readonly children?: (start: number, count: number) => readonly VariableNode[];
  /** Where it is in memory, or points to. */
  readonly address?: number;
  readonly context?: MemoryContext;
  /** Parses the text and stores its value; returns the new value. Throws ExpressionError. */
  readonly set?: (text: string) => ValueResult;
}
