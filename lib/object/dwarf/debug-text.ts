// Debug sections as part of one PTX text. Those of a single module are as in its text. For several modules, each section name has
// one section, because ptxas makes an ELF section of each that it reads: the parts follow each other, and offsets in a module's
// part become offsets in the whole. Labels are renamed (debug-names.ts); abbreviations and file numbers are shared
// (debug-units.ts). References to absent code (weak definitions that lost) are 0, as in an image. Parts are printed one at a
// time: joining them into one section first took ten times their bytes.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import type { Result } from "../../../formats/bytes/result.js";
import type { Series } from "../../base/series.js";
import { printParts } from "../../ptx/print-section.js";
import {
  createSectionData,
  markOf,
  partSince,
  type SectionPart,
  type SectionReference,
} from "../../ptx/section-data.js";
import { nameLabels, type DebugFunctions, type ModuleNames } from "./debug-names.js";
import {
  addDebugSection,
  AS_IT_IS,
  isMadeSection,
  openSection,
  walk,
  type DebugSection,
  type OpenSection,
  type Translation,
} from "./debug-sections.js";
import { ABBREV, INFO, withCommonUnits, type Unplaced } from "./debug-units.js";
import { isNameTable, joinedNames } from "./dwarf-tables.js";
import type { JoinedUnit } from "./dwarf-units.js";
import type { MergedFiles } from "./merged-files.js";
import type { ModuleOrigin, ObjectSymbol } from "../object.js";

export interface DebugText {
  readonly hasSections: boolean;
  /** The sections, in pieces. */
  sections(): Iterable<string>;
  /** The new names of a function's labels and frame variables, by its symbol. */
  readonly renamed: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** The new name of a module's label of a string in `.debug_str`, for `function_name`; undefined if the text has none. */
  textLabel(module: number, label: string): string | undefined;
  /** Why the text lacks the tables by which debuggers find units; debuggers make them themselves if they are missing. */
  readonly omitted: string | undefined;
}

export const NO_DEBUG_TEXT: DebugText = {
  hasSections: false,
  sections: () => [],
  renamed: new Map(),
  textLabel: () => undefined,
  omitted: undefined,
};

/** The input of the text. */
export interface DebugSubject {
  readonly modules: readonly ModuleOrigin[];
  readonly symbols: Series<ObjectSymbol>;
  /** If there are several modules: with references resolved in their bytes. */
  readonly debugSections: readonly DebugSection[];
  readonly files: MergedFiles;
  nameOf(symbol: number): string;
  /** Whether the text declares the symbol. */
  isDeclared(symbol: number): boolean;
  /** Called only if several modules have debug sections. */
  functions(): DebugFunctions;
}

/** The sections that belong into a text: lines are in it as `.loc`. */
export const textSections = (sections: readonly DebugSection[] = []): readonly DebugSection[] =>
  sections.filter((section) => !isMadeSection(section));

/**
 * Limit of the parts. A hundred thousand modules have fewer; more sections of a few bytes could keep a link busy for half a
 * minute.
 */
export const MAX_PARTS = 2 ** 20;

/** The sections, or the reason why those of several modules cannot be put into one text. */
export function debugTextOf(subject: DebugSubject): Result<DebugText> {
  const { modules, debugSections: parts } = subject;
  if (parts.length === 0) return { ok: true, value: NO_DEBUG_TEXT };
  return decoding(() => {
    if (modules.length === 1) return ownText(parts);
    if (parts.length > MAX_PARTS) malformed("limit", 0, `there are more than ${MAX_PARTS} of them`);
    return joinParts(subject);
  });
}

const AS_BEFORE = { label: () => {}, reference: () => {}, integers: () => {} };

/** The sections of a single module. */
function ownText(parts: readonly DebugSection[]): DebugText {
  // Find malformed sections before anything is written.
  for (const part of parts) walk(openSection(part), AS_BEFORE);
  function* sections(): Generator<string, void, undefined> {
    for (const part of parts) {
      const open = openSection(part);
      yield* printParts(part.name, open.isLegacy, [partOf(open, AS_IT_IS)]);
      yield "\n";
    }
  }
  return { hasSections: true, sections, renamed: new Map(), textLabel: (_, label) => label, omitted: undefined };
}

function partOf(open: OpenSection, to: Translation, unit?: JoinedUnit): SectionPart {
  const data = createSectionData(open.section.data.length);
  const begin = markOf(data);
  addDebugSection(data, begin.row, open, to, unit?.edits);
  return partSince(data, begin);
}

/**
 * Tables that cannot be joined for several units: no known compiler writes them in a form that ptxas accepts (dwarf-tables.ts).
 */
const LOST_TABLES: ReadonlySet<string> = new Set([".debug_aranges", ".debug_names"]);

interface Part extends Unplaced {
  readonly module: number;
  /** Offset in bytes from the start of the joined section. */
  readonly offset: number;
  readonly open: OpenSection;
}

function joinParts(subject: DebugSubject): DebugText {
  const { modules, files, debugSections } = subject;
  const isSeveral = new Set(debugSections.flatMap(({ name, module }) => (name === INFO ? [module] : []))).size > 1;
  const isLost = ({ name }: DebugSection): boolean => isSeveral && LOST_TABLES.has(name);
  const kept = debugSections.filter((section) => !isLost(section));
  const parts = placedParts(withCommonUnits(kept, modules, files));
  const known = knownOf(parts, subject);
  const renamed = nameLabels(parts, known.names, subject);
  const meaning = meaningIn(known, subject);
  const tables = isSeveral ? joinedTables(parts, known) : new Map<Part, Result<OpenSection>>();
  const failed = [...tables].flatMap(([{ section }, table]) =>
    table.ok ? [] : [`${section.name} (${table.error.what})`],
  );
  const omitted = [...new Set([...debugSections.filter(isLost).map(({ name }) => name), ...failed])].join(", ");

  function* printed(own: readonly Part[]): Generator<SectionPart, void, undefined> {
    for (const part of own) {
      const { module, open, unit } = part;
      const label = (name: string): string => known.names[module]!.labels.get(name)!;
      const reference = (each: SectionReference): SectionReference | number => meaning(module, each);
      const table = tables.get(part);
      if (table === undefined) yield partOf(open, { label, reference }, unit);
      else if (table.ok) yield partOf(table.value, { label, reference: inNames(reference) });
    }
  }
  function* sections(): Generator<string, void, undefined> {
    for (const [name, own] of bySection(parts)) {
      yield* printParts(name, own.every(({ open }) => open.isLegacy), printed(own)); // prettier-ignore
      yield "\n";
    }
  }
  const textLabel: DebugText["textLabel"] = (module, label) => known.names[module]!.labels.get(label);
  return { hasSections: true, sections, renamed, textLabel, omitted: omitted === "" ? undefined : omitted };
}

/** The names to which modules' references may refer. */
interface Known {
  readonly names: readonly ModuleNames[];
  /** Symbols that modules share, by name. */
  readonly shared: ReadonlyMap<string, number>;
  /** The new offset of something in a module's first part of a section. */
  movedIn(module: number, section: string, offset: number): number;
  /** Whether any module has the section. */
  hasSection(name: string): boolean;
}

function knownOf(parts: readonly Part[], { modules, symbols }: DebugSubject): Known {
  const names = modules.map((): ModuleNames => ({ sections: new Map(), labels: new Map(), symbols: new Map() }));
  const units = new Map<string, JoinedUnit>();
  const sections = new Set<string>();
  for (const { module, offset, section, unit } of parts) {
    const own = names[module]!.sections;
    sections.add(section.name);
    if (own.has(section.name)) continue;
    own.set(section.name, offset);
    if (unit !== undefined) units.set(`${module} ${section.name}`, unit);
  }
  // There is one table for all modules, wherever a module's part was.
  if (sections.has(ABBREV)) for (const own of names) own.sections.set(ABBREV, 0);
  const shared = new Map<string, number>();
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols.at(i)!;
    if (symbol.kind === "variable" && symbol.scope !== undefined) continue;
    const { name, linkage, origin } = symbol;
    const own = names[origin.module]!.symbols;
    if (!own.has(name)) own.set(name, i);
    if (linkage !== "static" && !shared.has(name)) shared.set(name, i);
  }
  return {
    names,
    shared,
    movedIn: (module, section, offset) => units.get(`${module} ${section}`)?.moved(offset) ?? offset,
    hasSection: (name) => sections.has(name),
  };
}

/** The value of a reference whose target is not in the text. */
const NOWHERE = 0;

type Meaning = (module: number, reference: SectionReference) => SectionReference | number;

const meaningIn =
  ({ names, shared, movedIn, hasSection }: Known, { nameOf, isDeclared }: DebugSubject): Meaning =>
  (module, reference) => {
    const { name, minus, offset } = reference;
    const own = names[module]!;
    const rest = offset === undefined ? {} : { offset };
    if (name.startsWith(".") && minus === undefined) {
      const start = own.sections.get(name);
      if (start === undefined) return hasSection(name) ? NOWHERE : reference;
      const place = start + movedIn(module, name, Number(offset ?? 0n));
      return place === 0 ? reference : { name, offset: BigInt(place) };
    }
    const label = own.labels.get(name);
    if (minus !== undefined) {
      const other = own.labels.get(minus);
      return label === undefined || other === undefined ? NOWHERE : { name: label, minus: other };
    }
    if (label !== undefined) return { name: label, ...rest };
    const symbol = own.symbols.get(name) ?? shared.get(name);
    return symbol === undefined || !isDeclared(symbol) ? NOWHERE : { name: nameOf(symbol), ...rest };
  };

// -------------------------------------------------------------------------------------------------------------- tables

/** Tables of names with offsets in the joined section, or the reason why one is omitted. */
function joinedTables(parts: readonly Part[], { names, movedIn }: Known): ReadonlyMap<Part, Result<OpenSection>> {
  const joined = ({ module, section, open }: Part): OpenSection => {
    const places = unitReferences(open);
    const base = names[module]!.sections.get(INFO) ?? 0;
    const units = { base, moved: (offset: number) => movedIn(module, INFO, offset) };
    const data = joinedNames(section.name, section.data, (at) => places.get(at), units);
    return { ...open, section: { ...section, data } };
  };
  const tables = parts.filter(({ section }) => isNameTable(section.name));
  return new Map(tables.map((part) => [part, decoding(() => joined(part))]));
}

/** For tables of names: ptxas reads `.debug_info+125` there as a symbol of that name at 0, so such references become numbers. */
const inNames =
  (meaning: Translation["reference"]): Translation["reference"] =>
  (reference) => {
    const now = meaning(reference);
    return typeof now === "object" && now.name === INFO && now.offset !== undefined ? Number(now.offset) : now;
  };

/** Offsets in `.debug_info` of references, by the references' places. */
function unitReferences(open: OpenSection): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  walk(open, {
    ...AS_BEFORE,
    reference: ({ name, minus, offset = 0n }, at) =>
      void (name === INFO && minus === undefined && found.set(at, Number(offset))),
  });
  return found;
}

/** Places each part after the earlier parts of its name. */
function placedParts(sections: readonly Unplaced[]): readonly Part[] {
  const sizes = new Map<string, number>();
  return sections.map(({ section, unit }) => {
    const offset = sizes.get(section.name) ?? 0;
    const { length } = section.data;
    sizes.set(section.name, offset + (unit?.moved(length) ?? length));
    const part = { section, module: section.module, offset, open: openSection(section) };
    return unit === undefined ? part : { ...part, unit };
  });
}

function bySection(parts: readonly Part[]): ReadonlyMap<string, readonly Part[]> {
  const sections = new Map<string, Part[]>();
  for (const part of parts) {
    const own = sections.get(part.section.name);
    if (own === undefined) sections.set(part.section.name, [part]);
    else own.push(part);
  }
  return sections;
}
