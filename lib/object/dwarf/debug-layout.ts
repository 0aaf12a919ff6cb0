// The layout of all modules' debug sections in a file, and the resolved references: offsets in the file's debug sections, which
// are known, and places in code and data, which also get a relocation. docs/format.md, "Debug sections".
// The bytes hold the values that NVIDIA's linker would write if every section had the address 0, so that DWARF readers without
// the relocations of EM_CUDA show offsets in functions and in data. References to discarded parts (code of a weak definition that
// lost, or that --gc-sections dropped) are 0 and have no relocation.

import { R_CUDA } from "../../../formats/cuda/index.js";
import { decoding } from "../../../formats/bytes/malformed.js";
import { LEB, putInteger, type SectionReference } from "../../ptx/section-data.js";
import {
  hasTexts,
  openSection,
  walk,
  type DebugSection,
  type OpenSection,
  type ReferencePlaces,
} from "./debug-sections.js";
import type { CodePlace, Visitor } from "./debug-sections.js";
import { parameterBank } from "../parameters.js";
import { narrowType } from "../relocation-types.js";
import type { ObjectFile, ObjectSymbol, Relocation } from "../object.js";

/** The ELF section that a debug section goes into; a name that is no debugger's cannot pass for another section's. */
export const debugElfName = (name: string): string => (/^\.(nv_)?debug_/.test(name) ? name : `.ptxkit.debug${name}`);

export interface DebugElfSection {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of places in code and data, by offset. */
  readonly relocations: readonly Relocation[];
}

export interface DebugLayout {
  /** The ELF sections, in order of first appearance: parts of one name follow each other. */
  readonly sections: readonly DebugElfSection[];
  /** For each part, its ELF section (an index into `sections`) and where it begins there. */
  readonly parts: readonly { readonly section: number; readonly offset: number }[];
}

/** The object that references to code and data are resolved in. */
export type DebugSubject = Pick<ObjectFile, "type" | "target" | "symbols" | "kernels" | "debugSections">;

/** The object with what references mean in the bytes of its debug sections. */
export function withDebugResolved<T extends ObjectFile>(object: T): T {
  const { debugSections = [] } = object;
  if (!debugSections.some(hasTexts)) return object;
  const layout = layOutDebug(object);
  return {
    ...object,
    debugSections: debugSections.map((part, i): DebugSection => {
      if (!hasTexts(part)) return part;
      const { section, offset } = layout.parts[i]!;
      return { ...part, data: layout.sections[section]!.bytes.subarray(offset, offset + part.data.length) };
    }),
  };
}

/** Joins the parts of an object and writes what references mean. */
export const layOutDebug = (object: DebugSubject): DebugLayout =>
  joinDebug(object.debugSections ?? [], () => nameFinder(object));

const NO_DEBUG: DebugLayout = { sections: [], parts: [] };

/** The same for parts whose names `finder` resolves, if there are any. */
export function joinDebug(debugSections: readonly DebugSection[], finder: () => FindDebugName): DebugLayout {
  if (debugSections.length === 0) return NO_DEBUG;
  const names = [...new Set(debugSections.map(({ name }) => debugElfName(name)))];
  const numbers = new Map(names.map((name, i) => [name, i]));
  const sizes = names.map(() => 0);
  const parts = debugSections.map(({ name, data }) => {
    const section = numbers.get(debugElfName(name))!;
    const offset = sizes[section]!;
    sizes[section] = offset + data.length;
    return { section, offset };
  });
  const relocations = new Map<number, Relocation[]>();
  const bytes = joinedBytes(debugSections, parts, sizes);
  const sections = (): readonly DebugElfSection[] =>
    names.map((name, i) => ({ name, bytes: bytes[i]!, relocations: relocations.get(i) ?? NO_RELOCATIONS }));
  // A text may have a million sections of numbers alone: nothing is made for each of those.
  if (!debugSections.some(hasTexts)) return { sections: sections(), parts };

  /** Names that something refers to. */
  const wanted = new Set<string>();
  /** Those that refer to something. */
  const referring = new Map<number, OpenSection>();
  debugSections.forEach((section, part) => {
    if (!hasTexts(section)) return;
    let refers = false;
    const open = walkAny(section, {
      ...NOTHING_MET,
      reference({ name, minus }) {
        refers = true;
        wanted.add(name);
        if (minus !== undefined) wanted.add(minus);
      },
    });
    if (open !== undefined && refers) referring.set(part, open);
  });
  const places = placesOf(debugSections, parts, wanted);
  const find = finder();
  for (const [part, open] of referring) {
    const { module } = debugSections[part]!;
    const { section, offset: start } = parts[part]!;
    const into = bytes[section]!;
    const known = places.get(module)!;
    const visitor: Visitor = {
      label: () => {},
      integers: () => {},
      reference(reference, at, type, codePlaces) {
        const inside = offsetInside(reference, known);
        if (inside !== undefined) return putInteger(into, start + at, inside, type);
        // Of opcodes, which have no room for what a relocation would say.
        if (type === LEB) return putInteger(into, start + at, 0, type);
        const { value, place, addend } = targetOf(reference, codePlaces, module, find);
        putInteger(into, start + at, value, type);
        if (place === undefined || place.relocation === undefined) return;
        const { index: symbol, relocation } = place;
        const kept = relocations.get(section) ?? [];
        relocations.set(section, kept);
        kept.push({
          offset: start + at,
          type: type === 2 ? narrowType(relocation) : relocation,
          symbol,
          addend,
          width: 1 << type,
        });
      },
    };
    void decoding(() => walk(open, visitor));
  }
  return { sections: sections(), parts };
}

const NO_RELOCATIONS: readonly Relocation[] = [];

const NOTHING_MET: Visitor = { label: () => {}, reference: () => {}, integers: () => {} };

/** Undefined for a section whose texts cannot be read. A malformed section keeps its bytes; views report the fault. */
function walkAny(section: DebugSection, visitor: Visitor): OpenSection | undefined {
  const open = decoding(() => openSection(section));
  if (!open.ok) return undefined;
  void decoding(() => walk(open.value, visitor));
  return open.value;
}

/** By module, the offsets of the sections and labels that are referenced: a text may have a million labels without references. */
function placesOf(
  debugSections: readonly DebugSection[],
  parts: DebugLayout["parts"],
  wanted: ReadonlySet<string>,
): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const places = new Map<number, Map<string, number>>();
  debugSections.forEach((section, part) => {
    const { name, module } = section;
    const known = places.get(module) ?? new Map<string, number>();
    places.set(module, known);
    const { offset } = parts[part]!;
    if (wanted.has(name) && !known.has(name)) known.set(name, offset);
    if (wanted.size === 0 || !hasTexts(section)) return;
    walkAny(section, {
      ...NOTHING_MET,
      label: (label, at) => void (wanted.has(label) && known.set(label, offset + at)),
    });
  });
  return places;
}

/** The bytes of each ELF section: ranges of one array, in which a part's offset is the sum of the sizes before it. */
function joinedBytes(
  debugSections: readonly DebugSection[],
  parts: DebugLayout["parts"],
  sizes: readonly number[],
): readonly Uint8Array[] {
  const all = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  const bytes = sizes.map((size) => all.subarray(end, (end += size)));
  debugSections.forEach(({ data }, i) => bytes[parts[i]!.section]!.set(data, parts[i]!.offset));
  return bytes;
}

/** The offset of a section, or of a label in one. */
function offsetInside(
  { name, minus, offset }: SectionReference,
  known: ReadonlyMap<string, number>,
): number | bigint | undefined {
  const place = known.get(name);
  const from = minus === undefined ? 0 : known.get(minus);
  if (place === undefined || from === undefined) return undefined;
  return offset === undefined ? place - from : BigInt(place - from) + offset;
}

// ------------------------------------------------------------------------------------------------------- code and data

type Target =
  | { readonly value: bigint; readonly place?: undefined; readonly addend?: undefined }
  | { readonly value: bigint; readonly place: FoundSymbol; readonly addend: bigint };

const NOTHING: Target = { value: 0n };

/** The symbol or parameter of a module's name. */
export type FindDebugName = (module: number, name: string) => FoundSymbol | FoundParameter | undefined;

/** A kernel's parameter has a place in bank 0, and no symbol. */
export interface FoundParameter {
  readonly index?: undefined;
  /** Bytes from the start of the bank. */
  readonly offset: number;
  readonly isOwn: true;
}

export interface FoundSymbol {
  /** Of the symbol, as relocations name it. */
  readonly index: number;
  /** Bytes from the start of its section, where that is known. */
  readonly offset: number;
  /** Whether it is this module's own definition. */
  readonly isOwn: boolean;
  /** Type of a relocation to it; undefined where there is none. */
  readonly relocation: number | undefined;
}

function targetOf(
  { name, minus, offset = 0n }: SectionReference,
  places: ReferencePlaces | undefined,
  module: number,
  find: FindDebugName,
): Target {
  if (places !== undefined) return targetInCode(places, module, offset, find);
  const found = minus === undefined ? find(module, name) : undefined;
  if (found === undefined) return NOTHING;
  const value = BigInt(found.offset) + offset;
  return found.index === undefined ? { value } : { value, place: found, addend: offset };
}

/** Of two places of one function the distance. Code of another module's definition has other places. */
function targetInCode({ label, minus }: ReferencePlaces, module: number, offset: bigint, find: FindDebugName): Target {
  const owner = ({ function: name }: CodePlace): FoundSymbol | undefined => {
    const found = find(module, name);
    return found?.index !== undefined && found.isOwn ? found : undefined;
  };
  const place = owner(label);
  if (place === undefined) return NOTHING;
  const value = BigInt(label.offset) + offset;
  if (minus === undefined) return { value, place, addend: value };
  return owner(minus)?.index === place.index ? { value: value - BigInt(minus.offset) } : NOTHING;
}

/** A variable's name in its text: those of functions have a number in the file's names. */
export const debugName = (name: string, isScoped: boolean): string =>
  isScoped ? name.replace(/^\$__(.*)__\d+$/s, "$1") : name;

const textName = (symbol: ObjectSymbol): string =>
  debugName(symbol.name, symbol.kind === "variable" && symbol.scope !== undefined);

function nameFinder({ type, target, symbols, kernels }: DebugSubject): FindDebugName {
  const own = new Map<number, Map<string, number>>();
  const common = new Map<string, number>();
  symbols.forEach((symbol, i) => {
    const name = textName(symbol);
    const { module } = symbol.origin;
    const names = own.get(module) ?? new Map<string, number>();
    own.set(module, names);
    if (!names.has(name)) names.set(name, i);
    if (symbol.linkage !== "static" && !common.has(name)) common.set(name, i);
  });
  const parameters = new Map<string, FoundParameter>();
  for (const { symbol } of kernels) {
    const kernel = symbols[symbol]!;
    if (kernel.kind !== "function") continue;
    const { base, offsets } = parameterBank(kernel.prototype, target.sm);
    kernel.prototype.parameters.forEach(({ name }, i) => {
      parameters.set(`${kernel.origin.module} ${name}`, { offset: base + offsets[i]!, isOwn: true });
    });
  }
  return (module, name) => {
    const index = own.get(module)?.get(name) ?? common.get(name);
    if (index === undefined) return parameters.get(`${module} ${name}`);
    const symbol = symbols[index]!;
    const { placement, origin } = symbol;
    const isUnplaced = symbol.kind === "variable" && symbol.space === "shared" && type === "relocatable";
    return {
      index,
      offset: placement.kind === "section" && !isUnplaced ? placement.offset : 0,
      isOwn: origin.module === module && placement.kind === "section",
      relocation: debugRelocation(type, symbol.kind === "variable" ? symbol.space : undefined),
    };
  };
}

/** As in NVIDIA's files, where those of shared variables are resolved in images; `space`: a variable's. */
export function debugRelocation(type: ObjectFile["type"], space: string | undefined): number | undefined {
  if (space === "const") return R_CUDA.G64;
  return space === "shared" && type === "executable" ? undefined : R_CUDA["64"];
}
