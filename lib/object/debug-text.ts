// Debug sections as part of one PTX text. Those of a single module are as its text had them. Of several modules each section
// name has one section, because ptxas makes an ELF section of each that it reads: the parts stand one behind the other, and what
// was an offset in a module's part is one in the whole. Labels have one space of names in a text, so those that more than one
// module has get numbers, and so do labels of code and variables of frames that a debug section refers to. Abbreviations and
// numbers of files are common (dwarf-units.ts). Code that is not there (weak definitions that lost) is 0, as in an image.

import { decoding, malformed, need } from "../../formats/bytes/malformed.js";
import type { Result } from "../../formats/bytes/result.js";
import type { Code } from "../isa/code.js";
import { addBytes, createSectionData, markOf, partSince, type SectionReference } from "../ptx/section-data.js";
import type { SectionDirective } from "../ptx/tree.js";
import {
  addDebugSection,
  decodeDebugSection,
  directiveOf,
  encodeDebugSection,
  isMadeSection,
  openSection,
  walk,
  type DebugSection,
  type OpenSection,
} from "./debug-sections.js";
import { joinUnits, type JoinedUnit } from "./dwarf-units.js";
import type { MergedFiles } from "./merged-files.js";
import type { ObjectFile } from "./object.js";
import { uniqueNames } from "./unique-names.js";

export interface DebugText {
  readonly sections: readonly SectionDirective[];
  /** What labels and frame variables of a function are called instead, by its symbol. */
  readonly renamed: ReadonlyMap<number, ReadonlyMap<string, string>>;
  /** What a module's label of a text in `.debug_str` is called, for `function_name`; undefined where none is in the text. */
  textLabel(module: number, label: string): string | undefined;
}

export const NO_DEBUG_TEXT: DebugText = { sections: [], renamed: new Map(), textLabel: () => undefined };

/** A function that has code in the text. */
export interface DebugFunction {
  readonly symbol: number;
  readonly code: Code;
  /** Names, in the text that it was made of, of the variables inside it that are symbols. */
  readonly scoped: readonly string[];
}

/** What the text is made of. */
export interface DebugSubject {
  readonly object: ObjectFile;
  readonly files: MergedFiles;
  nameOf(symbol: number): string;
  /** Whether the text has a declaration of the symbol. */
  isDeclared(symbol: number): boolean;
  /** Asked only where several modules have debug sections between them. */
  functions(): readonly DebugFunction[];
}

const [INFO, ABBREV] = [".debug_info", ".debug_abbrev"];

/** Whether anything of the object's debug sections is for a text: lines are there as `.loc`. */
export const hasDebugText = ({ debugSections = [] }: Pick<ObjectFile, "debugSections">): boolean =>
  debugSections.some((section) => !isMadeSection(section));

/** A hundred thousand modules have fewer; more sections of a few bytes could keep a link busy for half a minute. */
const MOST_PARTS = 2 ** 20;

/** The sections, or why those of several modules do not go into one text. */
export function debugTextOf(subject: DebugSubject): Result<DebugText> {
  const { modules, debugSections = [] } = subject.object;
  const parts = debugSections.filter((section) => !isMadeSection(section));
  if (parts.length === 0) return { ok: true, value: NO_DEBUG_TEXT };
  return decoding(() => {
    if (modules.length > 1) {
      if (parts.length > MOST_PARTS) malformed("limit", 0, `there are more than ${MOST_PARTS} of them`);
      return joinParts(withoutTables(parts), subject);
    }
    const sections = parts.map((part) => need(decodeDebugSection(part)));
    return { sections, renamed: new Map(), textLabel: (_, label) => label };
  });
}

/** Tables by which readers find units, and which they make themselves where there are none. */
const LOOKUP_TABLES: ReadonlySet<string> = new Set([
  ".debug_aranges",
  ".debug_names",
  ".debug_pubnames",
  ".debug_pubtypes",
]);

/** Their `.debug_info+125` is, to ptxas, a symbol of that name, so that all would be told of the first unit. */
function withoutTables(parts: readonly DebugSection[]): readonly DebugSection[] {
  const units = new Set(parts.flatMap(({ name, module }) => (name === INFO ? [module] : [])));
  return units.size < 2 ? parts : parts.filter(({ name }) => !LOOKUP_TABLES.has(name));
}

interface Part {
  readonly module: number;
  /** Bytes from the start of the joined section. */
  readonly offset: number;
  readonly open: OpenSection;
  /** Of `.debug_info` of several modules. */
  readonly unit?: JoinedUnit;
}

/** A section on its way into the text. */
type Unplaced = Pick<Part, "unit"> & { readonly section: DebugSection };

/** What a module's references may name. */
interface ModuleNames {
  /** Offsets in joined sections, of its first part of each. */
  readonly sections: Map<string, number>;
  /** Labels in its debug sections, labels of its code, and variables of its frames, with what they are called now. */
  readonly labels: Map<string, string>;
  /** Symbols that it defines or declares. */
  readonly symbols: Map<string, number>;
}

function joinParts(sections: readonly DebugSection[], subject: DebugSubject): DebugText {
  const { object } = subject;
  const parts = placedParts(withCommonUnits(sections, subject));
  const units = new Map<number, JoinedUnit>();
  for (const { module, unit } of parts) if (unit !== undefined && !units.has(module)) units.set(module, unit);
  const names = object.modules.map((): ModuleNames => ({ sections: new Map(), labels: new Map(), symbols: new Map() }));
  for (const {
    module,
    offset,
    open: { section },
  } of parts)
    if (!names[module]!.sections.has(section.name)) names[module]!.sections.set(section.name, offset);
  // The one table, wherever in it a module's part may be.
  if (parts.some(({ open }) => open.section.name === ABBREV)) for (const own of names) own.sections.set(ABBREV, 0);
  const shared = new Map<string, number>();
  object.symbols.forEach(({ name, linkage, origin, ...symbol }, i) => {
    if (symbol.kind === "variable" && symbol.scope !== undefined) return;
    const own = names[origin.module]!.symbols;
    if (!own.has(name)) own.set(name, i);
    if (linkage !== "static" && !shared.has(name)) shared.set(name, i);
  });
  const renamed = nameLabels(parts, names, subject);
  const byName = new Map<string, Part[]>();
  for (const part of parts) {
    const own = byName.get(part.open.section.name);
    if (own === undefined) byName.set(part.open.section.name, [part]);
    else own.push(part);
  }

  const meaning = (module: number, reference: SectionReference): SectionReference | number => {
    const { name, minus, offset } = reference;
    const own = names[module]!;
    const rest = offset === undefined ? {} : { offset };
    if (name.startsWith(".") && minus === undefined) {
      if (!own.sections.has(name)) return byName.has(name) ? NOWHERE : reference;
      const moved = name === INFO ? units.get(module)?.moved(Number(offset ?? 0n)) : undefined;
      const base = BigInt(own.sections.get(name) ?? 0) + (moved === undefined ? (offset ?? 0n) : BigInt(moved));
      return base === 0n ? reference : { name, offset: base };
    }
    const label = own.labels.get(name);
    if (minus !== undefined) {
      const other = own.labels.get(minus);
      return label === undefined || other === undefined ? NOWHERE : { name: label, minus: other };
    }
    if (label !== undefined) return { name: label, ...rest };
    const symbol = own.symbols.get(name) ?? shared.get(name);
    if (symbol === undefined || !subject.isDeclared(symbol)) return NOWHERE;
    return { name: subject.nameOf(symbol), ...rest };
  };
  const data = createSectionData();
  const joinedSection = (name: string, own: readonly Part[]): SectionDirective => {
    const begin = markOf(data);
    for (const { module, open, unit } of own) {
      const to = {
        label: (label: string) => names[module]!.labels.get(label)!,
        reference: (reference: SectionReference) => meaning(module, reference),
      };
      addDebugSection(data, begin.row, open, to, unit?.edits);
    }
    return directiveOf(name, own.every(({ open }) => open.isLegacy), partSince(data, begin)); // prettier-ignore
  };

  return {
    sections: [...byName].map(([name, own]) => joinedSection(name, own)),
    renamed,
    textLabel: (module, label) => names[module]!.labels.get(label),
  };
}

/** What is not in the text. */
const NOWHERE = 0;

/** Each part behind those of its name before. */
function placedParts(sections: readonly Unplaced[]): readonly Part[] {
  const sizes = new Map<string, number>();
  return sections.map(({ section, unit }) => {
    const offset = sizes.get(section.name) ?? 0;
    const { length } = section.data;
    sizes.set(section.name, offset + (unit?.moved(length) ?? length));
    const part = { module: section.module, offset, open: openSection(section) };
    return unit === undefined ? part : { ...part, unit };
  });
}

// --------------------------------------------------------------------------------------------------------------- names

/** Gives `labels` of each module its names; what functions have to call their own labels and variables. */
function nameLabels(
  parts: readonly Part[],
  names: readonly ModuleNames[],
  { object, nameOf, functions }: DebugSubject,
): DebugText["renamed"] {
  const inside = names.map(() => new Set<string>());
  const nothing = (): void => {};
  for (const { module, open } of parts)
    walk(open, { label: (name) => void inside[module]!.add(name), reference: nothing, integers: nothing });
  // What debug sections refer to outside of themselves.
  const referred = names.map(() => new Set<string>());
  for (const { module, open } of parts) {
    const refer = (name: string): void => void (inside[module]!.has(name) || referred[module]!.add(name));
    walk(open, {
      label: nothing,
      integers: nothing,
      reference({ name, minus }) {
        refer(name);
        if (minus !== undefined) refer(minus);
      },
    });
  }

  /** Labels and variables by function; the first function of a module that has a name is the one that is meant. */
  const wanted = new Map<number, ReadonlySet<string>>();
  const taken = new Set(object.symbols.map((_, i) => nameOf(i)));
  const claimed = names.map(() => new Set<string>());
  const claim = (kind: (each: DebugFunction) => readonly string[]): void => {
    for (const each of functions()) {
      const { module } = object.symbols[each.symbol]!.origin;
      const own = new Set(kind(each).filter((name) => referred[module]!.has(name) && !claimed[module]!.has(name)));
      for (const name of own) claimed[module]!.add(name);
      wanted.set(each.symbol, new Set([...(wanted.get(each.symbol) ?? []), ...own]));
    }
  };
  claim(({ code }) => code.labels.map(({ name }) => name));
  // A symbol of the module comes before a variable of a frame.
  claim(({ symbol, code, scoped }) => {
    const { symbols } = names[object.symbols[symbol]!.origin.module]!;
    const frame = code.variables.flatMap(({ name, register }) => (register === undefined ? [name] : []));
    return [...scoped, ...frame].filter((name) => !symbols.has(name));
  });
  for (const { symbol, code, scoped } of functions())
    for (const name of namesIn(code, scoped)) if (!wanted.get(symbol)!.has(name)) taken.add(name);

  const unique = uniqueNames(taken);
  inside.forEach((own, module) => {
    for (const name of own) names[module]!.labels.set(name, unique(name));
  });
  return new Map(
    functions().map(({ symbol }) => {
      const { labels } = names[object.symbols[symbol]!.origin.module]!;
      const own = [...wanted.get(symbol)!].map((name) => [name, unique(name)] as const);
      for (const [name, now] of own) labels.set(name, now);
      return [symbol, new Map(own.filter(([name, now]) => name !== now))];
    }),
  );
}

const namesIn = (code: Code, scoped: readonly string[]): readonly string[] => [
  ...scoped,
  ...[code.labels, code.variables, code.registers, code.branchTargets, code.callTargets, code.prototypes].flatMap(
    (all) => all.map(({ name }) => name),
  ),
];

// --------------------------------------------------------------------------------------------------------------- units

/** The sections with one table of abbreviations, which is the first module's part, and the numbers that files have in the text. */
function withCommonUnits(sections: readonly DebugSection[], { object, files }: DebugSubject): readonly Unplaced[] {
  const renumbers = object.modules.map((module, i) =>
    module.files.some(({ index }) => files.numberOf(i, index) !== index),
  );
  const infos = sections.filter(({ name }) => name === INFO);
  const tables = sections.filter(({ name }) => name === ABBREV);
  const isAlone = [infos, tables].every((all) => new Set(all.map(({ module }) => module)).size < 2);
  if (isAlone && !infos.some(({ module }) => renumbers[module]!)) return sections.map((section) => ({ section }));
  const macros = sections.find(
    ({ name, module, data }) => /^\.debug_mac(info|ro)$/.test(name) && renumbers[module]! && data.some((b) => b !== 0),
  );
  if (macros !== undefined)
    malformed("unsupported", 0, `${macros.name} has numbers of files that are others in one text`);
  const { infos: common, abbrev } = need(
    joinUnits(
      infos.map(({ module, data }) => {
        const own = new Set(object.modules[module]!.files.map(({ index }) => index));
        return { info: data, numberOf: (file) => (own.has(file) ? files.numberOf(module, file) : 0) };
      }),
      joined(tables.map(({ data }) => data)),
    ),
  );
  let next = 0;
  return sections.map((section) => {
    if (section.name === INFO) {
      const unit = common[next++]!;
      return { section: { ...section, data: unit.info }, unit };
    }
    if (section.name !== ABBREV) return { section };
    return { section: bytesSection(section, section === tables[0] ? abbrev : NOTHING) };
  });
}

const NOTHING = new Uint8Array();

/** The section with other bytes, which are all that it has. */
function bytesSection(section: DebugSection, bytes: Uint8Array): DebugSection {
  const hasLabels = (): never => malformed("unsupported", 0, `${section.name} has labels`);
  const open = openSection(section);
  walk(open, { label: hasLabels, reference: hasLabels, integers: () => {} });
  const data = createSectionData();
  const begin = markOf(data);
  addBytes(data, begin.row, bytes);
  return encodeDebugSection(directiveOf(section.name, open.isLegacy, partSince(data, begin)), section.module);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
