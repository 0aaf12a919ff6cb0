// Decides whether a blank separates two tokens of a statement, as in lib/ptx/printer.ts.

import * as kind from "../ptx/token.js";

export interface SpacedToken {
  readonly kind: number;
  readonly text: string;
}

const NONE_BEFORE: ReadonlySet<number> = new Set([
  kind.COMMA,
  kind.SEMICOLON,
  kind.PAREN_CLOSE,
  kind.BRACKET_CLOSE,
  kind.BRACE_CLOSE,
]);

const NO_SPACE_AFTER: ReadonlySet<number> = new Set([
  kind.PAREN_OPEN,
  kind.BRACKET_OPEN,
  kind.BRACE_OPEN,
  kind.AT,
  kind.NOT,
  kind.TILDE,
]);

const isName = (token: SpacedToken | undefined): boolean => token?.kind === kind.WORD || token?.kind === kind.DOTTED;

const isNumber = (token: SpacedToken | undefined): boolean =>
  token !== undefined && token.kind >= kind.INTEGER && token.kind <= kind.FLOAT64_BITS;

/** Tokens that end an operand: a plus or a minus after one is binary. */
const endsOperand = (token: SpacedToken | undefined): boolean =>
  isName(token) ||
  isNumber(token) ||
  token?.kind === kind.PAREN_CLOSE ||
  token?.kind === kind.BRACKET_CLOSE ||
  token?.kind === kind.SINK;

/** `statement` has the preceding tokens. `wasSpaced`: the text has white space there; used where both are valid. */
export function isSpaced(statement: readonly SpacedToken[], token: SpacedToken, wasSpaced: boolean): boolean {
  const last = statement.at(-1);
  if (last === undefined) return false;
  if (NONE_BEFORE.has(token.kind) || NO_SPACE_AFTER.has(last.kind)) return false;
  const isInstruction = !statement[0]!.text.startsWith(".");
  const isOpcode = isInstruction && isLastOpcode(statement);
  switch (token.kind) {
    case kind.COLON:
      return statement.length > 1;
    case kind.PAREN_OPEN:
      if (last.kind === kind.DIRECTIVE) return !parenthesised.has(last.text);
      return isOpcode || !(isName(last) || isNumber(last) || last.kind === kind.PAREN_CLOSE);
    case kind.BRACKET_OPEN:
      // ld.const[2].f32
      if (isOpcode) return wasSpaced || !last.text.endsWith(".const");
      return !(isName(last) || takesBounds.has(last.kind));
    case kind.DIRECTIVE:
      // ld.const[2].v2.u32
      if (last.kind === kind.BRACKET_CLOSE || (isInstruction && last.kind === kind.DIRECTIVE)) return wasSpaced;
      return true;
    case kind.LESS:
      return !isName(last);
    case kind.GREATER:
      return !isFamily(statement);
    case kind.OR:
      return !isName(last) && last.kind !== kind.SINK;
    case kind.PLUS:
    case kind.MINUS:
      if (isOpcode || (!endsOperand(last) && last.kind !== kind.DIRECTIVE)) break;
      return !isName(last) && !isGeneric(statement) && (last.kind !== kind.DIRECTIVE || wasSpaced);
  }
  switch (last.kind) {
    case kind.LESS:
      return !isName(statement.at(-2));
    case kind.OR:
      return !isName(statement.at(-2)) && statement.at(-2)?.kind !== kind.SINK;
    case kind.PLUS:
    case kind.MINUS: {
      const before = statement.at(-2);
      return endsOperand(before) && !isName(before) && !isGeneric(statement.slice(0, -1));
    }
    case kind.PAREN_CLOSE:
      // A cast: (.s64)x.
      if (statement.at(-2)?.kind === kind.DIRECTIVE && statement.at(-3)?.kind === kind.PAREN_OPEN) return false;
  }
  return true;
}

/** Directives that are followed by a parenthesis. */
const parenthesised: ReadonlySet<string> = new Set([".attribute", ".unified", ".managed"]);

/** Tokens that are followed by square brackets without a blank. */
const takesBounds: ReadonlySet<number> = new Set([kind.BRACKET_CLOSE, kind.DIRECTIVE, kind.SINK]);

/** Whether the statement ends with `generic(name)`. */
const isGeneric = (statement: readonly SpacedToken[]): boolean =>
  statement.at(-1)?.kind === kind.PAREN_CLOSE && statement.at(-4)?.text === "generic";

/** Whether the statement ends with `%r<`. */
const isFamily = (statement: readonly SpacedToken[]): boolean =>
  statement.at(-2)?.kind === kind.LESS && isName(statement.at(-3));

/** Whether the last token is the instruction's opcode, possibly after a guard. */
function isLastOpcode(statement: readonly SpacedToken[]): boolean {
  if (statement[0]!.kind !== kind.AT) return statement.length === 1;
  return statement.length === (statement[1]?.kind === kind.NOT ? 4 : 3);
}
