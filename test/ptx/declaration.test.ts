import test from "ava";
import type { FunctionDeclaration, VariableDeclaration } from "../../lib/ptx/tree.js";
import { bare, header, items, parse } from "./support.js";

test("a declaration says its linkage, space, alignments, vector size, type, names and bounds", (t) => {
  const text = ".visible .global .align 4 .align 8 .attribute(.managed, .unified(1, 0x2)) .v2 .u32 a[2][3], b;";
  t.deepEqual(bare(items(t, text)), [
    {
      kind: "variable",
      linkage: "visible",
      type: {
        space: "global",
        alignments: [{ value: "4n" }, { value: "8n" }],
        vector: 2,
        type: { text: "u32" },
        attributes: [
          { name: "managed", arguments: [] },
          { name: "unified", arguments: ["1n", "2n"] },
        ],
      },
      declarators: [
        { name: { text: "a" }, dimensions: [{ size: "2n" }, { size: "3n" }] },
        { name: { text: "b" }, dimensions: [] },
      ],
    },
  ]);
});

test("names may be ranged, banks numbered, first bounds open", (t) => {
  const [counted, bank, open] = items(t, ".reg .b32 %r<100>; .const[2] .u8 c; .extern .shared .b8 s[];") as [
    VariableDeclaration,
    VariableDeclaration,
    VariableDeclaration,
  ];
  t.is(counted.declarators[0]!.count, 100n);
  t.is(bank.type.bank, 2n);
  t.deepEqual(bare(open.declarators[0]!.dimensions), [{}]);
});

test("keywords are names where a name is expected", (t) => {
  const declared = items(t, ".global .u32 add, global, mov, version, generic;") as [VariableDeclaration];
  t.deepEqual(
    declared[0].declarators.map(({ name }) => name.text),
    ["add", "global", "mov", "version", "generic"],
  );
});

test("initial values: lists, addresses, generic addresses, masks, fields", (t) => {
  const [variable] = items(
    t,
    ".global .u64 a[] = {1, {}, {x}, y+4, generic(z)+-8, 0xFF00(w+1), 0xFF(generic(v))};",
  ) as [VariableDeclaration];
  const list = variable.declarators[0]!.initializer!;
  const integer = (value: bigint): unknown => ({ kind: "integer", value: `${value}n`, unsigned: false });
  const address = (name: string, generic: boolean, offset?: unknown): unknown => ({
    kind: "address",
    name: { text: name },
    generic,
    ...(offset === undefined ? {} : { offset }),
  });
  t.deepEqual(bare(list), {
    kind: "list",
    elements: [
      { kind: "constant", value: integer(1n) },
      { kind: "list", elements: [] },
      { kind: "list", elements: [address("x", false)] },
      address("y", false, integer(4n)),
      address("z", true, { kind: "unary", op: "-", operand: integer(8n) }),
      { kind: "mask", mask: integer(0xff00n), value: address("w", false, integer(1n)) },
      { kind: "mask", mask: integer(0xffn), value: address("v", true) },
    ],
  });
  const [texture] = items(t, ".global .texref t = {filter_mode = linear, width = 1+2};") as [VariableDeclaration];
  t.deepEqual(bare(texture.declarators[0]!.initializer), {
    kind: "list",
    elements: [
      { kind: "field", field: { text: "filter_mode" }, value: { kind: "name", text: "linear" } },
      {
        kind: "field",
        field: { text: "width" },
        value: { kind: "binary", op: "+", left: integer(1n), right: integer(2n) },
      },
    ],
  });
});

test("a parameter may point, and may be aligned before or after its type", (t) => {
  const [kernel] = items(
    t,
    ".entry k(.param .u64 .ptr .global .align 8 p, .param .b8 .align 16 q[32], .param .u64 .ptr r);",
  ) as [FunctionDeclaration];
  t.deepEqual(bare(kernel.parameters.map(({ type }) => [type.pointer, type.alignments])), [
    [{ space: "global", align: "8n" }, []],
    [null, [{ value: "16n" }]],
    [{}, []],
  ]);
});

test("a message says what was expected and what was found", (t) => {
  const says = (text: string): string | undefined => parse(header + text).messages[0];
  t.is(says(".global a;"), "4:9 expected a type such as '.u32', found 'a'");
  t.is(says(".global .u32 a b;"), "4:16 expected ';' or ',' after the declared name, found 'b'");
  t.is(says(".global .u32 1a;"), "4:14 expected a name to declare, found the malformed number '1a'");
  t.is(says(".align 4 .u32 a;"), "4:10 expected a state space such as '.global', found '.u32'");
  t.is(says(".global .u32 a[2] = {1,};"), "4:24 expected a constant, found '}'");
  t.is(
    says(".visible .visible .global .u32 a;"),
    "4:10 expected a state space, '.func' or '.entry' after '.visible', found '.visible'",
  );
  t.is(says(".global .u32 a"), "4:15 expected ';' or ',' after the declared name, found the end of the file");
});

test("initial values nested beyond any stack are refused", (t) => {
  const { messages } = parse(`${header}.global .u32 a = ${"{".repeat(1e5)}`);
  t.deepEqual(messages, ["4:274 nested more than 256 deep; the rest of the file was not read"]);
});
