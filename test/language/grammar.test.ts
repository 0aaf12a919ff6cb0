// The TextMate grammar: the file is made from the tables, and its expressions colour a module as an editor would.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "ava";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { grammarText } from "../../lib/language/grammar.js";
import { opcodeNames } from "../../lib/isa/rows/all.table.js";

const file = new URL("../../../lib/language/ptx.tmLanguage.json", import.meta.url);

test("the grammar file equals what the tables generate", (t) => {
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(file, grammarText());
  else t.is(readFileSync(file, "utf8"), grammarText());
});

async function loadGrammar(): Promise<textmate.IGrammar> {
  const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
  await oniguruma.loadWASM(readFileSync(wasm));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(grammarText(), "ptx.tmLanguage.json"),
  });
  return (await registry.loadGrammar("source.ptx"))!;
}

const grammar = loadGrammar();

/** The words of a line with the innermost scope of each. */
async function scopesOf(line: string): Promise<Readonly<Record<string, string>>> {
  const { tokens } = (await grammar).tokenizeLine(line, textmate.INITIAL);
  return Object.fromEntries(
    tokens
      .map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex).trim(), scopes.at(-1)!] as const)
      .filter(([text]) => text !== ""),
  );
}

for (const [line, expected] of [
  [
    "\t@%p1 ld.global.nc.v4.u32 {%r1, %r2}, [%rd1+0x10]; // load",
    {
      "%p1": "variable.other.register.ptx",
      ld: "keyword.operator.instruction.ptx",
      ".global.nc.v4.u32": "storage.modifier.instruction.ptx",
      "%rd1": "variable.other.register.ptx",
      "0x10": "constant.numeric.ptx",
      "// load": "comment.line.double-slash.ptx",
    },
  ],
  [
    ".visible .entry scale(.param .u64 data)",
    {
      ".visible": "storage.modifier.ptx",
      ".entry": "keyword.declaration.function.ptx",
      scale: "entity.name.function.ptx",
      ".param": "storage.modifier.ptx",
      ".u64": "storage.type.ptx",
    },
  ],
  [
    "\tmov.u32 %r1, %tid.x;",
    { "%tid.x": "support.variable.special-register.ptx", mov: "keyword.operator.instruction.ptx" },
  ],
  ["$L__BB0_2:", { $L__BB0_2: "entity.name.label.ptx" }],
  [".target sm_90", { ".target": "keyword.control.directive.ptx" }],
  ["\tmov.f32 %f1, 0f3F800000;", { "0f3F800000": "constant.numeric.float.bits.ptx" }],
  ["\tret;", { ret: "keyword.operator.instruction.ptx" }],
] as const) {
  test(`colours of ${JSON.stringify(line)}`, async (t) => {
    const found = await scopesOf(line);
    for (const [text, scope] of Object.entries(expected)) t.is(found[text], scope, text);
  });
}

test("every opcode is coloured", async (t) => {
  for (const name of opcodeNames()) {
    t.is((await scopesOf(`\t${name}.u32 %a, %b;`))[name], "keyword.operator.instruction.ptx", name);
  }
});
