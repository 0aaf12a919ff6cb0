// The summary that an inspection without views shows: the kind of file, its producer, and counts of its contents.

import {
  EM,
  machineName,
  SHF,
  SHN,
  STB,
  STO_CUDA,
  STT,
  type ElfSection,
  SHT,
  isSymbolTable,
  relocationKind,
} from "../../../formats/elf/index.js";
import { isDriverFunction } from "../../isa/driver-functions.table.js";
import { versionText } from "../../isa/requirement.js";
import { isDynamicShared } from "../../link/model/contributions.js";
import type { ObjectFile, ObjectSymbol } from "../../object/object.js";
import { knownSection } from "../../../formats/cuda/index.js";
import type { ElfContext } from "../context/elf-context.js";
import { targetView } from "./header.js";
import { allNotes } from "./info.js";
import { purposeOf } from "./sections.js";
import { named, type Named } from "../context/values.js";

/** Sizes of code and variables in bytes. */
export interface MemorySizes {
  readonly code: number;
  /** Global variables with and without initial values. */
  readonly initialised: number;
  readonly uninitialised: number;
  readonly constant: number;
  /** Shared memory: of the module before linking, or the maximum of all kernels. */
  readonly shared: number;
}

export interface SummaryView {
  /** For files that are not CUDA's. */
  readonly machine?: Named;
  readonly target?: string;
  /** CUDA toolkit, such as "13.0". */
  readonly toolkit?: string;
  /** The tools that made the file, the last one first. */
  readonly tools: readonly { readonly name: string; readonly version: string; readonly options: string }[];
  /** The PTX modules in a ptxkit file. */
  readonly modules?: readonly {
    readonly name: string;
    readonly version: string;
    readonly target: string;
    /** Address size in bits; absent if it is 64 or equal to that of the other modules. */
    readonly addressBits?: 32;
  }[];
  readonly counts: {
    readonly sections: number;
    readonly symbols: number;
    readonly relocations: number;
    readonly segments: number;
  };
  /** For CUDA files. */
  readonly memory?: MemorySizes;
  /** Aliases of variables in an object, each with its target: `b = a+8`. */
  readonly aliases?: readonly string[];
  /** Names that other modules must define. */
  readonly undefined: readonly string[];
  /** Names that no module must define: functions of the driver, and shared memory that a launch sizes. */
  readonly provided: { readonly driver: readonly string[]; readonly dynamicShared: readonly string[] };
  /** Sections of host files that contain device code. */
  readonly embedded: readonly { readonly section: string; readonly size: number; readonly note?: string }[];
}

export function summaryView(context: ElfContext, object: ObjectFile | undefined): SummaryView {
  const { file, cuda } = context;
  const { machine } = file.header;
  const notes = machine === EM.CUDA ? allNotes(context) : [];
  // ptxkit's files name the toolkit whose container format they follow; it did not make them.
  const toolkit = context.ours ? undefined : notes.find((note) => note.kind === "cuda");
  const target = object?.target.name ?? (cuda === undefined ? undefined : targetView(cuda).target);
  return {
    ...(machine === EM.CUDA ? {} : { machine: named(machineName(machine), machine) }),
    ...(target === undefined ? {} : { target }),
    ...(toolkit === undefined ? {} : { toolkit: `${Math.floor(toolkit.toolkit / 10)}.${toolkit.toolkit % 10}` }),
    tools: notes.flatMap((note) =>
      note.kind === "toolkit" ? [{ name: note.tool, version: note.toolVersion, options: note.options }] : [],
    ),
    ...(object === undefined
      ? {}
      : {
          modules: object.modules.map(({ name, version, target, addressSize }) => ({
            ...(addressSize === 32 ? { addressBits: addressSize } : {}),
            name,
            version: versionText(version),
            target: target.name,
          })),
        }),
    counts: {
      sections: file.sections.length,
      symbols: records(file.sections, ({ type }) => isSymbolTable(machine, type)),
      relocations: records(file.sections, ({ type }) => relocationKind(machine, type) !== undefined),
      segments: file.segments.length,
    },
    ...(machine === EM.CUDA ? { memory: memorySizes(file.sections) } : {}),
    ...aliasesOf(object),
    ...undefinedNames(context, object),
    embedded: file.sections.flatMap((section) => {
      const { group, note } = purposeOf(machine, section);
      return group !== "embedded" || section.size === 0
        ? []
        : [{ section: section.name, size: section.size, ...(note === undefined ? {} : { note }) }];
    }),
  };
}

function records(sections: readonly ElfSection[], isTable: (section: ElfSection) => boolean): number {
  return sections
    .filter(isTable)
    .reduce((sum, { data, entsize }) => sum + (entsize === 0 ? 0 : Math.floor(data.length / entsize)), 0);
}

function memorySizes(sections: readonly ElfSection[]): MemorySizes {
  const sizes = (...roles: readonly string[]): readonly number[] =>
    sections.flatMap(({ name, size, flags }) => {
      const role = knownSection(name)?.facts.role ?? "";
      return roles.includes(role) && (flags & SHF.CUDA_MERC) === 0 ? [size] : [];
    });
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    code: sum(sizes("text")),
    initialised: sum(sizes("global-init")),
    uninitialised: sum(sizes("global")),
    constant: sum(sizes("constant")),
    shared: sizes("shared", "module-shared").reduce((most, size) => Math.max(most, size), 0),
  };
}

/** Prefix of names that the system defines, also for linked images. */
const SYSTEM_PREFIX = ".nv.";

function aliasesOf(object: ObjectFile | undefined): Pick<SummaryView, "aliases"> {
  const aliases = (object?.symbols ?? []).flatMap((symbol) => {
    if (symbol.kind !== "variable" || symbol.aliasOf === undefined) return [];
    const { base, offset } = symbol.aliasOf;
    return [`${symbol.name} = ${base}${offset === 0 ? "" : `+${offset}`}`];
  });
  return aliases.length === 0 ? {} : { aliases };
}

/** The undefined symbols that must be resolved. Weak ones need not be, and the link resolves aliases. */
function undefinedNames(
  context: ElfContext,
  object: ObjectFile | undefined,
): Pick<SummaryView, "undefined" | "provided"> {
  // Symbols of an image do not have a state space; ptxkit's declarations do.
  const dynamic = new Set(object?.symbols.filter(isDynamicShared).map(({ name }) => name));
  const isAlias = (symbol: ObjectSymbol): boolean => symbol.kind === "variable" && symbol.aliasOf !== undefined;
  const aliases = new Set(object?.symbols.filter(isAlias).map(({ name }) => name));
  const section = context.file.sections.find(({ type }) => type === SHT.SYMTAB);
  const table = section === undefined ? undefined : context.symbols(section.index);
  const names: string[] = [];
  const provided = { driver: [] as string[], dynamicShared: [] as string[] };
  for (let i = 1; table !== undefined && i < table.count; i++) {
    const isUndefined = table.sectionIndex(i) === 0 && table.special(i) === SHN.UNDEF;
    if (!isUndefined || table.binding(i) !== STB.GLOBAL || table.type(i) === STT.FILE) continue;
    const name = table.name(i);
    if (name.startsWith(SYSTEM_PREFIX) || aliases.has(name)) continue;
    if (!context.budget.spend(20 + name.length)) break;
    const type = table.type(i);
    const isDynamic = dynamic.has(name) || ((table.other(i) & STO_CUDA.SHARED) !== 0 && table.size(i) === 0);
    if (type === STT.FUNC && isDriverFunction(name)) provided.driver.push(name);
    else if (isDynamic) provided.dynamicShared.push(name);
    else names.push(name);
  }
  return { undefined: names, provided };
}
