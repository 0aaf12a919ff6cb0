// The map of a link as text: what is where, then who brought how much, then what is not there and why. Columns are aligned
// over each table, and the same link gives the same text. Names stand last in their lines, because those of C++ templates
// have hundreds of characters and would push away all that follows. LinkMap: lib/link/map.ts.

import { versionText } from "../isa/requirement.js";
import { largestOf } from "../link/memory-usage.js";
import type {
  LinkMap,
  MapAlias,
  MapDiscarded,
  MapEntry,
  MapFunction,
  MapMemory,
  MapModule,
  MapReason,
  MapUnplaced,
} from "../link/map.js";
import { fullName } from "./inspect-elf-text.js";
import { renderTable, type Column, type Row } from "./table.js";

const legend: readonly string[] = [
  "Offsets, sizes and alignments are bytes. OFFSET counts from the start of its section.",
  "(padding) belongs to no symbol; 'dead' lost to another definition of its name and keeps its bytes.",
  "BINDING: visible and weak names are the program's, static ones their module's; common ones were allotted by the linker.",
  "SOURCE is the line of the definition in the PTX module; FILE, at the end, the object or archive member that it came in.",
];

const number = (title: string): Column => ({ title, align: "right" });

/** The whole text, each line ended. */
export function mapText(map: LinkMap): string {
  const blocks = [
    [`Link map of ${map.image} for ${map.target}, PTX ${versionText(map.ptxVersion)}`, "", ...legend],
    memoryBlock("Memory", map),
    ...map.memories.map(entriesBlock),
    functionsBlock(map.functions),
    aliasesBlock(map.aliases),
    unplacedBlock(map.unplaced),
    discardedBlock(map.discarded),
    modulesBlock(map.modules),
  ].filter((block) => block.length > 0);
  return blocks.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
}

// --------------------------------------------------------------------------------------------------------------- memories

const spaceTitles: Readonly<Record<MapMemory["space"], string>> = {
  const: "constants, bank 3",
  "global-init": "global data with values",
  global: "global data",
  local: "thread-local data",
  shared: "shared memory",
  param: "parameters",
};

function memoryTitle({ space, kernel }: MapMemory): string {
  const title = spaceTitles[space];
  if (kernel !== undefined) return `${title} of ${kernel}`;
  return space === "shared" ? `${title} that several kernels reach, or none` : title;
}

/** One line for each memory: how much of it is used. */
function memoryBlock(title: string, { memories }: LinkMap): readonly string[] {
  const columns = [number("USED"), number("LIMIT"), number("PERCENT"), { title: "MEMORY" }];
  const rows = memories.flatMap((memory): readonly Row[] => {
    const { size, limit } = memory;
    const row = [`${size}`, limit === undefined ? "" : `${limit}`, percent(size, limit), memoryTitle(memory)];
    const most = largest(memory);
    return most === "" ? [row] : [row, { heading: `    largest: ${most}` }];
  });
  return rows.length === 0 ? [] : [title, ...renderTable(columns, rows, { indent: 2 })];
}

/** What --print-memory-usage writes. */
export function memoryUsageText(map: LinkMap): string {
  const lines = memoryBlock(`Memory of ${map.image} for ${map.target}`, map);
  return lines.map((line) => `${line}\n`).join("");
}

const percent = (used: number, limit: number | undefined): string =>
  limit === undefined ? "" : `${((100 * used) / limit).toFixed(1)} %`;

const LARGEST = 3;

function largest(memory: MapMemory): string {
  return largestOf(memory)
    .slice(0, LARGEST)
    .map(({ name, size, file, line }) => `${name} ${size} (${file}:${line})`)
    .join(", ");
}

const entryColumns: readonly Column[] = [
  number("OFFSET"),
  number("SIZE"),
  number("ALIGN"),
  { title: "BINDING" },
  { title: "TYPE" },
  { title: "SOURCE" },
  { title: "NOTE" },
  { title: "SYMBOL" },
];

function entriesBlock(memory: MapMemory): readonly string[] {
  const { section, size, align, base, entries } = memory;
  const at = base === undefined ? "" : `, from ${base} of constant bank 0`;
  const heading = `${section}: ${memoryTitle(memory)}, ${size} bytes, aligned to ${align}${at}`;
  return [heading, ...renderTable(entryColumns, entries.map(entryRow), { indent: 2 })];
}

function entryRow(entry: MapEntry): Row {
  const { kind, offset, size } = entry;
  if (kind === "padding") return [`${offset}`, `${size}`, "", "", "", "", "", "(padding)"];
  const note = {
    variable: "",
    parameter: "",
    dynamic: "dynamic: a launch gives its size",
    dead: kind === "dead" ? `dead: lost to ${entry.lostTo.file}:${entry.lostTo.line}` : "",
  }[kind];
  return [
    `${offset}`,
    `${size}`,
    `${entry.align}`,
    kind === "parameter" ? "" : entry.binding,
    // The name has a column of its own.
    entry.declaration.replace(` ${entry.name}`, ""),
    kind === "parameter" ? "" : `${entry.file}:${entry.line}`,
    note,
    fullName(entry),
  ];
}

// --------------------------------------------------------------------------------------------- functions, the rest, modules

function functionsBlock(functions: readonly MapFunction[]): readonly string[] {
  const columns = [
    number("SIZE"),
    number("ALIGN"),
    number("LOCAL"),
    { title: "BINDING" },
    { title: "KIND" },
    { title: "SOURCE" },
    { title: "SYMBOL" },
  ];
  const rows = functions.map(({ size, align, localBytes, binding, kind, file, line, aliases, ...symbol }): Row => [
    `${size}`,
    `${align}`,
    localBytes === 0 ? "" : `${localBytes}`,
    binding,
    kind,
    `${file}:${line}`,
    aliases.length === 0 ? fullName(symbol) : `${fullName(symbol)}, also ${aliases.join(", ")}`,
  ]);
  const total = functions.reduce((sum, { size }) => sum + size, 0);
  return rows.length === 0
    ? []
    : [`Functions: ${functions.length}, ${total} bytes of encoded PTX`, ...renderTable(columns, rows, { indent: 2 })];
}

const sources: Readonly<Record<MapUnplaced["from"], string>> = {
  launch: "a launch or the driver fills it",
  driver: "the driver has it",
  binding: "bound by the host program",
  nobody: "undefined, which was allowed",
};

function aliasesBlock(aliases: readonly MapAlias[]): readonly string[] {
  const columns = [{ title: "SYMBOL" }, { title: "STANDS FOR" }];
  const rows = aliases.map(({ base, offset, ...symbol }): Row => [
    fullName(symbol),
    offset === 0 ? base : `${base}+${offset}`,
  ]);
  return rows.length === 0 ? [] : ["Names of --defsym", ...renderTable(columns, rows, { indent: 2 })];
}

function unplacedBlock(unplaced: readonly MapUnplaced[]): readonly string[] {
  const columns = [{ title: "SOURCE" }, { title: "NOTE" }, { title: "SYMBOL" }];
  const rows = unplaced.map(({ declaration, demangled, file, line, from }): Row => [
    `${file}:${line}`,
    sources[from],
    demangled === undefined ? declaration : `${declaration} (${demangled})`,
  ]);
  return rows.length === 0
    ? []
    : ["Not in the image, for others to provide", ...renderTable(columns, rows, { indent: 2 })];
}

const reasons: Readonly<Record<MapReason, string>> = {
  lost: "lost to",
  unreached: "no root reaches it",
  "unused-declaration": "declared, and nothing uses it",
  unnamed: "no code names it",
};

export function discardedBlock(discarded: readonly MapDiscarded[]): readonly string[] {
  const columns = [number("SIZE"), { title: "WHAT" }, { title: "SOURCE" }, { title: "REASON" }, { title: "SYMBOL" }];
  const rows = discarded.map(({ size, what, file, line, reason, lostTo, keepsBytes, ...symbol }): Row => {
    const to = lostTo === undefined ? "" : ` ${lostTo.file}:${lostTo.line}`;
    const stays = keepsBytes ? "; its bytes stay" : "";
    return [`${size}`, what, `${file}:${line}`, `${reasons[reason]}${to}${stays}`, fullName(symbol)];
  });
  return rows.length === 0 ? [] : ["Discarded", ...renderTable(columns, rows, { indent: 2 })];
}

const moduleSpaces = ["code", "const", "global-init", "global", "local", "shared", "dead"] as const;

export function modulesBlock(modules: readonly MapModule[]): readonly string[] {
  // Objects and members of archives, where there are any.
  const hasObjects = modules.some(({ object }) => object !== undefined);
  const columns = [
    { title: "MODULE" },
    { title: "TARGET" },
    number("PTX"),
    number("FUNCTIONS"),
    number("VARIABLES"),
    ...moduleSpaces.map((space) => number(space.toUpperCase())),
    ...(hasObjects ? [{ title: "FILE" }] : []),
  ];
  const rows = modules.map(({ file, object, target, ptxVersion, functions, variables, bytes }): Row => [
    file,
    target,
    versionText(ptxVersion),
    `${functions}`,
    `${variables}`,
    ...moduleSpaces.map((space) => `${bytes[space]}`),
    ...(hasObjects ? [object ?? ""] : []),
  ]);
  const sum = (of: (module: MapModule) => number): string => `${modules.reduce((all, each) => all + of(each), 0)}`;
  const total: Row = [
    "all",
    "",
    "",
    sum((each) => each.functions),
    sum((each) => each.variables),
    ...moduleSpaces.map((space) => sum((each) => each.bytes[space])),
    ...(hasObjects ? [""] : []),
  ];
  return [
    "Modules, with the bytes of each",
    ...renderTable(columns, [...rows, total], { indent: 2, dropEmpty: false }),
  ];
}
