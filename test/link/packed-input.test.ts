// Sources in archives stay compressed until the link, and each request makes the object again.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { inputPacker } from "../../lib/link/inputs/packed-input.js";
import type { Input } from "../../lib/link/inputs/input.js";
import { openInputs } from "../../lib/link/inputs/open-input.js";
import { isPacked } from "../../lib/object/columns/packed/packed-object.js";
import { moduleText } from "./build.js";

const open = (text: string, pack?: (input: Input) => Input): Input & { readonly kind: "object" } => {
  const source = { name: "lib.a(a.ptx)", bytes: Buffer.from(moduleText(text)) };
  const [input] = openInputs(source, createSink(), pack === undefined ? {} : { pack });
  return input as Input & { readonly kind: "object" };
};

const plain = ".visible .func f() { ret; }\n.visible .global .u32 v = 3;\n.visible .entry k() { call f; ret; }";

test("packing and unpacking an assembled object gives the same object", (t) => {
  const [input, packed] = [open(plain), open(plain, inputPacker())];
  t.is(input.linkInput, undefined);
  t.true(packed.linkInput !== undefined && isPacked(packed.linkInput));
  t.is(packed.name, "lib.a(a.ptx)");
  t.deepEqual(packed.object, input.object);
  t.not(packed.object, packed.object);
});

test("a packed object is returned unchanged", (t) => {
  const pack = inputPacker();
  const packed = open(plain, pack);
  t.is(pack(packed), packed);
});
