// Options that outputs other than images refuse, or treat in their own way, such as --defsym of merged PTX.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/link-objects.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";
import type { SymbolDefinition } from "../../lib/link/model/symbol-definition.js";

const table = ".visible .global .u32 table[4] = {1, 2, 3, 4};";

function emit(define: readonly SymbolDefinition[], ...bodies: readonly string[]) {
  const sink = createSink();
  const objects = bodies.map((body, i) => objectOf(`${"ab"[i]}.ptx`, moduleText(body)));
  return { text: Buffer.from(emitPtx(objects, { define }, sink)!).toString(), says: sink.all };
}

test("references to a removed name refer to its value, and the removal is reported", (t) => {
  const { text, says } = emit(
    [{ name: "x", base: "table", offset: 8n }],
    ".extern .global .u32 x;\n.visible .global .u64 p = x;",
    table,
  );
  t.regex(text, /p = (generic\()?table\)?\+8;/);
  t.deepEqual(
    says.map(({ code, message }) => [code, message]),
    [["name-dropped", "x is not a name in the merged module, which uses table+8 instead"]],
  );
});

test("a name that became an address is not declared", (t) => {
  const { text, says } = emit(
    [{ name: "y", offset: 4096n }],
    ".extern .global .u32 y;\n.visible .global .u64 p = y;",
    table,
  );
  t.regex(text, /p = 4096;/);
  t.notRegex(text, /extern/);
  t.deepEqual(says, []);
});

test("options that PTX cannot express are refused", async (t) => {
  const files = { "a.ptx": moduleText(table) };
  for (const option of ["--emit-relocs", "--build-id", "--debug-line", "--print-memory-usage", "--print-call-graph"]) {
    const { status, err, written } = await ptxkit(["link", "--emit", "ptx", option, "a.ptx", "-o", "out"], { files });
    t.is(status, 2, option);
    t.regex(err, /pass .* to the link/, option);
    t.is(written.size, 0, option);
  }
});

test("options without effect are reported, and the output is written", async (t) => {
  const files = { "a.ptx": moduleText(table) };
  for (const [line, says] of [
    ["--map-format json", /--map-format changes nothing without --map/],
    ["--debug-line -S", /--debug-line changes nothing with --strip-debug/],
    ["-r --emit-relocs", /--emit-relocs changes nothing with -r, which applies no relocations/],
    ["-r --ignore-unresolved-symbol x", /--ignore-unresolved-symbol changes nothing with -r/],
    ["-r --unresolved-symbols=ignore-all", /--unresolved-symbols changes nothing with -r/],
    ["-r --warn-unresolved-symbols", /--warn-unresolved-symbols changes nothing with -r/],
  ] as const) {
    const { status, err, written } = await ptxkit(`link ${line} a.ptx -o out`.split(" "), { files });
    t.is(status, 0, line);
    t.regex(err, says);
    t.regex(err, /\[no-effect\]/);
    t.true(written.has("out"));
  }
});
