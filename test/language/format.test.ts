// Formatting: the printer's layout, with every token and comment kept.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { sample, topFolder } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import { openDocument } from "../../lib/language/document.js";
import { formatDocument, type FormatOptions } from "../../lib/language/format.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { printModule } from "../../lib/ptx/printer.js";
import { head } from "./support.js";

function format(text: string, options?: FormatOptions): string {
  const result = formatDocument(openDocument("a.ptx", text), options);
  return result.kind === "formatted" ? result.text : `refused: ${result.why}`;
}

test("printed PTX is formatted already, and formatting is idempotent", (t) => {
  const folder = new URL("../../../testdata/", import.meta.url);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx"));
  const names = sample(all, 48, { kind: topFolder });
  let compared = 0;
  for (const name of names) {
    const bytes = readFileSync(new URL(name, folder));
    if (bytes.length > 50_000) continue;
    const sink = createSink();
    const module = parseModule({ name, bytes }, sink);
    if (sink.errorCount > 0) continue;
    const printed = printModule(module);
    if (format(printed) !== printed) t.is(format(printed), printed, name);
    const once = format(bytes.toString("latin1"));
    if (!once.startsWith("refused") && format(once) !== once) t.is(format(once), once, name);
    compared++;
  }
  t.true(compared * 4 > names.length, `${compared} modules`);
});

test("comments, blank lines, spelling and line ends within statements are kept", (t) => {
  const text = `// a licence
${head}

/* two
   lines */ .visible   .entry k( .param .u64 p,
      .param .u32 n )   .maxntid 256,1 ,1
{ // the body
.reg .pred %p<2>;.reg .b32   %r < 3 > ;


  mov.u32 %r1 , 0x10;   // sixteen
L1:
        @!%p1 bra   L1; /* inline */ add.s32 %r2,%r1,-1;
  ld.param.u32 %r1,[n+ 4];
    // before the end
}
`;
  t.is(
    format(text),
    `// a licence
${head}
/* two
   lines */
.visible .entry k(.param .u64 p,
	.param .u32 n)
.maxntid 256, 1, 1
{ // the body
	.reg .pred %p<2>;
	.reg .b32 %r<3>;

	mov.u32 %r1, 0x10;   // sixteen
	L1:
	@!%p1 bra L1; /* inline */
	add.s32 %r2, %r1, -1;
	ld.param.u32 %r1, [n+4];
	// before the end
}
`,
  );
});

test("the editor's indentation is used", (t) => {
  const text = `${head}.func f()\n{\n{\nret;\n}\n}\n`;
  t.is(format(text, { indent: "  " }), `${head}.func f()\n{\n  {\n    ret;\n  }\n}\n`);
});

test("text with syntax errors, and @@DWARF lines, is refused", (t) => {
  t.regex(format(`${head}.func f() { mov.u32 %r1 }`), /^refused: the file has a syntax error: /);
  t.regex(format(`${head}.func f() { /* `), /^refused: /);
  const legacy = `.version 1.4\n.target sm_10\n@@DWARF .section .debug_info, "", @progbits\n@@DWARF .byte 1\n`;
  t.is(format(legacy), "refused: lines of @@DWARF are not formatted");
});

test("a comment after the last token, and a line marker, keep their places", (t) => {
  t.is(format(`${head}# 12 "a.cu"\n.global .u32 x; // last`), `${head}# 12 "a.cu"\n.global .u32 x; // last\n`);
});
