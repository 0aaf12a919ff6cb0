import test from "ava";
import type { FunctionDeclaration } from "../../lib/ptx/tree.js";
import { bare, header, items, parse, statements } from "./support.js";

test("functions: linkage, attributes, results, parameters, directives, body", (t) => {
  const text =
    ".weak .func .attribute(.unified(19, 95)) (.reg .u32 r) f(.reg .u32 a, .param .b8 b[4]) .noreturn .abi_preserve 3 { ret; }";
  const [found] = items(t, text) as [FunctionDeclaration];
  t.is(found.linkage, "weak");
  t.false(found.entry);
  t.deepEqual(bare(found.attributes), [{ name: "unified", arguments: ["19n", "95n"] }]);
  t.deepEqual(
    found.returns.map(({ declarator }) => declarator.name.text),
    ["r"],
  );
  t.deepEqual(
    found.parameters.map(({ type, declarator }) => `${type.space} ${declarator.name.text}`),
    ["reg a", "param b"],
  );
  t.deepEqual(bare(found.directives), [
    { name: "noreturn", values: [], strings: [] },
    { name: "abi_preserve", values: ["3n"], strings: [] },
  ]);
  t.is(found.body?.statements.length, 1);
});

test("kernels take performance directives and pragmas", (t) => {
  const [kernel] = items(
    t,
    '.entry k .maxntid 1,2,3 .minnctapersm 2 .maxnreg 32 .explicitcluster .reqnctapercluster 2 .pragma "a", "b"; {}',
  ) as [FunctionDeclaration];
  t.deepEqual(
    kernel.directives.map(({ name, values, strings }) => [name, ...values.map(Number), ...strings]),
    [
      ["maxntid", 1, 2, 3],
      ["minnctapersm", 2],
      ["maxnreg", 32],
      ["explicitcluster"],
      ["reqnctapercluster", 2],
      ["pragma", "a", "b"],
    ],
  );
});

test("a device function's prototype may lack its semicolon, a kernel's may not", (t) => {
  t.is(items(t, ".extern .func f()\n.extern .func g();").length, 2);
  t.deepEqual(parse(`${header}.extern .entry k()\n.global .u32 a;`).messages, [
    "5:1 expected the kernel's body or ';', found '.global'",
  ]);
});

test("some directives are for kernels only, others for functions only", (t) => {
  const says = (text: string): string | undefined => parse(header + text).messages.join("; ");
  t.is(says(".func f() .maxntid 3 { ret; }"), "4:11 expected a directive for functions, '{' or ';', found '.maxntid'");
  t.is(says(".entry k() .noreturn { ret; }"), "4:12 expected a directive for kernels, '{' or ';', found '.noreturn'");
  t.is(says(".entry k() .maxntid { ret; }"), "4:21 expected an integer after '.maxntid', found '{'");
});

test("statements: labels, scopes, declarations, prototypes, targets, pragmas, locations", (t) => {
  const text = [
    'L1: L2: { .reg .b32 %r<4>; } .pragma "nounroll";',
    "p: .callprototype (.param .b32 _) _ (.param .b64 a, .param .b8 _[4]) .noreturn;",
    "q: .callprototype _;",
    "t: .branchtargets L1, L<2>;",
    "c: .calltargets f, g;",
    ".loc 1 2 3",
    ".extern .func f(.param .b32 a);",
    "ret;",
  ].join("\n");
  const found = statements(t, text);
  t.deepEqual(
    found.map(({ kind }) => kind),
    "label label block pragma prototype prototype branch-targets call-targets location function instruction".split(
      " ",
    ) as never,
  );
  const targets = found[6]!;
  t.deepEqual(targets.kind === "branch-targets" && targets.targets.map(({ text }) => text), ["L1", "L0", "L1"]);
});

test("scopes nested beyond any stack are refused", (t) => {
  const { messages } = parse(`${header}.entry k() ${"{".repeat(1e5)}`);
  t.deepEqual(messages, ["4:268 nested more than 256 deep; the rest of the file was not read"]);
});
