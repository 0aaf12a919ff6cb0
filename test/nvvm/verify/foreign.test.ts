// Every instruction of LLVM that NVVM does not have is named, with the section of NVVM IR 1.0 that excludes it.

import test from "ava";
import { diagnosticsOf } from "./support.js";

const head = "declare i32 @personality(...)\ndeclare void @g()\n";
const body = (lines: string): string =>
  `define void @f(ptr %p) personality ptr @personality {\n  br label %t\nt:\n${lines}\na:\n  ret void\nb:\n  ret void\n}\n`;

const cases: readonly (readonly [opcode: string, section: string, lines: string])[] = [
  ["invoke", "8.1", "  invoke void @g() to label %a unwind label %b"],
  ["callbr", "8.1", '  callbr void asm "", ""() to label %a [label %b]'],
  ["indirectbr", "8.1", "  indirectbr ptr %p, [label %a, label %b]"],
  ["resume", "8.1", "  resume ptr %p"],
  ["unwind", "8.1", "  unwind"],
  ["catchswitch", "8.1", "  %s = catchswitch within none [label %a] unwind to caller"],
  ["cleanupret", "8.1", "  cleanupret from none unwind to caller"],
  ["catchret", "8.1", "  catchret from none to label %a"],
  ["landingpad", "8.8", "  %l = landingpad { ptr, i32 } cleanup catch ptr null\n  br label %a"],
  ["cleanuppad", "8.8", "  %c = cleanuppad within none []\n  br label %a"],
  ["catchpad", "8.8", "  %c = catchpad within none [ptr null, i32 1]\n  br label %a"],
];

for (const [opcode, section, lines] of cases) {
  test(`'${opcode}' is refused with section ${section}`, (t) => {
    const found = diagnosticsOf(head + body(lines));
    t.deepEqual(
      found.map(({ code, place }) => `${code} ${place?.line}`),
      ["nvvm-instruction 6"],
    );
    t.regex(found[0]!.message, new RegExp(`^'${opcode}' is not supported: .*section ${section}\\)$`));
    t.truthy(found[0]!.remedy);
  });
}

for (const line of ["%x = malloc i32", "free ptr %p", "%x = getresult i32 0, 0", "%x = vicmp eq i32 1, 2"]) {
  test(`'${line}', removed from LLVM, is named`, (t) => {
    const [first] = diagnosticsOf(head + body(`  ${line}\n  br label %a`));
    t.is(first?.code, "nvvm-instruction");
    t.regex(first!.message, /has not been an instruction since LLVM 2\.8$/);
  });
}
