// The table has every instruction in the programs of testdata, which nvcc 13 wrote.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { resolveOpcode } from "../../lib/isa/opcode.js";
import { parseModule } from "../../lib/ptx/parse.js";
import type { Statement } from "../../lib/ptx/tree.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));

function* spellings(statements: readonly Statement[]): Generator<string> {
  for (const statement of statements) {
    if (statement.kind === "instruction") yield statement.opcode.text;
    else if (statement.kind === "block") yield* spellings(statement.statements);
  }
}

for (const folder of ["programs", "cubins"]) {
  test(`all instructions of testdata/${folder} resolve`, (t) => {
    const found = new Map<string, string>();
    for (const name of readdirSync(path.join(testdata, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ptx")) continue;
      const bytes = readFileSync(path.join(testdata, folder, name));
      for (const item of parseModule({ name, bytes }, createSink()).items) {
        if (item.kind === "function" && item.body !== undefined)
          for (const spelling of spellings(item.body.statements)) found.set(spelling, name);
      }
    }
    t.true(found.size > 0);
    for (const [spelling, name] of found) t.true(resolveOpcode(spelling).length > 0, `${name}: ${spelling}`);
  });
}
