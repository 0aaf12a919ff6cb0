// Text with errors gives no object, but diagnostics, although code is encoded before the whole module is checked.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { assembleSource } from "../../lib/object/assemble.js";

const bodies: readonly (readonly [what: string, body: string])[] = [
  ["an instruction that is none", "foo.b32 a; ret;"],
  ["a register that is not declared", "mov.b32 %r1, 0; ret;"],
  ["a label that stands nowhere", "bra nowhere; ret;"],
  ["half an instruction", ".reg .b32 %r; add.u32 %r, %r <; ret;"],
  ["a byte that is not text", "Á.reg .b32 %r; mov.b32 %r, 0; ret;"],
  ["an operand of another type", ".reg .f32 %f; add.u32 %f, %f, 1; ret;"],
  ["a function that is not declared", "call f, (a); ret;"],
];

for (const [what, body] of bodies) {
  test(`${what} is reported`, (t) => {
    const text = `.version 8.5\n.target sm_80\n.address_size 64\n.visible .func f(.param .b32 a) { ${body} }\n`;
    for (const bytes of [text, text.replace("{", "{ .loc 1 1 1;\n"), `${text}.func g() { ret; }\n`]) {
      const sink = createSink();
      t.is(assembleSource({ name: "faulty.ptx", bytes: Buffer.from(bytes) }, sink), undefined);
      t.true(sink.errorCount > 0);
    }
  });
}
