import test, { type ExecutionContext } from "ava";
import { printExpression } from "../../lib/ptx/print-expression.js";
import type { Expression, VariableDeclaration } from "../../lib/ptx/tree.js";
import { bare, header, items, parse } from "./support.js";

function expression(t: ExecutionContext, text: string): Expression {
  const [variable] = items(t, `.global .u64 a = ${text};`) as [VariableDeclaration];
  const initializer = variable.declarators[0]!.initializer!;
  if (initializer.kind !== "constant") return t.fail(initializer.kind) as never;
  return initializer.value;
}

test("operators bind as in C", (t) => {
  const grouped: readonly (readonly [string, string])[] = [
    ["1+2*3", "1 + (2 * 3)"],
    ["1-2-3", "(1 - 2) - 3"],
    [
      "1 || 2 && 3 | 4 ^ 5 & 6 == 7 < 8 << 9 + 10 * 11",
      "1 || (2 && (3 | (4 ^ (5 & (6 == (7 < (8 << (9 + (10 * 11)))))))))",
    ],
    ["1 ? 2 : 3 ? 4 : 5", "1 ? 2 : (3 ? 4 : 5)"],
    ["-1 * ~2 + !3", "((-1) * (~2)) + (!3)"],
    ["(.s64)1 + 2", "((.s64)1) + 2"],
    ["7 % (2)", "7 % 2"],
    ["WARP_SZ/2", "WARP_SZ / 2"],
  ];
  for (const [text, expected] of grouped) t.is(printExpression(expression(t, text)), expected, text);
});

test("an integer's value does not depend on its base", (t) => {
  for (const text of ["31", "0x1F", "0X1f", "0b11111", "037"]) {
    t.deepEqual(bare(expression(t, text)), { kind: "integer", value: "31n", unsigned: false });
  }
  t.deepEqual(bare(expression(t, "0x1FFFFFFFFFFFFFFFFU")), {
    kind: "integer",
    value: "36893488147419103231n",
    unsigned: true,
  });
});

test("a float keeps its bits and its spelling", (t) => {
  const float = (spelling: string, bits: bigint): unknown => ({ kind: "float", spelling, bits: `${bits}n` });
  t.deepEqual(bare(expression(t, "1.5")), float("decimal", 0x3ff8000000000000n));
  t.deepEqual(bare(expression(t, "0f7FC00001")), float("f32-bits", 0x7fc00001n));
  t.deepEqual(bare(expression(t, "0dFFF0000000000000")), float("f64-bits", 0xfff0000000000000n));
});

test("an .f32's bits take no operator", (t) => {
  for (const text of ["-0f3F800000", "0f3F800000 + 1.0", "1.0 * (0f3F800000)"]) {
    const [message] = parse(`${header}.global .f32 a = ${text};`).messages;
    t.regex(message ?? "", /constant is its bits and takes no operator$/);
  }
});

test("expressions too deep or too long for any stack are refused in one message", (t) => {
  const refused = (text: string): void => {
    const { messages } = parse(`${header}.global .u32 a = ${text};`);
    t.is(messages.length, 1, text.slice(0, 20));
    t.regex(messages[0]!, /nested more than 256 deep|more than 256 operators/);
  };
  refused(`${"(".repeat(1e5)}1${")".repeat(1e5)}`);
  refused(`${"- ".repeat(1e5)}1`);
  refused(`1${"+1".repeat(1e5)}`);
  refused(`${"1?2:".repeat(1e5)}1`);
  refused(`${"(.s64)".repeat(1e5)}1`);
});
