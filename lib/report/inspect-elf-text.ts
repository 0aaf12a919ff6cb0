// The views of an ELF file as text: header, segments, sections, symbols, relocations. Names of numbers lose the prefix that the
// column's title implies (PROGBITS for SHT_PROGBITS), as readelf shows them.

import { knownSection } from "../../formats/cuda/index.js";
import { escapeControls } from "../diag/escape.js";
import type { HeaderView } from "../inspect/views/header.js";
import type { RelocationTableView } from "../inspect/views/relocations.js";
import type { SectionGroup, SectionView } from "../inspect/views/sections.js";
import type { SymbolSection, SymbolTableView, SymbolView } from "../inspect/views/symbols.js";
import { nameOf, type Named, type Wide } from "../inspect/context/values.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { factLines } from "./facts.js";
import { renderTable, type Column, type Row } from "./table.js";

/** A name without its prefix ("SHT_", "STB_", …), or the number. */
export function shortName(value: Named, prefix: string): string {
  const name = nameOf(value);
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** "name (demangled)". */
export function fullName({ name, demangled }: { readonly name: string; readonly demangled?: string }): string {
  return demangled === undefined ? name : `${name} (${demangled})`;
}

// --------------------------------------------------------------------------------------------------------------- header

export function headerBlock(header: HeaderView, layout: TextLayout): readonly TextBlock[] {
  const { cuda } = header;
  const table = (count: number, offset: number): string => (count === 0 ? "none" : `${count}, headers at ${offset}`);
  const facts = factLines(
    [
      ["type", nameOf(header.type)],
      ["machine", nameOf(header.machine)],
      [
        "target",
        cuda === undefined
          ? ""
          : [cuda.target, ...(cuda.virtualTarget === undefined ? [] : [`from ${cuda.virtualTarget}`])].join(" "),
      ],
      ["options", cuda?.options.join(" ") ?? ""],
      ["OS ABI", `${nameOf(header.osAbi)}, ABI version ${header.abiVersion}`],
      ["class", `${header.class}, little-endian, version ${header.version}`],
      ["flags", header.flags.hex],
      ["entry", header.entry.value === 0 ? "" : header.entry.hex],
      [
        "sections",
        `${table(header.sectionCount, header.sectionHeaderOffset)}, names in section ${header.sectionNameTable}`,
      ],
      ["segments", table(header.segments.length, header.programHeaderOffset)],
    ],
    layout,
  );
  const hasAddresses = header.segments.some(({ virtualAddress }) => virtualAddress.value !== 0);
  const segments = renderTable(
    [
      { title: "#", align: "right" },
      { title: "TYPE" },
      { title: "FLAGS" },
      { title: "OFFSET", align: "right" },
      { title: "ADDRESS", align: "right" },
      { title: "FILE SIZE", align: "right" },
      { title: "MEMORY", align: "right" },
      { title: "ALIGN", align: "right" },
      { title: "SECTIONS", shrinks: true, role: "name" },
    ],
    header.segments.map((segment) => [
      `${segment.index}`,
      shortName(segment.type, "PT_"),
      letters(segment.flags.flags, segmentLetters),
      `${segment.offset}`,
      hasAddresses ? segment.virtualAddress.hex : "",
      `${segment.fileSize}`,
      `${segment.memorySize}`,
      `${segment.align}`,
      segment.sections.join(" "),
    ]),
    { ...layout, indent: 2 },
  );
  const heading = (text: string): string => layout.style("heading", text);
  return [[heading("Header"), ...facts], segments.length === 0 ? [] : [heading("Segments"), ...segments]];
}

const segmentLetters: Readonly<Record<string, string>> = { PF_R: "R", PF_W: "W", PF_X: "X" };

/** One letter for each flag, in the table's order; "o" if there are others. */
function letters(flags: readonly string[], table: Readonly<Record<string, string>>): string {
  const known = Object.keys(table).filter((flag) => flags.includes(flag));
  const others = flags.some((flag) => !Object.hasOwn(table, flag));
  return known.map((flag) => table[flag]).join("") + (others ? "o" : "");
}

// ------------------------------------------------------------------------------------------------------------- sections

const sectionLetters: Readonly<Record<string, string>> = {
  SHF_WRITE: "W",
  SHF_ALLOC: "A",
  SHF_EXECINSTR: "X",
  SHF_MERGE: "M",
  SHF_STRINGS: "S",
  SHF_INFO_LINK: "I",
  SHF_LINK_ORDER: "L",
  SHF_GROUP: "G",
  SHF_TLS: "T",
  SHF_COMPRESSED: "C",
};

const groupTitles: Readonly<Record<SectionGroup, string>> = {
  code: "Code",
  data: "Data",
  metadata: "Metadata",
  relocations: "Relocations",
  symbols: "Symbols and names",
  notes: "Notes",
  debug: "Debug information",
  embedded: "Embedded device code",
  other: "Other",
};

const sectionColumns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "TYPE" },
  { title: "FLAGS" },
  { title: "ADDRESS", align: "right" },
  { title: "OFFSET", align: "right" },
  { title: "SIZE", align: "right" },
  { title: "ALIGN", align: "right" },
  { title: "NAME", role: "name", shrinks: true },
  { title: "CONTENTS", role: "quiet", optional: true },
];

const legend = [
  "flags: W write, A allocated, X code, M merge, S strings, I sh_info is a",
  "section, o other; an offset of - means no bytes in the file",
];

export function sectionsBlock(sections: readonly SectionView[], layout: TextLayout): readonly TextBlock[] {
  const hasAddresses = sections.some(({ address }) => address.value !== 0);
  const named = new Map(sections.map(({ index, name }) => [index, name]));
  const shown = sections.filter(({ index, type }) => index !== 0 || type.rawValue !== 0);
  const rows = (Object.keys(groupTitles) as SectionGroup[]).flatMap((group): readonly Row[] => {
    const members = shown.filter((section) => section.group === group);
    if (members.length === 0) return [];
    return [{ heading: groupTitles[group] }, ...members.map((section) => sectionRow(section, hasAddresses, named))];
  });
  const table = renderTable(sectionColumns, rows, { ...layout, indent: 2 });
  if (table.length === 0) return [[`${layout.style("heading", "Sections")}: none`]];
  const quiet = legend.map((line) => `  ${layout.style("quiet", line)}`);
  return [[layout.style("heading", "Sections"), ...table, ...quiet], sectionFacts(shown, layout)];
}

function sectionRow(section: SectionView, hasAddresses: boolean, named: ReadonlyMap<number, string>): Row {
  return [
    `${section.index}`,
    shortName(section.type, "SHT_"),
    letters(section.flags.flags, sectionLetters),
    hasAddresses ? section.address.hex : "",
    section.inFile ? `${section.offset}` : "-",
    `${section.size}`,
    `${section.align}`,
    section.name === "" ? "(no name)" : section.name,
    contentsOf(section, named),
  ];
}

/** Facts about sections that do not fit into the table: unopened contents, and the bytes of sections of unknown type. */
function sectionFacts(sections: readonly SectionView[], layout: TextLayout): TextBlock {
  const facts = sections.flatMap(({ name, note, bytes, type }): readonly (readonly [string, string])[] => [
    ...(note === undefined ? [] : [[name, note] as const]),
    ...(bytes === undefined
      ? []
      : [[name, `unknown type ${nameOf(type)}: ${hexLine(bytes.hex, bytes.size)}`] as const]),
  ]);
  return facts.length === 0 ? [] : [layout.style("heading", "Not understood"), ...factLines(facts, layout)];
}

/** Hexadecimal bytes in groups of four; omitted bytes are counted. */
export function hexLine(hex: string, size: number): string {
  const shown = hex.slice(0, 64);
  const left = size - shown.length / 2;
  return `${shown.match(/.{1,8}/g)?.join(" ") ?? ""}${left > 0 ? ` and ${left} bytes more` : ""}`;
}

function contentsOf(section: SectionView, named: ReadonlyMap<number, string>): string {
  const { group, description, codeOf, registers, info } = section;
  if (group === "relocations") return info === 0 ? "" : `of ${named.get(info) ?? `section ${info}`}`;
  const code =
    codeOf === undefined
      ? undefined
      : `${fullName(codeOf)}${registers === undefined ? "" : `, ${registers} registers`}`;
  return code ?? description ?? "";
}

// -------------------------------------------------------------------------------------------------------------- symbols

const symbolColumns: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "VALUE", align: "right" },
  { title: "SIZE", align: "right" },
  { title: "TYPE" },
  { title: "BINDING" },
  { title: "ATTRIBUTES" },
  { title: "IN", align: "right" },
  { title: "SECTION", optional: true },
  { title: "NAME", role: "name", shrinks: true },
];

export function symbolBlocks(tables: readonly SymbolTableView[], layout: TextLayout): readonly TextBlock[] {
  return tables.map(({ section, count, symbols }) => [
    `${layout.style("heading", `Symbols in ${escapeControls(section.name)}`)}: ${Math.max(0, count - 1)}`,
    ...renderTable(symbolColumns, symbols.map(symbolRow), { ...layout, indent: 2 }),
  ]);
}

function symbolRow(symbol: SymbolView): Row {
  const visibility = shortName(symbol.visibility, "STV_");
  const attributes = [
    ...(visibility === "DEFAULT" ? [] : [visibility]),
    ...symbol.other.flags.map((flag) => flag.replace(/^STO_CUDA_/, "")),
  ];
  return [
    `${symbol.index}`,
    symbol.value.hex,
    `${symbol.size}`,
    shortName(symbol.type, "STT_"),
    shortName(symbol.binding, "STB_"),
    attributes.join(" "),
    ...sectionTexts(symbol.section),
    fullName(symbol),
  ];
}

/** Index and name. The function's name, usually the symbol's, is removed from the name of its section. */
function sectionTexts(section: SymbolSection): readonly [index: string, name: string] {
  if (section.kind === "special") return [shortName(section.special, "SHN_"), ""];
  const { index, name } = section;
  const known = knownSection(name);
  return [`${index}`, known?.functionName === undefined ? name : known.facts.name];
}

// ---------------------------------------------------------------------------------------------------------- relocations

const relocationColumns: readonly Column[] = [
  { title: "OFFSET", align: "right" },
  { title: "TYPE" },
  { title: "SYMBOL + ADDEND", role: "name", shrinks: true },
  { title: "MEANING", role: "quiet", optional: true },
];

export function relocationBlocks(tables: readonly RelocationTableView[], layout: TextLayout): readonly TextBlock[] {
  return tables.map(({ section, target, applied, count, relocations }) => [
    `${layout.style("heading", `Relocations in ${escapeControls(section.name)}`)}${target === undefined ? "" : ` of ${escapeControls(target.name)}`}: ${count}${applied ? ", already applied" : ""}`,
    ...renderTable(
      relocationColumns,
      relocations.map(({ offset, type, symbol, addend, meaning }) => [
        offset.hex,
        type.value ?? `type ${type.rawValue}`,
        symbolPlusAddend(fullName(symbol), addend),
        meaning ?? "",
      ]),
      { ...layout, indent: 2 },
    ),
  ]);
}

function symbolPlusAddend(symbol: string, addend: Wide): string {
  if (addend.hex === "0x0") return symbol;
  if (symbol === "") return addend.hex;
  return addend.hex.startsWith("-") ? `${symbol} - ${addend.hex.slice(1)}` : `${symbol} + ${addend.hex}`;
}
