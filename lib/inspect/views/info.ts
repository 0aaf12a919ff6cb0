// Views of NVIDIA's metadata sections: attributes (.nv.info, .nv.compat), notes, the call graph and prototypes. Unknown
// attributes and notes are shown with their bytes. Formats: formats/cuda.

import { namesOf } from "../../../formats/bytes/named.js";
import {
  COMPAT_ATTRIBUTES,
  decodeInfo,
  INFO_FORMATS,
  infoAttribute,
  knownSection,
  NT_NV,
  NVIDIA_NOTE_NAME,
  POINTEE_SPACES,
  readCallGraph,
  readCudaInfo,
  readInfo,
  readPrototypes,
  readToolkitInfo,
  type CudaInfo,
  type InfoPayload,
  type InfoRecord,
  type ToolkitInfo,
} from "../../../formats/cuda/index.js";
import { EM, notesOf, SHT, SHT_CUDA, type ElfNote, type ElfSection } from "../../../formats/elf/index.js";
import { GNU_BUILD_ID, PTXKIT_NOTE } from "../../object/file/container.js";
import type { ElfContext, SymbolRef } from "../context/elf-context.js";
import { named, rawBytes, type Named, type RawBytes } from "../context/values.js";

/** A decoded payload with the symbols that it refers to. Units are bytes, unless the attribute defines others. */
export type AttributeValue =
  | { readonly kind: "flag" }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "dimensions"; readonly x: number; readonly y: number; readonly z: number }
  | { readonly kind: "symbol-value"; readonly symbol: SymbolRef; readonly value: number }
  | { readonly kind: "symbols"; readonly symbols: readonly SymbolRef[] }
  | { readonly kind: "offsets"; readonly offsets: readonly number[] }
  | { readonly kind: "parameter-bank"; readonly symbol: SymbolRef; readonly offset: number; readonly size: number }
  | {
      readonly kind: "parameter";
      readonly ordinal: number;
      readonly offset: number;
      readonly size: number;
      /** The state space in `.ptr`, and the promised alignment in bytes. */
      readonly pointer?: { readonly space: string; readonly align: number };
    }
  | ({ readonly kind: "bytes" } & RawBytes);

export interface AttributeView {
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly attribute: Named;
  readonly format: Named;
  /** The meaning of the attribute, in a few words. */
  readonly meaning?: string;
  readonly value: AttributeValue;
}

export interface AttributeSectionView {
  readonly section: { readonly index: number; readonly name: string };
  /** The function to which the attributes apply; absent for those of the module. */
  readonly function?: string;
  readonly attributes: readonly AttributeView[];
}

export type NoteView = { readonly section: string; readonly name: string; readonly type: number } & (
  | ({ readonly kind: "toolkit" } & ToolkitInfo)
  | ({ readonly kind: "cuda" } & CudaInfo)
  | { readonly kind: "ptxkit"; readonly version: number }
  /** In hexadecimal. */
  | { readonly kind: "build-id"; readonly buildId: string }
  | ({ readonly kind: "unknown" } & RawBytes)
);

export interface CallGraphView {
  readonly calls: readonly { readonly caller: SymbolRef; readonly callee: SymbolRef }[];
  readonly addressTaken: readonly { readonly symbol: SymbolRef; readonly prototype: string | null }[];
  readonly indirectCalls: readonly { readonly caller: SymbolRef; readonly prototype: string | null }[];
  readonly addressUses: readonly { readonly user: SymbolRef; readonly target: SymbolRef }[];
  /** Pairs in unknown lists. */
  readonly unknown: readonly { readonly list: number; readonly first: number; readonly second: number }[];
}

export interface InfoView {
  readonly attributes: readonly AttributeSectionView[];
  readonly compatibility: readonly AttributeView[];
  readonly notes: readonly NoteView[];
  readonly callGraph?: CallGraphView;
  readonly prototypes: readonly { readonly symbol: SymbolRef; readonly prototype: string | null }[];
}

export function infoView(context: ElfContext): InfoView {
  const { sections, header } = context.file;
  const isCuda = header.machine === EM.CUDA;
  const ofType = (type: number) => (isCuda ? sections.filter((section) => section.type === type) : []);
  const graph = ofType(SHT_CUDA.CALLGRAPH).flatMap((section) => callGraphView(context, section) ?? [])[0];
  return {
    attributes: attributeSections(context),
    compatibility: ofType(SHT_CUDA.COMPAT).flatMap((section) =>
      recordsOf(context, section, SHOWN_COST).map(compatView),
    ),
    notes: allNotes(context),
    ...(graph === undefined ? {} : { callGraph: graph }),
    prototypes: ofType(SHT_CUDA.PROTOTYPE).flatMap((section) => prototypeViews(context, section)),
  };
}

// ----------------------------------------------------------------------------------------------------------- attributes

/** Cost of a byte of attributes: a record of four bytes takes some four hundred characters of JSON. */
const SHOWN_COST = 100;
/** Cost of a byte of attributes that are read but not shown. */
export const READ_COST = 20;

/** The attribute sections of the module and of its functions, in file order; second copies (sm_100 and later) come last. */
export function attributeSections(context: ElfContext, cost = SHOWN_COST): readonly AttributeSectionView[] {
  const { sections, header } = context.file;
  if (header.machine !== EM.CUDA) return [];
  return sections.flatMap((section) => {
    if (section.type !== SHT_CUDA.INFO && section.type !== SHT_CUDA.MERC_INFO) return [];
    const { index, name } = section;
    const functionName = knownSection(name.replace(/^\.nv\.merc(?=\.)/, ""))?.functionName;
    const table = context.tableFor(section.link);
    return [
      {
        section: { index, name },
        ...(functionName === undefined ? {} : { function: functionName }),
        attributes: recordsOf(context, section, cost).map((record) => attributeView(context, table, record)),
      },
    ];
  });
}

/** The records of a section; none if the budget does not allow them. */
function recordsOf(context: ElfContext, section: ElfSection, cost: number): readonly InfoRecord[] {
  if (!context.budget.spend(cost * section.data.length)) return [];
  return context.accept(readInfo(section.data, section.offset)) ?? [];
}

const formatName = namesOf(INFO_FORMATS);

function attributeView(context: ElfContext, table: number, record: InfoRecord): AttributeView {
  const known = infoAttribute(record.attribute);
  return {
    offset: record.offset,
    attribute: named(known?.name, record.attribute),
    format: named(formatName(record.format), record.format),
    ...(known === undefined ? {} : { meaning: known.doc }),
    value: attributeValue(context, table, decodeInfo(record).payload),
  };
}

function compatView(record: InfoRecord): AttributeView {
  const row = COMPAT_ATTRIBUTES.find(({ value }) => value === record.attribute);
  return {
    offset: record.offset,
    attribute: named(row?.name, record.attribute),
    format: named(formatName(record.format), record.format),
    ...(row === undefined ? {} : { meaning: row.doc }),
    value: { kind: "bytes", ...rawBytes(record.payload) },
  };
}

function attributeValue(context: ElfContext, table: number, payload: InfoPayload): AttributeValue {
  const symbol = (index: number): SymbolRef => context.symbol(table, index);
  switch (payload.kind) {
    case "flag":
      return { kind: "flag" };
    case "number":
    case "dimensions":
    case "offsets":
      return payload;
    case "symbol-value":
      return { kind: "symbol-value", symbol: symbol(payload.symbol), value: payload.value };
    case "symbols":
      return { kind: "symbols", symbols: payload.symbols.map(symbol) };
    case "parameter-bank":
      return { kind: "parameter-bank", symbol: symbol(payload.symbol), offset: payload.offset, size: payload.size };
    case "parameter":
    case "parameter-v2": {
      const { ordinal, offset, size, pointeeSpace, pointeeAlignLog2 } = payload;
      const space = POINTEE_SPACES[pointeeSpace] ?? `space ${pointeeSpace}`;
      const pointer =
        pointeeSpace === 0 && pointeeAlignLog2 === 0 ? {} : { pointer: { space, align: 2 ** pointeeAlignLog2 } };
      return { kind: "parameter", ordinal, offset, size, ...pointer };
    }
    case "bytes":
      return { kind: "bytes", ...rawBytes(payload.bytes) };
  }
}

// ---------------------------------------------------------------------------------------------------------------- notes

export function allNotes(context: ElfContext): readonly NoteView[] {
  return context.file.sections.flatMap((section) => (section.type === SHT.NOTE ? noteViews(context, section) : []));
}

function noteViews(context: ElfContext, section: ElfSection): readonly NoteView[] {
  if (!context.budget.spend(20 * section.data.length)) return [];
  const notes = context.accept(notesOf(context.file, section)) ?? [];
  return notes.flatMap((note) =>
    context.budget.spend(400 + note.description.length) ? [noteView(context, section, note)] : [],
  );
}

/** Longest build ID, in bytes; longer notes are no hash. */
const MAX_BUILD_ID = 64;

function noteView(context: ElfContext, section: ElfSection, note: ElfNote): NoteView {
  const head = { section: section.name, name: note.name, type: note.type };
  if (note.name === NVIDIA_NOTE_NAME && note.type === NT_NV.TKINFO) {
    const info = context.accept(readToolkitInfo(note));
    if (info !== undefined) return { ...head, kind: "toolkit", ...info };
  }
  if (note.name === NVIDIA_NOTE_NAME && note.type === NT_NV.CUINFO) {
    const info = context.accept(readCudaInfo(note));
    if (info !== undefined) return { ...head, kind: "cuda", ...info };
  }
  const { description } = note;
  if (note.name === PTXKIT_NOTE.name && note.type === PTXKIT_NOTE.type && description.length >= 4) {
    const view = new DataView(description.buffer, description.byteOffset, description.byteLength);
    return { ...head, kind: "ptxkit", version: view.getUint32(0, true) };
  }
  if (note.name === GNU_BUILD_ID.name && note.type === GNU_BUILD_ID.type && description.length <= MAX_BUILD_ID)
    return { ...head, kind: "build-id", buildId: Buffer.from(description).toString("hex") };
  return { ...head, kind: "unknown", ...rawBytes(description) };
}

// ------------------------------------------------------------------------------------------- call graph and prototypes

/** Longest prototype, in characters; real ones have few. */
const MAX_PROTOTYPE = 4096;

/** Returns the prototype at an offset of the symbol table's string table; null if there is none. */
function prototypeReader(context: ElfContext, section: ElfSection): (offset: number) => string | null {
  const { sections } = context.file;
  const strings = sections[sections[context.tableFor(section.link)]?.link ?? 0]?.data;
  return (offset) => {
    const window = strings?.subarray(offset, offset + MAX_PROTOTYPE) ?? new Uint8Array();
    const end = window.indexOf(0);
    if (end < 1 || window[0] !== "#".charCodeAt(0) || !context.budget.spend(end)) return null;
    return Buffer.from(window.subarray(0, end)).toString("utf8");
  };
}

export function callGraphView(context: ElfContext, section: ElfSection): CallGraphView | undefined {
  if (!context.budget.spend(20 * section.data.length)) return undefined;
  const graph = context.accept(readCallGraph(section.data, section.offset));
  if (graph === undefined) return undefined;
  const table = context.tableFor(section.link);
  const symbol = (index: number): SymbolRef => context.symbol(table, index);
  const prototype = prototypeReader(context, section);
  return {
    calls: graph.calls.map(({ caller, callee }) => ({ caller: symbol(caller), callee: symbol(callee) })),
    addressTaken: graph.addressTaken.map((entry) => ({
      symbol: symbol(entry.symbol),
      prototype: prototype(entry.prototype),
    })),
    indirectCalls: graph.indirectCalls.map((entry) => ({
      caller: symbol(entry.caller),
      prototype: prototype(entry.prototype),
    })),
    addressUses: graph.addressUses.map(({ user, target }) => ({ user: symbol(user), target: symbol(target) })),
    unknown: graph.unknown,
  };
}

function prototypeViews(context: ElfContext, section: ElfSection): InfoView["prototypes"] {
  if (!context.budget.spend(20 * section.data.length)) return [];
  const prototype = prototypeReader(context, section);
  const table = context.tableFor(section.link);
  return (context.accept(readPrototypes(section.data, section.offset)) ?? []).map((entry) => ({
    symbol: context.symbol(table, entry.symbol),
    prototype: prototype(entry.prototype),
  }));
}
