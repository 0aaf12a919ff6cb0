// The contents of archives, fatbins and host files as tables.

import { escapeControls } from "../diag/escape.js";
import type { ListedFile } from "../inspect/parts/list.js";
import type { ArchiveView, MemberView } from "../inspect/views/archive.js";
import type { EntryView, FatbinView } from "../inspect/views/entries.js";
import { nameOf } from "../inspect/context/values.js";
import { factLines } from "./facts.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable, type Row } from "./table.js";

export function fatbinBlock(fatbins: readonly FatbinView[], layout: TextLayout): TextBlock {
  const several = fatbins.length > 1 || fatbins.some(({ section }) => section !== undefined);
  const rows = fatbins.flatMap((fatbin): readonly Row[] => [
    ...(several ? [{ heading: fatbinText(fatbin) }] : []),
    ...fatbin.entries.map(entryRow),
  ]);
  const table = renderTable(
    [
      { title: "#", align: "right" },
      { title: "KIND" },
      { title: "TARGET" },
      { title: "VERSION", align: "right" },
      { title: "STORED", align: "right" },
      { title: "SIZE", align: "right" },
      { title: "PACKED" },
      { title: "NAME", role: "name" },
      { title: "FLAGS", optional: true },
      { title: "IDENTIFIER", shrinks: true },
      { title: "OPTIONS", shrinks: true },
    ],
    rows,
    { ...layout, indent: 2 },
  );
  return table.length === 0 ? ["  no entries"] : [layout.style("heading", "Entries"), ...table];
}

function fatbinText({ number, section, deviceLinked, offset, entries }: FatbinView): string {
  return [
    `fatbin ${number} at ${offset}`,
    ...(section === undefined ? [] : [`in ${section}`]),
    ...(deviceLinked ? ["device-linked"] : []),
    ...(entries.length === 0 ? ["no entries"] : []),
  ].join(", ");
}

function entryRow(entry: EntryView): Row {
  const { number, kind, target, version, storedSize, size, compression, name, flags, intact } = entry;
  return [
    `${number}`,
    nameOf(kind),
    target,
    version,
    `${storedSize}`,
    `${size}`,
    intact === false ? `${compression}, damaged` : compression,
    name,
    flags.flags.filter((flag) => flag !== compression).join(" "),
    entry.identifier ?? "",
    entry.options ?? "",
  ];
}

export function archiveBlocks(
  { thin, members, indexedSymbols }: ArchiveView,
  layout: TextLayout,
): readonly TextBlock[] {
  const facts = factLines(
    [
      ["members", `${members.length}${thin ? ", in files beside" : ""}`],
      ["index", indexedSymbols === null ? "none" : `${indexedSymbols} symbol${indexedSymbols === 1 ? "" : "s"}`],
    ],
    layout,
  );
  const table = renderTable(
    [
      { title: "OFFSET", align: "right" },
      { title: "SIZE", align: "right" },
      { title: "KIND" },
      { title: "NAME", role: "name", shrinks: true },
      { title: "EMBEDS", shrinks: true },
    ],
    members.map((member) => [
      `${member.offset}`,
      `${member.size}`,
      member.kind === null ? "" : kindNames[member.kind],
      member.file ?? member.name,
      embedsText(member),
    ]),
    { ...layout, indent: 2 },
  );
  return [facts, table.length === 0 ? [] : [layout.style("heading", "Members"), ...table]];
}

const kindNames: Readonly<Record<NonNullable<MemberView["kind"]>, string>> = {
  ptx: "PTX",
  nvvm: "NVVM IR",
  ptxkit: "ptxkit",
  cubin: "cubin",
  "host-elf": "host ELF",
  pe: "Windows",
  "mach-o": "Mach-O",
  archive: "archive",
  fatbin: "fatbin",
  bitcode: "LLVM bitcode",
  "lto-ir": "LTO-IR",
  npy: "NumPy array",
  empty: "empty",
  unknown: "",
};

function embedsText({ fatbins = [] }: MemberView): string {
  return fatbins.flatMap(({ entries }) => entries.map(({ name }) => name)).join(" ");
}

/** A line for each file inside, as cuobjdump -lelf and -lptx list them. */
export function listBlock(files: readonly ListedFile[]): TextBlock {
  if (files.length === 0) return ["Nothing inside."];
  const counts = new Map<string, number>();
  return files.map(({ name, kind }) => {
    const word = listWords[kind] ?? kind;
    const number = (counts.get(word) ?? 0) + 1;
    counts.set(word, number);
    return `${word} file ${String(number).padStart(4)}: ${escapeControls(name)}`;
  });
}

const listWords: Readonly<Record<string, string>> = { cubin: "ELF", ptxkit: "ELF", ptx: "PTX", nvvm: "NVVM IR" };
