// Arbitrary syntax trees for property tests: every node kind, without places. What the grammar forbids is not generated.
// Keys stand in the parser's order, because trees are compared as JSON text.

import fc, { type Arbitrary } from "fast-check";
import { SECTION_TYPES } from "../../lib/ptx/section-data.js";
import type { SectionDirective } from "../../lib/ptx/tree.js";
import { sectionOf, type SectionItem } from "./section-items.js";

const letters = fc.constantFrom(..."abzAZ019_$");
const wordTail = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(""));
const word = fc
  .tuple(fc.constantFrom("a", "r", "%r", "$L", "_x", "add", "global", "generic"), wordTail)
  .map((parts) => parts.join(""));
const name = word.map((text) => ({ text }));
const natural = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const small = fc.nat(1000);
/** An object without the keys that are undefined. */
const compact = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
const optional = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const some = <T>(value: Arbitrary<T>, minLength = 0): Arbitrary<T[]> => fc.array(value, { minLength, maxLength: 3 });

const integer = fc.record({ kind: fc.constant("integer"), value: natural, unsigned: fc.boolean() });
const decimal = fc.double({ noNaN: true, min: 0, noDefaultInfinity: false }).map((value) => {
  const size = Math.abs(value);
  const literal = { kind: "float", spelling: "decimal", bits: new BigUint64Array(new Float64Array([size]).buffer)[0]! };
  // What is no normal number is too large or too small for ptxas.
  return size === Infinity || (size > 0 && size < 2 ** -1022) ? { ...literal, overflows: true } : literal;
});
const patterns = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((bits) => ({ kind: "float", spelling: "f32-bits", bits })),
  natural.map((bits) => ({ kind: "float", spelling: "f64-bits", bits })),
);
const binary = fc.constantFrom(..."* / % + - << >> < <= > >= == != & ^ | && ||".split(" "));
const { expression: operation } = fc.letrec<{ expression: unknown }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    integer,
    decimal,
    fc.constant({ kind: "warp-size" }),
    fc.record({ kind: fc.constant("unary"), op: fc.constantFrom(..."+-!~"), operand: tie("expression") }),
    fc.record({ kind: fc.constant("binary"), op: binary, left: tie("expression"), right: tie("expression") }),
    fc.record({
      kind: fc.constant("conditional"),
      test: tie("expression"),
      yes: tie("expression"),
      no: tie("expression"),
    }),
    fc.record({
      kind: fc.constant("cast"),
      type: fc.constantFrom({ text: "s64" }, { text: "u64" }),
      operand: tie("expression"),
    }),
  ),
}));
const expression = fc.oneof({ arbitrary: operation, weight: 4 }, patterns);

const address = fc
  .record({ kind: fc.constant("address"), name, generic: fc.boolean(), offset: optional(expression) })
  .map(compact);
const constant = fc.record({ kind: fc.constant("constant"), value: expression });
const field = fc.record({
  kind: fc.constant("field"),
  field: name,
  value: fc.oneof(
    expression,
    name.map(({ text }) => ({ kind: "name", text })),
  ),
});
const mask = fc.record({ kind: fc.constant("mask"), mask: integer, value: fc.oneof(address, constant) });
const { initializer } = fc.letrec<{ initializer: unknown }>((tie) => ({
  initializer: fc.oneof(
    { maxDepth: 3 },
    address,
    constant,
    mask,
    fc.record({ kind: fc.constant("list"), elements: some(fc.oneof(tie("initializer"), field)) }),
  ),
}));

const space = fc.constantFrom("reg", "const", "global", "local", "param", "shared", "tex");
const attribute = fc.record({ name: fc.constant("unified"), arguments: some(natural) });
const typeParts = {
  alignments: some(fc.record({ value: natural })),
  vector: optional(fc.constantFrom(2, 4)),
  type: fc.constantFrom({ text: "u32" }, { text: "b8" }, { text: "f16x2" }, { text: "texref" }, { text: "pred" }),
  attributes: some(attribute),
};
const type = fc
  .tuple(space, optional(natural), fc.record(typeParts))
  .map(([where, bank, rest]) => compact({ space: where, bank: where === "const" ? bank : undefined, ...rest }));
const dimensions = fc
  .tuple(fc.boolean(), some(natural))
  .map(([open, sizes]) => sizes.map((size, index) => compact({ size: open && index === 0 ? undefined : size })));
const declarator = fc.oneof(
  fc.record({ name, dimensions: fc.constant([]), count: natural }),
  fc.record({ name, dimensions, initializer: optional(initializer) }).map(compact),
);
const variable = fc.record({ kind: fc.constant("variable"), type, declarators: some(declarator) });
const linked = fc
  .record({ linkage: optional(fc.constantFrom("extern", "visible", "weak", "common")), variable })
  .map(({ linkage, variable: { kind, ...rest } }) => compact({ kind, linkage, ...rest }));

const pointer = fc
  .record({ space: optional(fc.constantFrom("global", "const", "shared", "local")), align: optional(natural) })
  .map(compact);
const parameter = fc.record({
  type: fc.tuple(type, optional(pointer)).map(([base, pointed]) => compact({ ...base, pointer: pointed })),
  declarator: fc.record({
    name: fc.oneof(name, fc.constant({ text: "_" })),
    dimensions: dimensions.map((bounds) => bounds.slice(0, 1)),
  }),
});
const functionDirectives = fc
  .tuple(fc.boolean(), some(natural))
  .map(([noreturn, preserved]) => [
    ...(noreturn ? [{ name: "noreturn", values: [], strings: [] }] : []),
    ...preserved.map((value) => ({ name: "abi_preserve", values: [value], strings: [] })),
  ]);
const string = some(fc.constantFrom("a", "\n", "\\", "%", " ")).map((parts) => parts.join(""));
const kernelDirective = fc.oneof(
  some(natural, 1).map((values) => ({ name: "maxntid", values, strings: [] })),
  natural.map((value) => ({ name: "minnctapersm", values: [value], strings: [] })),
  some(string, 1).map((strings) => ({ name: "pragma", values: [], strings })),
);

const plain = name.map((text) => ({ kind: "name", name: text }));
const selected = fc.record({ kind: fc.constant("name"), name, selector: fc.constantFrom("x", "w", "b3210", "h1") });
const displaced = fc.record({ kind: fc.constant("name"), name, offset: expression });
const sink = fc.constant({ kind: "sink" });
const register = fc.oneof(plain, selected);
const vector = fc.record({ kind: fc.constant("vector"), elements: some(fc.oneof(register, sink, constant), 1) });
const base = fc.oneof(plain, displaced, constant);
const operand = fc.oneof(
  register,
  displaced,
  constant,
  vector,
  fc.record({ kind: fc.constant("address"), base, rest: some(fc.oneof(register, vector)) }),
  fc.record({ kind: fc.constantFrom("not", "negate"), operand: register }),
  fc.record({ kind: fc.constant("element"), array: name, index: base }),
);
const pair = fc
  .record({ kind: fc.constant("pair"), first: fc.oneof(plain, vector, sink), second: fc.oneof(plain, sink) })
  .filter(({ first, second }) => first.kind !== "sink" || second.kind !== "sink");
const guard = optional(fc.record({ negated: fc.boolean(), name }));
const opcode = fc.constantFrom(
  { text: "add.s32" },
  { text: "ld.global.L1::no_allocate.u32" },
  { text: "tex.1d.v4.f32.s32" },
  { text: "ret" },
);
const list = fc.record({ kind: fc.constant("list"), elements: some(fc.oneof(plain, sink, constant)) });
const call = fc
  .tuple(optional(list), plain, optional(list), optional(plain))
  .map((parts) => parts.filter((part) => part !== undefined));
const instruction = fc.oneof(
  fc
    .record({
      kind: fc.constant("instruction"),
      guard,
      opcode,
      operands: fc
        .tuple(some(operand), optional(fc.oneof(sink, pair)))
        .map(([rest, first]) => (first ? [first, ...rest] : rest)),
    })
    .map(compact),
  fc
    .record({ kind: fc.constant("instruction"), guard, opcode: fc.constant({ text: "call.uni" }), operands: call })
    .map(compact),
);

const position = { file: small, line: small, column: small };
const location = fc
  .tuple(fc.record(position), optional(fc.tuple(word, natural, fc.record(position))))
  .map(([place, inlined]) =>
    compact({
      kind: "location",
      ...place,
      functionName: inlined && { label: inlined[0], offset: inlined[1] },
      inlinedAt: inlined?.[2],
    }),
  );
const pragma = some(string, 1).map((strings) => ({ kind: "pragma", strings }));
const { statement } = fc.letrec<{ statement: unknown }>((tie) => ({
  statement: fc.oneof(
    { maxDepth: 2 },
    instruction,
    variable,
    location,
    pragma,
    fc.record({ kind: fc.constant("label"), name }),
    fc.record({
      kind: fc.constant("prototype"),
      name,
      returns: some(parameter),
      parameters: some(parameter),
      directives: functionDirectives,
    }),
    fc.record({ kind: fc.constantFrom("branch-targets", "call-targets"), name, targets: some(name, 1) }),
    fc.record({ kind: fc.constant("block"), statements: some(tie("statement")) }),
  ),
}));

const body = optional(fc.record({ kind: fc.constant("block"), statements: fc.array(statement, { maxLength: 6 }) }));
const functionLinkage = optional(fc.constantFrom("extern", "visible", "weak"));
const deviceFunction = fc
  .record({
    kind: fc.constant("function"),
    linkage: functionLinkage,
    entry: fc.constant(false),
    attributes: some(attribute),
    returns: some(parameter),
    name,
    parameters: some(parameter),
    directives: functionDirectives,
    body,
  })
  .map(compact);
const kernel = fc
  .record({
    kind: fc.constant("function"),
    linkage: functionLinkage,
    entry: fc.constant(true),
    attributes: fc.constant([]),
    returns: fc.constant([]),
    name,
    parameters: some(parameter),
    directives: some(kernelDirective),
    body,
  })
  .map((value) => compact(value.body === undefined ? { ...value, directives: [] } : value));

const sectionName = fc.constantFrom(".debug_info", ".debug_str");
const reference = fc.oneof(
  fc.record({ name: fc.oneof(word, sectionName), offset: optional(natural) }).map(compact),
  fc.record({ name: word, minus: word }),
);
const sectionItem = fc.oneof(
  fc.record({ label: word }),
  fc.constantFrom(...SECTION_TYPES).chain((type) => {
    const bits = 8n << BigInt(SECTION_TYPES.indexOf(type));
    const numbers = some(fc.bigInt({ min: -(1n << (bits - 1n)), max: (1n << bits) - 1n }), 1);
    return fc.oneof(
      numbers.map((values) => ({ type, values })),
      reference.map((value) => ({ type, ...value })),
    );
  }),
);
const section = fc
  .record({ name: sectionName, legacy: fc.boolean(), items: some(sectionItem) })
  .map(({ name, legacy, items }) => sectionOf(name, items as readonly SectionItem[], legacy));
const file = fc
  .record({ index: small, path: string, timestamp: optional(natural), size: optional(natural) })
  .map(({ timestamp, size, ...rest }) =>
    compact({ kind: "file", ...rest, timestamp, size: timestamp === undefined ? undefined : size }),
  );
const alias = fc.record({ kind: fc.constant("alias"), alias: name, aliasee: name });

const item = fc.oneof(linked, deviceFunction, kernel, section, file, alias, pragma);

/** Sections of one name that follow each other are read as one. */
function goesOn(item: unknown, before: unknown): boolean {
  const [one, other] = [item, before] as (SectionDirective | { readonly kind: "other" } | undefined)[];
  if (one?.kind !== "section" || other?.kind !== "section") return false;
  return one.legacy !== true && other.legacy !== true && one.name === other.name;
}

/** Modules with a header and a few items. */
export const modules: Arbitrary<unknown> = fc
  .tuple(
    fc.record({ kind: fc.constant("version"), major: small, minor: small }),
    fc.record({ kind: fc.constant("target"), names: some(name, 1) }),
    optional(fc.record({ kind: fc.constant("address-size"), bits: natural })),
    fc.array(item, { maxLength: 6 }),
  )
  .map(([version, target, size, rest]) => ({
    items: [
      version,
      target,
      ...(size === undefined ? [] : [size]),
      ...rest.filter((one, i) => !goesOn(one, rest[i - 1])),
    ],
  }));
