import test from "ava";
import { bare, header, items, parse, statements } from "./support.js";

test("files and places, with and without what may be left out", (t) => {
  t.deepEqual(bare(items(t, '.file 1 "a.cu"\n.file 2 "b.h", 1234, 56')), [
    { kind: "file", index: 1, path: "a.cu" },
    { kind: "file", index: 2, path: "b.h", timestamp: "1234n", size: "56n" },
  ]);
  t.deepEqual(bare(statements(t, ".loc 1 2 3\n.loc 1 4 5, function_name S+7, inlined_at 1 8 9")), [
    { kind: "location", file: 1, line: 2, column: 3 },
    {
      kind: "location",
      file: 1,
      line: 4,
      column: 5,
      functionName: { label: "S", offset: "7n" },
      inlinedAt: { file: 1, line: 8, column: 9 },
    },
  ]);
});

test("section data: numbers, labels, offsets, differences", (t) => {
  const text = ".section .debug_info {\n.b8 -1, 0x10\nL: .b32 L+4\n.b64 .debug_str\n.b32 L-M\nM:\n}";
  t.deepEqual(bare(items(t, text)), [
    {
      kind: "section",
      name: ".debug_info",
      items: [
        {
          kind: "data",
          type: "b8",
          values: [
            { kind: "integer", value: "-1n" },
            { kind: "integer", value: "16n" },
          ],
        },
        { kind: "label", name: "L" },
        { kind: "data", type: "b32", values: [{ kind: "label", name: "L", offset: "4n" }] },
        { kind: "data", type: "b64", values: [{ kind: "label", name: ".debug_str" }] },
        { kind: "data", type: "b32", values: [{ kind: "label", name: "L", minus: "M" }] },
        { kind: "label", name: "M" },
      ],
    },
  ]);
});

test("the debug lines of PTX ISA 1.x are sections too", (t) => {
  const text =
    '@@DWARF .section .debug_info, "", @progbits\n@@DWARF .byte 1, 2\n@@DWARF L:\n@@DWARF .4byte L\n@@DWARF .section .debug_abbrev, "", @progbits';
  const found = bare(items(t, text)) as { name: string; legacy: boolean; items: unknown[] }[];
  t.deepEqual(
    found.map(({ name, legacy, items: parts }) => [name, legacy, parts.length]),
    [
      [".debug_info", true, 3],
      [".debug_abbrev", true, 0],
    ],
  );
});

test("numbers too large for what they count are refused", (t) => {
  t.deepEqual(parse(`${header}.file 4294967296 "a.cu"`).messages, ["4:7 the file's index is larger than 4294967295"]);
});
