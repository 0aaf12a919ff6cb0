// The map of an object of -r or of merged PTX as text: its contents, its undefined symbols, the discarded parts with reasons, and
// the size of each input's part. Same layout as the map of an image (map-text.ts). ObjectMap: lib/link/reports/object-map.ts.

import { versionText } from "../isa/requirement.js";
import type { ObjectMapRows, ObjectMapSymbol } from "../link/reports/object-map.js";
import { fullName } from "./inspect-elf-text.js";
import { joinBlocks } from "./lines.js";
import { discardedBlock, modulesBlock, titled } from "./map-text.js";
import { rowsOf, type Column, type Row } from "./table.js";

const outputs: Readonly<Record<ObjectMapRows["output"], string>> = { object: "an object", ptx: "a PTX module" };

const legend: Readonly<Record<ObjectMapRows["output"], string>> = {
  object:
    "OFFSET counts from the start of SECTION, of which each module has its own; a later link gives all of them their places.",
  ptx: "IN THE TEXT is what the text calls a symbol where that is another name than its module's.",
};

const number = (title: string): Column => ({ title, align: "right" });

const columns: readonly Column[] = [
  number("OFFSET"),
  number("SIZE"),
  number("ALIGN"),
  { title: "SECTION" },
  { title: "BINDING" },
  { title: "KIND" },
  { title: "SOURCE" },
  { title: "IN THE TEXT" },
  { title: "SYMBOL" },
];

/** The whole text, with line ends. */
export function objectMapText(map: ObjectMapRows): Iterable<string> {
  const { name, target, ptxVersion, output, symbols, open, discarded, modules } = map;
  return joinBlocks([
    [
      `Link map of ${name}, ${outputs[output]} for ${target}, PTX ${versionText(ptxVersion)}`,
      ...driverLine(map),
      "",
      `Sizes and alignments are bytes, of functions those of encoded code. ${legend[output]}`,
      "SOURCE is the line of the definition in the PTX module; FILE, at the end, the object or archive member that it came in.",
    ],
    symbolsBlock(() => `Symbols: ${countOf(symbols)}`, symbols),
    symbolsBlock(() => "Open, for a later link, the driver or a launch", open),
    discardedBlock(discarded),
    modulesBlock(modules),
  ]);
}

/** For merged PTX, the drivers that can load it: "PTX 8.7 needs driver r570 (CUDA 12.8) or newer; b.ptx is …" */
function driverLine({ ptxVersion, needs, raisedBy }: ObjectMapRows): readonly string[] {
  if (needs === undefined) return [];
  const who =
    raisedBy === undefined
      ? ""
      : `; ${raisedBy} is the first to say so late a version; --ptx-version writes an older one where nothing needs this`;
  return [`PTX ${versionText(ptxVersion)} needs ${needs}${who}`];
}

function symbolsBlock(title: () => string, symbols: Iterable<ObjectMapSymbol>): Iterable<string> {
  const row = (each: ObjectMapSymbol): Row => {
    const { offset, size, align, section, binding, kind, file, line, textName } = each;
    return [
      offset === undefined || kind !== "variable" ? "" : `${offset}`,
      `${size}`,
      `${align}`,
      // A function's section has its name, and is not shown.
      kind === "variable" ? (section ?? "") : "",
      binding,
      // For variables the state space and type; the name is in a column of its own.
      kind === "variable" ? each.declaration.replace(` ${each.name}`, "") : kind,
      `${file}:${line}`,
      textName ?? "",
      fullName(each),
    ];
  };
  return titled(title, columns, rowsOf(symbols, row));
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _ of items) count++;
  return count;
}
