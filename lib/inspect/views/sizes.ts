// The sizes of an ELF file's parts: the bytes of each function (code, attributes, parameters, relocations, names), and other
// bytes by kind. The parts sum to the size of the file: bytes outside sections are headers and padding.

import { hasFileBytes, relocationKind, type ElfFile, type ElfSection } from "../../../formats/elf/index.js";
import { contentKey } from "../context/content-key.js";
import type { ElfContext } from "../context/elf-context.js";
import { sectionViews, type SectionGroup } from "./sections.js";

export interface FunctionSize {
  readonly name: string;
  readonly demangled?: string;
  /** The demangled name up to its first '<', which is equal for all instances of a template. */
  readonly template?: string;
  /** Bytes of machine code, or of encoded PTX. */
  readonly code: number;
  /** Bytes of attributes, parameters, relocations and second copies of these. */
  readonly metadata: number;
  /** A key of code and relocations: equal contents have equal keys in all files. */
  readonly contentKey: string;
}

export interface SizesView {
  /** "sm_90"; absent for host files. */
  readonly target?: string;
  /** Bytes of the file. */
  readonly total: number;
  /** The largest first. */
  readonly functions: readonly FunctionSize[];
  /** Bytes that belong to no function, by kind of section; "headers" has headers and padding. */
  readonly others: readonly { readonly group: SectionGroup | "headers"; readonly bytes: number }[];
}

interface Part {
  code: number;
  metadata: number;
  readonly content: Uint8Array[];
}

export function sizesView(context: ElfContext, size: number): SizesView {
  const { file, cuda } = context;
  const views = sectionViews(context);
  const owner = (section: ElfSection, index: number): string | undefined => {
    const own = views[index]?.function;
    if (own !== undefined) return own;
    const isRelocation = relocationKind(file.header.machine, section.type) !== undefined;
    const target = isRelocation ? views[section.info] : undefined;
    if (target?.function !== undefined) return target.function;
    // The second copies of sm_100: `.nv.capmerc.text.F`, `.nv.merc.nv.info.F`.
    return /^\.nv\.(?:capmerc\.text|merc\.(?:rela?\.)?(?:text|nv\.info|nv\.shared))\.(.+)$/s.exec(section.name)?.[1];
  };
  const withCode = new Set(views.flatMap(({ group, function: name }) => (group === "code" && name ? [name] : [])));
  const functions = new Map<string, Part>();
  const others = new Map<SectionGroup, number>();
  let ofSections = 0;
  file.sections.forEach((section, index) => {
    const bytes = hasFileBytes(file.header.machine, section.type) ? section.data.length : 0;
    ofSections += bytes;
    const own = owner(section, index);
    const name = own !== undefined && withCode.has(own) ? own : undefined;
    const group = views[index]?.group ?? "other";
    if (name === undefined) return void others.set(group, (others.get(group) ?? 0) + bytes);
    const part = functions.get(name) ?? { code: 0, metadata: 0, content: [] };
    functions.set(name, part);
    if (group === "code") part.code += bytes;
    else part.metadata += bytes;
    if (group === "code" || group === "relocations") part.content.push(section.data);
  });
  const demangled = demangledNames(context, file);
  return {
    ...(cuda === undefined ? {} : { target: `sm_${cuda.sm}` }),
    total: size,
    functions: [...functions]
      .map(([name, { code, metadata, content }]) => ({
        name,
        ...namesOf(demangled.get(name)),
        code,
        metadata,
        contentKey: contentKey(content),
      }))
      .sort((a, b) => b.code + b.metadata - a.code - a.metadata),
    others: [
      ...[...others].filter(([, bytes]) => bytes > 0).map(([group, bytes]) => ({ group, bytes })),
      // Sections may overlap in a damaged file.
      { group: "headers" as const, bytes: Math.max(0, size - ofSections) },
    ].sort((a, b) => b.bytes - a.bytes),
  };
}

function namesOf(demangled: string | undefined): Pick<FunctionSize, "demangled" | "template"> {
  if (demangled === undefined) return {};
  const open = demangled.indexOf("<");
  return { demangled, ...(open <= 0 ? {} : { template: demangled.slice(0, open) }) };
}

function demangledNames(context: ElfContext, file: ElfFile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const table = context.tableFor(0);
  const count = file.sections[table] === undefined ? 0 : (context.symbols(table)?.count ?? 0);
  for (let i = 1; i < count; i++) {
    const { name, demangled } = context.symbol(table, i);
    if (demangled !== undefined) names.set(name, demangled);
  }
  return names;
}
