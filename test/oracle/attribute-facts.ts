// What an image's `.nv.info` and call graph say that PTX determines, whoever wrote them. Left out is what the table of
// attributes has as never written for PTX that has not been compiled (formats/cuda/info-attributes.table.ts, with why not),
// attributes without a row in it, those that image-facts.ts has under `reached`, and ptxas's own helper routines.

import {
  decodeInfo,
  EIATTR,
  infoAttribute,
  readCallGraph,
  readInfo,
  type InfoEntry,
} from "../../formats/cuda/index.js";
import { need } from "../../formats/bytes/malformed.js";
import { UNKNOWN_STACK } from "../../lib/object/attributes/module-info.js";
import { stringAt, type ElfFile, type ElfSymbol } from "../../formats/elf/index.js";

/** Function, or "" of the file; number of the attribute; its payload: numbers, and names for symbols. */
export type AttributeFact = readonly [owner: string, attribute: number, value: string];

/** List (1 to 4, format.md), function, and what it calls or how. */
export type CallFact = readonly [list: number, of: string, what: string];

/** Compared elsewhere, because what dead code says shows in them. */
const REACHED: ReadonlySet<number> = new Set([
  EIATTR.CTAIDZ_USED,
  EIATTR.NUM_BARRIERS,
  EIATTR.EXTERNS,
  EIATTR.MIN_STACK_SIZE,
]);

/** `index` is the symbol of a parameter that is a texture, sampler or surface; ours have none. */
const UNNAMED: ReadonlySet<string> = new Set(["kind", "index"]);

const isCompared = (attribute: number): boolean => {
  const row = infoAttribute(attribute);
  return row !== undefined && row.unwritten === undefined && !REACHED.has(attribute);
};

/** What ptxas makes of one instruction, a division for one. */
const isAdded = (name: string): boolean => name.startsWith("__cuda_");

/** Bytes that code as it was compiled needs; PTX determines only that none are enough. */
const isOfMachineStack = ({ attribute, payload }: InfoEntry): boolean =>
  attribute === EIATTR.CRS_STACK_SIZE && !(payload.kind === "number" && payload.value === UNKNOWN_STACK);

export function attributeFacts(file: ElfFile, symbols: readonly ElfSymbol[]): readonly AttributeFact[] {
  return file.sections
    .filter(({ name }) => name === ".nv.info" || name.startsWith(".nv.info."))
    .filter(({ name }) => !isAdded(name.slice(".nv.info.".length)))
    .flatMap(({ name, data }) =>
      need(readInfo(data))
        .filter(({ attribute }) => isCompared(attribute))
        .map(decodeInfo)
        .filter((entry) => !isOfMachineStack(entry))
        .map((entry): AttributeFact => [name.slice(".nv.info.".length), entry.attribute, said(entry, file, symbols)]),
    );
}

function said({ payload }: InfoEntry, file: ElfFile, symbols: readonly ElfSymbol[]): string {
  const nameOf = (index: number): string => {
    const { name, sectionIndex } = symbols[index]!;
    return name === "" ? file.sections[sectionIndex]!.name : name;
  };
  if (payload.kind === "bytes") return Buffer.from(payload.bytes).toString("hex");
  return Object.entries(payload)
    .filter(([key]) => !UNNAMED.has(key))
    .map(([key, value]) => (key === "symbol" ? nameOf(Number(value)) : String(value)))
    .join(" ");
}

export function callFacts(file: ElfFile, symbols: readonly ElfSymbol[]): readonly CallFact[] {
  const section = file.sections.find(({ name }) => name === ".nv.callgraph");
  if (section === undefined) return [];
  const graph = need(readCallGraph(section.data));
  const nameOf = (index: number): string => symbols[index]!.name;
  const text = (offset: number): string => need(stringAt(file, file.sections[section.link]!.link, offset));
  const all: readonly CallFact[] = [
    ...graph.calls.map(({ caller, callee }): CallFact => [1, nameOf(caller), nameOf(callee)]),
    ...graph.addressTaken.map(({ symbol, prototype }): CallFact => [2, nameOf(symbol), text(prototype)]),
    ...graph.indirectCalls.map(({ caller, prototype }): CallFact => [3, nameOf(caller), text(prototype)]),
    ...graph.addressUses.map(({ user, target }): CallFact => [4, nameOf(user), nameOf(target)]),
  ];
  return all.filter(([, of, what]) => !isAdded(of) && !isAdded(what));
}
