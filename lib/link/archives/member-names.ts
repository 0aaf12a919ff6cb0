// The names that a member of an archive, or a file between --start-lib and --end-lib, would define. nvcc's archives are indexed
// by host symbols only, so the member itself is read: PTX's declarations, skipping functions' bodies (lib/ptx/outline.ts); the
// symbols of ptxkit's objects; the modules of fatbins that the link would extract. Errors are reported when the member is
// extracted, not before.

import { decodeObject } from "../../object/file/read.js";
import { createSink } from "../../diag/sink.js";
import type { Place } from "../../diag/diagnostic.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { type RelocObject, isLocal } from "../../object/object.js";
import { definedNames } from "../../nvvm/defined-names.js";
import { readModule } from "../../nvvm/compile-source.js";
import type { ReadingMemory } from "../../ptx/outline.js";
import { parseDeclarations } from "../../ptx/parse.js";
import type { Ranged, Source } from "../../ptx/source-text.js";
import { placeOf as placeInText } from "../../ptx/source.js";
import type { Linkage, ModuleItem, UnreadBody } from "../../ptx/tree.js";
import { chooseEntry, fatbinsToLink, mostExpanded, readEmbedded, readEntry } from "../inputs/embedded.js";
import type { EntryCache } from "../inputs/entry-cache.js";
import { isEmbedding, isModule, kindOf } from "../inputs/recognise.js";
import { rankOf, type Rank } from "../model/binding-rank.js";
import { compiledModules, linksInto } from "../model/targets.js";

/** One definition. */
export interface DefinedName {
  readonly name: string;
  /** Its binding rank; "static" if no other module sees it. */
  readonly claim: Exclude<Rank, "declared"> | "static";
  readonly isKernel: boolean;
  readonly place: () => Place;
}

/** The definitions of one module, and the architectures for which it was compiled. */
export interface ModuleNames {
  readonly targets: readonly Target[];
  readonly names: readonly DefinedName[];
  /** The ptxkit object, which need not be read again. */
  readonly object?: RelocObject;
}

/** Whether modules for all of these architectures can go into a link for `linkTarget`. */
export const isFor = (targets: readonly Target[], linkTarget: Target | undefined): boolean =>
  linkTarget === undefined || targets.every((target) => linksInto(target, linkTarget));

const nothing: ModuleNames = { targets: [], names: [] };

/** Memory that is reused for many members. */
export interface NamesMemory {
  /** Memory for parsing. If it is reused, places of earlier members are no longer valid. */
  readonly reading?: ReadingMemory;
  /** The decompressed entries of this member, cached for the code that extracts it. */
  readonly cache?: EntryCache | undefined;
}

/**
 * The definitions of each module that a link for `linkTarget` would extract from a member. Without a target, every module fits.
 */
export function namesForLink(
  source: Source,
  linkTarget: Target | undefined,
  { reading: memory, cache }: NamesMemory = {},
): readonly ModuleNames[] {
  const kind = kindOf(source);
  if (isModule(kind) || kind === "ptxkit") {
    const module = namesOf(source, memory);
    return isFor(module.targets, linkTarget) ? [module] : [];
  }
  if (!isEmbedding(kind)) return [];
  const expansion = { left: mostExpanded(source.bytes.length) };
  return fatbinsToLink(readEmbedded(source, kind).fatbins).flatMap((fatbin) => {
    const choice = chooseEntry(fatbin, linkTarget, expansion);
    if (choice.kind !== "chosen" || (expansion.left -= choice.entry.size) < 0) return [];
    const text = readEntry(choice.entry, cache);
    return text.ok ? [namesOf(text.value, memory)] : [];
  });
}

/** The definitions of a PTX module or of a ptxkit object. */
export function namesOf(source: Source, memory?: ReadingMemory): ModuleNames {
  const kind = kindOf(source);
  if (kind === "nvvm" || kind === "bitcode") return namesOfNvvm(source);
  if (kind === "ptx") return namesOfText(source, memory);
  const object = decodeObject(source.bytes, source.name);
  if (!object.ok || object.value.type === "executable") return nothing;
  const { symbols, modules } = object.value;
  const whole = object.value as RelocObject;
  return {
    object: whole,
    targets: compiledModules(whole).map(({ target }) => target),
    names: symbols.flatMap((symbol): readonly DefinedName[] => {
      const { name, linkage, kind, origin } = symbol;
      const claim = kind === "reference" && linkage !== "extern" ? "strong" : rankOf(symbol);
      if (claim === "declared") return [];
      const place = placeAt(modules[origin.module]?.name ?? source.name, origin.line);
      return [
        { name, claim: isLocal(symbol) ? "static" : claim, isKernel: kind === "function" && symbol.entry, place },
      ];
    }),
  };
}

/** A place that does not keep a symbol alive. */
const placeAt = (file: string, line: number) => (): Place => ({ kind: "line", file, line });

function namesOfText(source: Source, memory?: ReadingMemory): ModuleNames {
  const { items } = parseDeclarations(source, createSink(), memory);
  const placed = (at: Ranged) => (): Place => placeInText(source, at);
  // Store only the linkage of each function: places keep everything alive that this function references.
  const functions = new Map<string, Linkage | undefined>();
  for (const item of items) if (item.kind === "function") functions.set(item.name.text, item.linkage);
  return {
    targets: items.flatMap((item) => (item.kind === "target" ? targetsNamed(item) : [])),
    names: items.flatMap((item): readonly DefinedName[] => {
      switch (item.kind) {
        case "function":
          return item.body === undefined
            ? []
            : [{ ...claimed(item.name.text, item.linkage), isKernel: item.entry, place: placed(item.name) }];
        case "alias": {
          const { text } = item.alias;
          return [{ ...claimed(text, functions.get(text)), isKernel: false, place: placed(item.alias) }];
        }
        case "variable":
          return item.linkage === "extern"
            ? []
            : item.declarators.map(({ name }) => {
                return { ...claimed(name.text, item.linkage), isKernel: false, place: placed(name) };
              });
        default:
          return [];
      }
    }),
  };
}

/** The definitions of NVVM IR, which is compiled for any requested target. */
function namesOfNvvm(source: Source): ModuleNames {
  const module = readModule(source, createSink());
  if (module === undefined) return nothing;
  return {
    targets: [],
    names: definedNames(module).map(({ name, linkage, isKernel, at }) => ({
      ...claimed(name, linkage),
      isKernel,
      place: (): Place =>
        module.form === "text" ? placeInText(source, at) : { kind: "bytes", file: source.name, offset: at.start },
    })),
  };
}

const rankOfLinkage = { visible: "strong", weak: "weak", common: "common", extern: "strong", none: "static" } as const;

const claimed = (name: string, linkage: Linkage | undefined): Pick<DefinedName, "name" | "claim"> => {
  return { name, claim: rankOfLinkage[linkage ?? "none"] };
};

function targetsNamed({ names }: ModuleItem<UnreadBody> & { readonly kind: "target" }): readonly Target[] {
  return names.flatMap(({ text }) => parseTarget(text) ?? []);
}
