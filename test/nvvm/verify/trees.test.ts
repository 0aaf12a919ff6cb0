// Rules that only bitcode, or a program that makes trees, can break; the parser refuses such text.

import test from "ava";
import type { Diagnostic } from "../../../lib/diag/diagnostic.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { Body, Function, GlobalVariable } from "../../../lib/nvvm/ir/global.js";
import type { BasicBlock, Instruction } from "../../../lib/nvvm/ir/instruction.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import type { Type } from "../../../lib/nvvm/ir/type.js";
import type { Value } from "../../../lib/nvvm/ir/value.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";
import { verifyBody, verifyModule } from "../../../lib/nvvm/verify/verify.js";

const text = `declare i32 @g(i32)
define i32 @f(i32 %a, i64 %b, <2 x i32> %v) {
entry:
  br label %next
next:
  ret i32 %a
}
`;

function setUp(): {
  readonly module: Module;
  readonly fn: Function;
  readonly body: Body;
  readonly sink: ReturnType<typeof createSink>;
} {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: new TextEncoder().encode(text) }, sink)!;
  const fn = module.functions.find(({ name }) => name === "f")!;
  return { module, fn, body: fn.body!.read(sink)!, sink };
}

type Part = Partial<Record<string, unknown>> & {
  readonly opcode: string;
  readonly type: Type;
  readonly operands: readonly Value[];
};

const instruction = (part: Part): Instruction =>
  ({
    kind: "instruction",
    name: undefined,
    index: 0,
    operandStarts: [],
    flags: 0,
    attachments: [],
    start: 0,
    end: 1,
    ...part,
  }) as unknown as Instruction;

/** Diagnostics of the body with the instruction inserted at the start of a block. */
function said(make: (made: ReturnType<typeof setUp>) => Instruction, block = 0): readonly string[] {
  const made = setUp();
  const blocks = made.body.blocks.map((one) => ({ ...one })) as (BasicBlock & { instructions: Instruction[] })[];
  const changed = blocks[block]!;
  changed.instructions = [make(made), ...changed.instructions];
  let index = 0;
  for (const one of blocks) one.instructions = one.instructions.map((each) => ({ ...each, index: index++ }));
  for (const one of blocks)
    for (const each of one.instructions as { targets?: BasicBlock[]; incoming?: BasicBlock[] }[]) {
      if (each.targets !== undefined) each.targets = each.targets.map((target) => blocks[target.index]!);
      if (each.incoming !== undefined) each.incoming = each.incoming.map((from) => blocks[from.index]!);
    }
  verifyBody(made.fn, { blocks }, { module: made.module }, made.sink);
  return made.sink.all.map(({ code, message }: Diagnostic) => `${code}: ${message}`);
}

test("a result has the operands' type", (t) => {
  const messages = said(({ fn, module }) =>
    instruction({ opcode: "add", type: module.types.integer(64), operands: [fn.arguments[0]!, fn.arguments[0]!] }),
  );
  t.deepEqual(messages, ["nvvm-operand: the result of 'add' is i32, not i64"]);
});

test("a shuffle and an aggregate have the selected elements", (t) => {
  const shuffle = said(({ fn }) => {
    const vector = fn.arguments[2]!;
    return instruction({ opcode: "shufflevector", type: vector.type, operands: [vector, vector], mask: [0, 4] });
  });
  t.deepEqual(shuffle, ["nvvm-operand: 'shufflevector': there is no element 4 in both of <2 x i32>"]);
  const extract = said(({ module }) => {
    const pair = module.types.struct([module.types.integer(32), module.types.integer(32)]);
    const value = { kind: "undef", type: pair } as const;
    return instruction({ opcode: "extractvalue", type: module.types.integer(32), operands: [value], indices: [2] });
  });
  t.deepEqual(extract, ["nvvm-operand: 'extractvalue': there is no element 2 in { i32, i32 }"]);
});

test("a call has the arguments of its function type", (t) => {
  const call = (operands: (made: ReturnType<typeof setUp>) => readonly Value[]) =>
    said((made) => {
      const callee = made.module.globals.get("g") as Function;
      return instruction({
        opcode: "call",
        type: made.module.types.integer(32),
        operands: operands(made),
        callee,
        calleeStart: 0,
        functionType: callee.valueType,
        resultAttributes: [],
        argumentAttributes: [],
        attributes: [],
        bundles: [],
        targets: [],
      });
    });
  t.deepEqual(
    call(() => []),
    ["nvvm-call: the number of arguments is 0, not 1"],
  );
  t.deepEqual(
    call(({ fn }) => [fn.arguments[1]!]),
    ["nvvm-call: argument 1 is i64, but the parameter is i32"],
  );
});

test("a switch has each case once", (t) => {
  const made = setUp();
  const { types } = made.module;
  const [, next] = made.body.blocks;
  const value = { kind: "integer", type: types.integer(32), value: 7n } as const;
  const cases = [value, value].map((one) => ({ value: one, target: next! }));
  const last = instruction({
    opcode: "switch",
    type: types.void,
    operands: [made.fn.arguments[0]!],
    cases,
    defaultTarget: next!,
  });
  const entry = { ...made.body.blocks[0]!, instructions: [last] };
  verifyBody(made.fn, { blocks: [entry, next!] }, { module: made.module }, made.sink);
  t.deepEqual(
    made.sink.all.map(({ message }) => message),
    ["the switch has the case 7 twice"],
  );
});

test("a phi has values of its type", (t) => {
  const messages = said(
    ({ fn, body, module }) =>
      instruction({
        opcode: "phi",
        type: module.types.integer(32),
        operands: [fn.arguments[1]!],
        incoming: [body.blocks[0]!],
      }),
    1,
  );
  t.deepEqual(messages, ["nvvm-operand: the phi is i32, but this value is i64"]);
});

test("a block has one terminator, at its end", (t) => {
  const { module } = setUp();
  const stop = instruction({ opcode: "unreachable", type: module.types.void, operands: [] });
  t.deepEqual(
    said(() => stop),
    ["nvvm-ssa: 'unreachable' ends a block, but instructions follow it"],
  );
  const made = setUp();
  const empty = { ...made.body.blocks[0]!, instructions: [] };
  verifyBody(made.fn, { blocks: [empty] }, { module: made.module }, made.sink);
  t.deepEqual(
    made.sink.all.map(({ message }) => message),
    ["a block must end with br, switch, ret or unreachable"],
  );
});

test("a variable has a sized type", (t) => {
  const { module, sink } = setUp();
  const variable: GlobalVariable = {
    kind: "variable",
    name: "v",
    nameStart: 0,
    start: 0,
    end: 1,
    type: module.types.pointer(1),
    valueType: module.types.void,
    linkage: "external",
    visibility: "default",
    threadLocal: false,
    attachments: [],
    constant: false,
    externallyInitialized: false,
    initializer: undefined,
    align: undefined,
    section: undefined,
    attributes: [],
  };
  verifyModule({ ...module, variables: [variable] }, {}, sink);
  t.deepEqual(
    sink.all.map(({ message }) => message),
    ["a variable cannot be of type void (NVVM IR 1.0 chapter 4)"],
  );
});
