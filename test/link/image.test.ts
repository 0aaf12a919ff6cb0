// Properties of images: a relocation changes only its own bytes, shared memory is reachable through indirect calls,
// static names may be equal, symbols keep their origins, and inputs are not modified.

import test from "ava";
import type { LinkedImage, VariableSymbol } from "../../lib/object/object.js";
import { writeObject } from "../../lib/object/file/write.js";
import { bytesIn, linkAll, linkBodies, moduleText, objectOf, symbolsOf } from "./build.js";

const variable = (image: LinkedImage, name: string): VariableSymbol => {
  const [symbol] = symbolsOf(image, name);
  if (symbol?.kind !== "variable") throw new Error(`no variable ${name}`);
  return symbol;
};

test("narrow variables with addresses of constants do not overlap", (t) => {
  const { image } = linkBodies(".const .u32 pad[3];\n.const .u32 c;\n.global .u32 p[4] = {c, c+1, 7, c+2};");
  t.is(bytesIn(image!, variable(image!, "p")), "00000000010000000700000002000000");
});

test("a masked byte of a constant's offset is stored zero-extended", (t) => {
  const { image } = linkBodies(
    ".const .align 512 .b8 a[512];\n.const .u8 c;\n.global .u32 p[2] = {0xFF00(c), 0xFF(c)};",
  );
  t.is(bytesIn(image!, variable(image!, "p")), "0200000000000000");
});

test("shared memory is reachable through an indirect call, and only in kernels that make one", (t) => {
  const { image } = linkBodies(
    [
      ".shared .align 4 .b8 s[12];",
      ".func f() { .reg .b16 %h; st.shared.u8 [s], %h; ret; }",
      ".visible .global .u64 table[1] = {f};",
      ".visible .entry caller(.param .u64 x)",
      "{ .reg .b64 %p; ld.param.u64 %p, [x]; P: .callprototype () _ (); call %p, (), P; ret; }",
      ".visible .entry other() { ret; }",
    ].join("\n"),
  );
  const sizes = image!.kernels.map(({ symbol, sharedBytes }) => [image!.symbols[symbol]!.name, sharedBytes]);
  t.deepEqual(sizes, [
    ["caller", 12],
    ["other", 0],
  ]);
});

test("dynamic shared memory is aligned to 16 in a link of objects, and as declared in a single whole module", (t) => {
  const body = [
    ".shared .u8 s[3];",
    ".extern .shared .align 128 .b8 d[];",
    ".extern .shared .align 2048 .b8 nobody[];",
    ".visible .entry k() { .reg .b16 %h; st.shared.u8 [s], %h; st.shared.u8 [d], %h; ret; }",
    ".visible .entry other() { .shared .b8 own[4]; .reg .b16 %h; st.shared.u8 [own], %h; ret; }",
    ".visible .entry none() { ret; }",
  ].join("\n");
  const offsets = (target: string, wholeProgram: boolean): readonly (readonly [size: number, dynamic: number])[] => {
    const { image } = linkAll([objectOf("a.ptx", moduleText(body, target))], { wholeProgram });
    return image!.kernels.map(({ sharedBytes, dynamicSharedOffset }) => [sharedBytes, dynamicSharedOffset]);
  };
  t.deepEqual(offsets("sm_80", false), [
    [16, 16],
    [4, 16],
    [0, 0],
  ]);
  t.deepEqual(offsets("sm_80", true), [
    [2048, 2048],
    [2048, 2048],
    [0, 0],
  ]);
  // From sm_90 on the system reserves the first KiB, and alignments are relative to its end.
  t.deepEqual(offsets("sm_90", false), [
    [1040, 1040],
    [1028, 1040],
    [0, 0],
  ]);
  t.deepEqual(offsets("sm_90", true), [
    [3072, 3072],
    [3072, 3072],
    [0, 0],
  ]);
});

test("static symbols of one name are separate, each with its module", (t) => {
  const { image } = linkBodies(".global .u32 a = 1;", ".global .u32 a = 2;");
  const found = symbolsOf(image!, "a").map((symbol) => [
    image!.modules[symbol.origin.module]!.name,
    symbol.origin.line,
    symbol.kind === "variable" ? bytesIn(image!, symbol) : "",
  ]);
  t.deepEqual(found, [
    ["a.ptx", 4, "01000000"],
    ["b.ptx", 4, "02000000"],
  ]);
});

test("linking changes none of its inputs, and the same inputs give the same bytes", (t) => {
  const bodies = [
    ".const .u32 c = 5;\n.shared .u32 s;\n.visible .entry k() { .reg .b32 %r; ld.const.u32 %r, [c]; st.shared.u32 [s], %r; ret; }",
    ".visible .global .u32 q;\n.global .u64 p = q;",
  ];
  const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
  const before = objects.map((object) => Buffer.from(writeObject(object)).toString("hex"));
  const first = writeObject(linkAll(objects).image!);
  const second = writeObject(linkAll(objects).image!);
  t.deepEqual(first, second);
  t.deepEqual(
    objects.map((object) => Buffer.from(writeObject(object)).toString("hex")),
    before,
  );
});
