import test, { type ExecutionContext } from "ava";
import type { Instruction, Operand } from "../../lib/ptx/tree.js";
import { bare, header, parse, statements } from "./support.js";

function instruction(t: ExecutionContext, text: string): Instruction {
  const [first] = statements(t, text) as [Instruction];
  t.is(first.kind, "instruction");
  return first;
}

const operands = (t: ExecutionContext, text: string): unknown => bare(instruction(t, text).operands);

const name = (text: string, rest: object = {}): object => ({ kind: "name", name: { text }, ...rest });
const integer = (value: number): object => ({ kind: "integer", value: `${value}n`, unsigned: false });
const constant = (value: number): object => ({ kind: "constant", value: integer(value) });

test("a guard, an opcode with its modifiers, and operands", (t) => {
  t.deepEqual(bare(instruction(t, "@!%p1 add.s32 %r1, %r2, 3;")), {
    kind: "instruction",
    guard: { negated: true, name: { text: "%p1" } },
    opcode: { text: "add.s32" },
    operands: [name("%r1"), name("%r2"), constant(3)],
  });
  t.is(instruction(t, "ld.global .L1::no_allocate .u32 a, [b];").opcode.text, "ld.global.L1::no_allocate.u32");
  t.is(instruction(t, "@ ! p ret;").guard?.negated, true);
});

test("operands: selectors, vectors, pairs, negations, discarded results", (t) => {
  t.deepEqual(operands(t, "mov.u32 %r1, %tid.x;"), [name("%r1"), name("%tid", { selector: "x" })]);
  t.deepEqual(operands(t, "mov.u32 %r1, %v .y;"), [name("%r1"), name("%v", { selector: "y" })]);
  t.deepEqual(operands(t, "vadd2.s32.s32.s32 a.h10, b.b3210, -c.h0, d;"), [
    name("a", { selector: "h10" }),
    name("b", { selector: "b3210" }),
    { kind: "negate", operand: name("c", { selector: "h0" }) },
    name("d"),
  ]);
  t.deepEqual(operands(t, "mov.b64 {a, _}, {b, 5};"), [
    { kind: "vector", elements: [name("a"), { kind: "sink" }] },
    { kind: "vector", elements: [name("b"), constant(5)] },
  ]);
  t.deepEqual(operands(t, "setp.lt.and.s32 _|p, a, b, !q;"), [
    { kind: "pair", first: { kind: "sink" }, second: name("p") },
    name("a"),
    name("b"),
    { kind: "not", operand: name("q") },
  ]);
  t.deepEqual(operands(t, "atom.add.u32 _, [a], 1;"), [
    { kind: "sink" },
    { kind: "address", base: name("a"), rest: [] },
    constant(1),
  ]);
});

test("addresses: offsets, constants, further items", (t) => {
  const address = (text: string): unknown => (operands(t, `ld.u32 a, ${text};`) as Operand[])[1];
  const of = (base: object, ...rest: object[]): object => ({ kind: "address", base, rest });
  const minus = (value: number): object => ({ kind: "unary", op: "-", operand: integer(value) });
  t.deepEqual(address("[%rd1]"), of(name("%rd1")));
  t.deepEqual(address("[%rd1+4]"), of(name("%rd1", { offset: integer(4) })));
  t.deepEqual(address("[g + -4]"), of(name("g", { offset: minus(4) })));
  t.deepEqual(address("[16]"), of(constant(16)));
  t.deepEqual(
    address("[t, s, {x, y}]"),
    of(name("t"), name("s"), { kind: "vector", elements: [name("x"), name("y")] }),
  );
  t.deepEqual(address("a[%r1+4]"), {
    kind: "element",
    array: { text: "a" },
    index: name("%r1", { offset: integer(4) }),
  });
});

test("a call's parentheses are lists, whichever of them are present", (t) => {
  const list = (...elements: object[]): object => ({ kind: "list", elements });
  t.deepEqual(operands(t, "call f;"), [name("f")]);
  t.deepEqual(operands(t, "call (r), f, (a, 5, _);"), [
    list(name("r")),
    name("f"),
    list(name("a"), constant(5), { kind: "sink" }),
  ]);
  t.deepEqual(operands(t, "call.uni f, ();"), [name("f"), list()]);
  t.deepEqual(operands(t, "call (r), %rd1, (a), proto;"), [
    list(name("r")),
    name("%rd1"),
    list(name("a")),
    name("proto"),
  ]);
  t.deepEqual(operands(t, "call %rd1, proto;"), [name("%rd1"), name("proto")]);
  t.deepEqual(operands(t, "add.s32 a, b, (1);"), [name("a"), name("b"), constant(1)]);
});

test("ranges span a node from its first byte to its last", (t) => {
  const text = `${header}.entry k() { @p add.s32 %r1, [a+4], {b , c}; }`;
  const { module } = parse(text);
  const kernel = module.items[3]!;
  if (kernel.kind !== "function") return t.fail();
  const found = kernel.body!.statements[0] as Instruction;
  const slice = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  t.is(slice(found), "@p add.s32 %r1, [a+4], {b , c};");
  t.is(slice(found.guard!), "@p");
  t.is(slice(found.opcode), "add.s32");
  t.deepEqual(found.operands.map(slice), ["%r1", "[a+4]", "{b , c}"]);
});

test("a message says what was expected and what was found", (t) => {
  const says = (text: string): string | undefined => parse(`${header}.entry k() {\n${text}\n}`).messages.join("; ");
  t.is(says("add.s32 a, b, c"), "5:16 expected ';' after the instruction");
  t.is(says("add.s32 a b, c;"), "5:11 expected ',' or ';' after the operand, found 'b'");
  t.is(says("add.s32 a, , c;"), "5:12 expected an operand, found ','");
  t.is(says("ld.u32 a, [b-4];"), "5:13 expected '+' before an offset, found '-'");
  t.is(says("mov.b64 a, {{b, c}, d};"), "5:13 expected an element of a vector, found '{'");
  t.is(says("call (a) f;"), "5:10 expected ',' after the return value of the call, found 'f'");
  t.is(says("@5 ret;"), "5:2 expected a predicate register after '@', found '5'");
  t.is(says("mov.u32 a, %v.x.y;"), "5:14 expected a selector such as '.x' or '.b0' after '%v', found '.x.y'");
});
