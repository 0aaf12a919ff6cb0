// Breakpoints as a user sets them, and whether a group of lanes hits one.

import { lanesIn } from "../exec/machine/walk.js";
import { ExpressionError, parseExpression, type Expression } from "./expression.js";
import { evaluate, isTrue } from "./evaluate.js";
import type { WatchedPart } from "./changes.js";
import type { Scope } from "./result.js";

/** A breakpoint's conditions, as the user wrote them. */
export interface Conditions {
  readonly condition?: string | undefined;
  /** "5", ">= 5", "% 3": compared with the number of times that a group came there with the condition true. */
  readonly hitCondition?: string | undefined;
  /** Text to print instead of stopping; `{x}` is an expression. */
  readonly logMessage?: string | undefined;
}

/** A place in the code by names, which stays valid for another process. */
export interface PlaceName {
  readonly function: string;
  readonly file: string;
  readonly pc: number;
}

export interface CodeBreakpoint extends Conditions {
  readonly id: number;
  readonly kind: "line" | "function" | "instruction";
  readonly places: readonly PlaceName[];
}

/** The accesses that stop. A change is a write that stores another value. */
export type DataAccess = "change" | "read" | "write" | "access";

export interface DataBreakpoint extends Conditions {
  readonly id: number;
  readonly access: DataAccess;
  /** The watched memory by generic address; for shared and local memory with block, warp and lane. */
  readonly part: WatchedPart;
  readonly block: number | undefined;
}

/** A breakpoint with its parsed condition and its number of hits. */
export interface Armed<B extends Conditions = CodeBreakpoint> {
  readonly of: B;
  readonly condition: Expression | undefined;
  readonly counts: ((hits: number) => boolean) | undefined;
  readonly log: readonly (string | Expression)[] | undefined;
  hits: number;
}

/** Parses a breakpoint's conditions. Throws ExpressionError. */
export function arm<B extends Conditions>(of: B): Armed<B> {
  const given = (text: string | undefined): string | undefined => (text?.trim() === "" ? undefined : text);
  const [condition, hits, log] = [given(of.condition), given(of.hitCondition), given(of.logMessage)];
  return {
    of,
    condition: condition === undefined ? undefined : parseExpression(condition),
    counts: hits === undefined ? undefined : hitCounter(hits),
    log: log === undefined ? undefined : logParts(log),
    hits: 0,
  };
}

function hitCounter(text: string): (hits: number) => boolean {
  const [, operator = ">=", number] = /^\s*(>=|>|==|=|<=|<|%)?\s*(\d{1,9})\s*$/.exec(text) ?? [];
  if (number === undefined) throw new ExpressionError(`'${text}' is not a hit count: 5, >= 5, == 5, % 5`);
  const wanted = Number(number);
  const counters: Readonly<Record<string, (hits: number) => boolean>> = {
    ">=": (hits) => hits >= wanted,
    ">": (hits) => hits > wanted,
    "==": (hits) => hits === wanted,
    "=": (hits) => hits === wanted,
    "<=": (hits) => hits <= wanted,
    "<": (hits) => hits < wanted,
    "%": (hits) => wanted > 0 && hits % wanted === 0,
  };
  return counters[operator]!;
}

/** The texts of a log message, and the expressions between braces. */
function logParts(text: string): readonly (string | Expression)[] {
  return text.split(/\{([^{}]*)\}/).map((part, i) => (i % 2 === 0 ? part : parseExpression(part)));
}

/** The lanes of a mask for which the condition holds; all lanes without a condition. `error` is set if it cannot be evaluated. */
export function lanesWhere(
  { condition }: Pick<Armed, "condition">,
  mask: number,
  scope: Scope,
): { readonly lanes: number; readonly error?: string } {
  if (condition === undefined) return { lanes: mask };
  let lanes = 0;
  for (const lane of lanesIn(mask)) {
    try {
      if (isTrue(evaluate(condition, scope.inLane(lane)))) lanes |= 1 << lane;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return { lanes: mask, error: error.message };
    }
  }
  return { lanes };
}
