// One line of a debugger's list of variables.

import type { MemoryContext } from "./memory.js";
import type { ValueResult } from "./result.js";

/** A variable, or a member or element of one. */
export interface VariableNode {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** An expression that evaluates to the same value. */
  readonly expression?: string | undefined;
  /** Number of named children, and of indexed children; absent in a leaf. */
  readonly named?: number;
  readonly indexed?: number;
  readonly children?: (start: number, count: number) => readonly VariableNode[];
  /** The generic address of the value, or the value of a pointer. */
  readonly address?: number;
  readonly context?: MemoryContext;
  /** Parses the text and stores its value; returns the new value. Throws ExpressionError. */
  readonly set?: (text: string) => ValueResult;
}
