// The map of a link as text: the layout, then the size of each input's part, then the discarded parts with reasons. Columns are
// aligned over each table. The same link gives the same text, which is written line by line. Names come last in their lines,
// because C++ template names have hundreds of characters and would push other columns away. LinkMap: lib/link/reports/map.ts.

import { versionText } from "../isa/requirement.js";
import { largestOf } from "../link/reports/memory-usage.js";
import type { LinkMapRows } from "../link/reports/map.js";
import type {
  MapAlias,
  MapDiscarded,
  MapEntry,
  MapFunction,
  MapMemoryRows,
  MapModule,
  MapReason,
  MapUnplaced,
} from "../link/reports/map-rows.js";
import { fullName } from "./inspect-elf-text.js";
import { ended, joinBlocks } from "./lines.js";
import { renderTable, rowsOf, tableLines, type Column, type Row } from "./table.js";

const legend: readonly string[] = [
  "Offsets, sizes and alignments are bytes. OFFSET counts from the start of its section.",
  "(padding) belongs to no symbol; 'dead' lost to another definition of its name and keeps its bytes.",
  "BINDING: visible and weak names are the program's, static ones their module's; common ones were allotted by the linker.",
  "SOURCE is the line of the definition in the PTX module; FILE, at the end, the object or archive member that it came in.",
];

const number = (title: string): Column => ({ title, align: "right" });

/** The whole text, with line ends. */
export const mapText = (map: LinkMapRows): Iterable<string> => joinBlocks(blocksOf(map));

function* blocksOf(map: LinkMapRows): Generator<Iterable<string>> {
  const { image, target, ptxVersion } = map;
  yield [`Link map of ${image} for ${target}, PTX ${versionText(ptxVersion)}`, "", ...legend];
  yield memoryBlock("Memory", map);
  for (const memory of map.memories) yield entriesBlock(memory);
  yield functionsBlock(map.functions);
  yield aliasesBlock(map.aliases);
  yield unplacedBlock(map.unplaced);
  yield discardedBlock(map.discarded);
  yield modulesBlock(map.modules);
}

// --------------------------------------------------------------------------------------------------------------- memories

const spaceTitles: Readonly<Record<MapMemoryRows["space"], string>> = {
  const: "constants, bank 3",
  "global-init": "global data with values",
  global: "global data",
  local: "thread-local data",
  shared: "shared memory",
  param: "parameters",
};

function memoryTitle({ space, kernel }: MapMemoryRows): string {
  const title = spaceTitles[space];
  if (kernel !== undefined) return `${title} of ${kernel}`;
  return space === "shared" ? `${title} that several kernels reach, or none` : title;
}

/** A table with its title; nothing if it has no rows. */
export function* titled(title: () => string, columns: readonly Column[], rows: Iterable<Row>): Generator<string> {
  let isTitled = false;
  for (const line of tableLines(columns, rows, { indent: 2 })) {
    if (!isTitled) yield title();
    isTitled = true;
    yield line;
  }
}

/** One line for each memory with its use. */
function memoryBlock(title: string, { memories }: LinkMapRows): Iterable<string> {
  const columns = [number("USED"), number("LIMIT"), number("PERCENT"), { title: "MEMORY" }];
  // Rows are kept, because computing a size iterates over all entries.
  const rows: Row[] = [];
  for (const memory of memories) {
    const { size, limit } = memory;
    rows.push([`${size}`, limit === undefined ? "" : `${limit}`, percent(size, limit), memoryTitle(memory)]);
    const most = largest(memory);
    if (most !== "") rows.push({ heading: `    largest: ${most}` });
  }
  return titled(() => title, columns, rows);
}

/** The report of --print-memory-usage. */
export const memoryUsageText = (map: LinkMapRows): Iterable<string> =>
  ended(memoryBlock(`Memory of ${map.image} for ${map.target}`, map));

const percent = (used: number, limit: number | undefined): string =>
  limit === undefined ? "" : `${((100 * used) / limit).toFixed(1)} %`;

const LARGEST = 3;

function largest(memory: MapMemoryRows): string {
  return largestOf(memory, LARGEST)
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

function* entriesBlock(memory: MapMemoryRows): Generator<string> {
  const { section, size, align, base, entries } = memory;
  const at = base === undefined ? "" : `, from ${base} of constant bank 0`;
  const heading = `${section}: ${memoryTitle(memory)}, ${size} bytes, aligned to ${align}${at}`;
  yield heading;
  yield* tableLines(entryColumns, rowsOf(entries, entryRow), { indent: 2 });
}

function entryRow(entry: MapEntry): Row {
  const { kind, offset, size } = entry;
  if (kind === "padding" || kind === "system")
    return [`${offset}`, `${size}`, "", "", "", "", "", kind === "system" ? "(the system's)" : "(padding)"];
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
    // The name is in a column of its own.
    entry.declaration.replace(` ${entry.name}`, ""),
    kind === "parameter" ? "" : `${entry.file}:${entry.line}`,
    note,
    fullName(entry),
  ];
}

// --------------------------------------------------------------------------------------------- functions, the rest, modules

function functionsBlock(functions: Iterable<MapFunction>): Iterable<string> {
  const columns = [
    number("SIZE"),
    number("ALIGN"),
    number("LOCAL"),
    { title: "BINDING" },
    { title: "KIND" },
    { title: "SOURCE" },
    { title: "SYMBOL" },
  ];
  const row = ({ size, align, localBytes, binding, kind, file, line, aliases, ...symbol }: MapFunction): Row => [
    `${size}`,
    `${align}`,
    localBytes === 0 ? "" : `${localBytes}`,
    binding,
    kind,
    `${file}:${line}`,
    aliases.length === 0 ? fullName(symbol) : `${fullName(symbol)}, also ${aliases.join(", ")}`,
  ];
  const title = (): string => {
    let [count, bytes] = [0, 0];
    for (const { size } of functions) [count, bytes] = [count + 1, bytes + size];
    return `Functions: ${count}, ${bytes} bytes of encoded PTX`;
  };
  return titled(title, columns, rowsOf(functions, row));
}

const sources: Readonly<Record<MapUnplaced["from"], string>> = {
  launch: "a launch or the driver fills it",
  driver: "defined by the driver",
  binding: "bound by the host program",
  nobody: "undefined, which was allowed",
};

function aliasesBlock(aliases: Iterable<MapAlias>): Iterable<string> {
  const columns = [{ title: "SYMBOL" }, { title: "STANDS FOR" }];
  const row = ({ base, offset, ...symbol }: MapAlias): Row => [
    fullName(symbol),
    offset === 0 ? base : `${base}+${offset}`,
  ];
  return titled(() => "Names of --defsym", columns, rowsOf(aliases, row));
}

function unplacedBlock(unplaced: Iterable<MapUnplaced>): Iterable<string> {
  const columns = [{ title: "SOURCE" }, { title: "NOTE" }, { title: "SYMBOL" }];
  const row = ({ declaration, demangled, file, line, from }: MapUnplaced): Row => [
    `${file}:${line}`,
    sources[from],
    demangled === undefined ? declaration : `${declaration} (${demangled})`,
  ];
  return titled(() => "Not in the image, for others to provide", columns, rowsOf(unplaced, row));
}

const reasons: Readonly<Record<MapReason, string>> = {
  lost: "lost to",
  unreached: "no root reaches it",
  "unused-declaration": "declared, and nothing uses it",
  unnamed: "no code names it",
};

export function discardedBlock(discarded: Iterable<MapDiscarded>): Iterable<string> {
  const columns = [number("SIZE"), { title: "WHAT" }, { title: "SOURCE" }, { title: "REASON" }, { title: "SYMBOL" }];
  const row = ({ size, what, file, line, reason, lostTo, keepsBytes, ...symbol }: MapDiscarded): Row => {
    const to = lostTo === undefined ? "" : ` ${lostTo.file}:${lostTo.line}`;
    const stays = keepsBytes ? "; its bytes stay" : "";
    return [`${size}`, what, `${file}:${line}`, `${reasons[reason]}${to}${stays}`, fullName(symbol)];
  };
  return titled(() => "Discarded", columns, rowsOf(discarded, row));
}

const moduleSpaces = ["code", "const", "global-init", "global", "local", "shared", "dead"] as const;

export function modulesBlock(rows: Iterable<MapModule>): Iterable<string> {
  const modules = [...rows];
  // Shows objects and members of archives if there are any.
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
  const lines = modules.map(({ file, object, target, ptxVersion, functions, variables, bytes }): Row => [
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
    ...renderTable(columns, [...lines, total], { indent: 2, dropEmpty: false }),
  ];
}
