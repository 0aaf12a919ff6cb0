import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { cubinFacts } from "../../lib/report/cubin-facts.js";

const folder = fileURLToPath(new URL("../../../testdata/cubins/", import.meta.url));

test("a cubin gives its kernels' registers and bytes of code", (t) => {
  for (const name of ["linked.sm_75.cubin", "linked.sm_100.cubin"]) {
    const facts = cubinFacts({ name, bytes: readFileSync(`${folder}${name}`) }, createSink());
    t.true(facts!.size > 0);
    for (const { registers, codeBytes } of facts!.values()) {
      t.true(registers! >= 8 && registers! <= 255);
      t.true(codeBytes! >= 128 && codeBytes! % 128 === 0);
    }
  }
});

test("a file that is not a cubin gives no kernels", (t) => {
  const sink = createSink();
  t.is(cubinFacts({ name: "k.ptx", bytes: Buffer.from(".version 8.0\n.target sm_80\n") }, sink)?.size ?? 0, 0);
});
