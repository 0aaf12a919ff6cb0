import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { openModule, parseWhole } from "../../lib/ptx/parse.js";
import { printSection } from "../../lib/ptx/print-section.js";
import {
  addIntegers,
  addLabel,
  addText,
  createSectionData,
  partSince,
  visitSection,
} from "../../lib/ptx/section-data.js";
import type { SectionDirective } from "../../lib/ptx/tree.js";
import { bare, header, items, parse, statements } from "./support.js";

test("files and lines, with and without the optional parts", (t) => {
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
      part: [
        { type: "b8", values: ["-1n", "16n"] },
        { label: "L" },
        { type: "b32", name: "L", offset: "4n" },
        { type: "b64", name: ".debug_str" },
        { type: "b32", name: "L", minus: "M" },
        { label: "M" },
      ],
    },
  ]);
});

test("adjacent sections of one name are one directive, which records where each begins", (t) => {
  const values = (value: number) => ({ type: "b8", values: [`${value}n`] });
  const text = (name: string, value: number) => `.section .debug_${name} { .b8 ${value} }\n`;
  const info = (...part: object[]) => ({ kind: "section", name: ".debug_info", part });
  const str = { ...info(values(7)), name: ".debug_str" };
  const file = { kind: "file", index: 1, path: "a.cu" };
  t.deepEqual(
    bare(items(t, `${text("info", 1)}${text("info", 1)}.section .debug_info {}\n${text("str", 7)}${text("info", 2)}.file 1 "a.cu"\n${text("info", 3)}${text("info", 4)}`)), // prettier-ignore
    [
      info(values(1), { isNext: true }, values(1), { isNext: true }),
      str,
      info(values(2)),
      file,
      info(values(3), { isNext: true }, values(4)),
    ],
  );
  // What stands between them at fault is no part of either.
  const { items: right } = parse(`${text("info", 1)}.section .debug_info { .b8 2, x }\n${text("info", 3)}`).module;
  t.deepEqual(bare(right.slice(-2)), [info(values(1)), info(values(3))]);
});

test("the debug lines of PTX ISA 1.x are sections too", (t) => {
  const text =
    '@@DWARF .section .debug_info, "", @progbits\n@@DWARF .byte 1, 2\n@@DWARF L:\n@@DWARF .4byte L\n@@DWARF .section .debug_abbrev, "", @progbits';
  const found = bare(items(t, text)) as { name: string; legacy: boolean; part: unknown[] }[];
  t.deepEqual(
    found.map(({ name, legacy, part }) => [name, legacy, part.length]),
    [
      [".debug_info", true, 3],
      [".debug_abbrev", true, 0],
    ],
  );
});

test("a directive of many values is written in pieces: it may exceed the longest string", (t) => {
  const values = Array.from({ length: 20_000 }, (_, i) => i % 256).join(", ");
  const [section] = items(t, `.section .debug_str {\n\t.b8 ${values}\n}`) as readonly SectionDirective[];
  const pieces = [...printSection(section!)];
  t.is(pieces.join(""), `.section .debug_str {\n\t.b8 ${values}\n}`);
  t.true(pieces.every(({ length }) => length < 5000));
});

test("numbers too large for their field are refused", (t) => {
  t.deepEqual(parse(`${header}.file 4294967296 "a.cu"`).messages, ["4:7 the file's index is larger than 4294967295"]);
});

test("sections parsed from bytes equal those from tokens, or are left to the token parser", (t) => {
  const pieces = [
    ..."0 1 255 256 -1 -128 -129 0x7f 0XAb 0b11 017 08 0 5U 1.5 0x1ffffffffffffff 4294967296 99999999999999999999".split(
      " ",
    ),
    ...". .. : :: , , , - + _ % $ L L: $L: %l: .debug_str .debug_str+4 .b32+1 L-M L+4 L-.debug_str WARP_SZ WARP_SZ: a.b A::b".split(
      " ",
    ),
    ...'// x\n|/* x */|/* x|/|\n|\t|\r\n|# 1 "a"\n|"|{|}|;|\0'.split("|"),
    ...".b8 .b8 .b8 .b16 .b32 .b32 .b64 .b64 .b8x .u8 .section .loc".split(" "),
  ];
  let state = 7;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const right = (): string => `.b${[8, 16, 32, 64][next(4)]!} ${[1, 2, 3].slice(next(3)).map(() => pieces[next(8)]!).join(next(2) === 0 ? "," : " , ")}`; // prettier-ignore
  let taken = 0;
  for (let i = 0; i < 4000; i++) {
    const parts = Array.from({ length: 1 + next(5) }, () => (next(3) > 0 ? right() : pieces[next(pieces.length)]!));
    const text = `${header}.section .debug_info {${parts.join(["", " ", "\n"][next(3)])}}\n`;
    const source = { name: "a.ptx", bytes: Buffer.from(text, "latin1") };
    const outline = openModule(source)?.outline;
    const sink = createSink();
    const whole = parseWhole(source, sink);
    if (outline === undefined) continue;
    taken++;
    t.is(sink.errorCount, 0, text);
    t.deepEqual(bare(outline), bare(whole), text);
    const misfitsOf = ({ items: all }: typeof outline | typeof whole) =>
      all.flatMap((item) => (item.kind === "section" ? (item as SectionDirective).part.data.misfits : []));
    t.deepEqual(misfitsOf(outline), misfitsOf(whole), text);
  }
  t.true(taken > 500, String(taken));
});

test("offsets after gigabytes of values are right", (t) => {
  const data = createSectionData();
  const begin = { row: 0, byte: 0, misfit: 0 };
  const start = 2 ** 31 + 8;
  // Runs alone: nobody reads the bytes.
  for (const count of [2 ** 30, 2 ** 30, 5]) addIntegers(data, 0, 3, 1, count, false);
  addLabel(data, addText(data, "L"), start, start + 2);
  const seen: unknown[] = [];
  visitSection(partSince(data, begin), {
    label: (name, at, from, until) => void seen.push({ name, at, from, until }),
    reference: () => t.fail(),
    integers: ({ at, count }) => void seen.push({ at, count }),
  });
  t.deepEqual(seen, [
    { at: 0, count: 2 ** 30 },
    { at: 2 ** 33, count: 2 ** 30 + 5 },
    { name: "L", at: 2 ** 34 + 40, from: start, until: start + 2 },
  ]);
});
