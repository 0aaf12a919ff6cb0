// The resources of each kernel and device function of a cubin, as ptxas -v and cuobjdump -res-usage count them. They come from
// the attributes and the sections of the function: constant bank N is `.nv.constantN.F`, local memory of the old ABI
// `.nv.local.F`.

import { STT, type ElfSection } from "../../../formats/elf/index.js";
import type { ElfContext } from "../context/elf-context.js";
import type { FunctionView } from "../context/function-view.js";
import type { FunctionsView } from "./kernels.js";
import { relocationTableViews } from "./relocations.js";

export interface ConstantBytes {
  readonly bank: number;
  readonly bytes: number;
}

export interface FunctionResources {
  readonly name: string;
  readonly demangled?: string;
  readonly isKernel: boolean;
  /** Machine registers per thread; null if the file has no value. */
  readonly registers: number | null;
  readonly barriers: number;
  /** Bytes per thread: the deepest stack if it is known, otherwise the function's own frame. */
  readonly stackBytes: number;
  /** Bytes per block, without the reserved part. */
  readonly sharedBytes: number;
  /** Bytes per thread of local memory outside the stack. */
  readonly localBytes: number;
  readonly constants: readonly ConstantBytes[];
  /** References of the module that the function's code uses. */
  readonly textures: number;
  readonly surfaces: number;
  readonly samplers: number;
}

export interface ResourcesView {
  /** Bytes of `.global` variables, and of constants that no function owns. */
  readonly globalBytes: number;
  readonly constants: readonly ConstantBytes[];
  readonly functions: readonly FunctionResources[];
}

/** Code, and the constant bank from which it loads the handles of references. */
const OF_FUNCTION = /^\.(?:text|nv\.constant\d+)\.(.+)$/s;
const CONSTANT_BANK = /^\.nv\.constant(\d+)(?:\.|$)/;

export function resourcesView(context: ElfContext, { kernels, functions }: FunctionsView): ResourcesView {
  const { sections } = context.file;
  const ofFunction = sectionsByFunction(sections);
  const references = referencesByFunction(context);
  const resources = (view: FunctionView, isKernel: boolean): FunctionResources => {
    const own = ofFunction.get(view.name) ?? [];
    const used = references.get(view.name);
    return {
      name: view.name,
      ...(view.demangled === undefined ? {} : { demangled: view.demangled }),
      isKernel,
      registers: view.registers ?? null,
      barriers: view.barriers ?? 0,
      stackBytes: Math.max(view.minStackBytes ?? 0, view.frameBytes ?? 0),
      sharedBytes: (view.sharedBytes ?? 0) - (view.reservedSharedBytes ?? 0),
      localBytes: sizeOf(own.filter(({ name }) => name.startsWith(".nv.local."))),
      constants: constantsIn(own),
      textures: used?.get(STT.CUDA_TEXTURE)?.size ?? 0,
      surfaces: used?.get(STT.CUDA_SURFACE)?.size ?? 0,
      samplers: used?.get(STT.CUDA_SAMPLER)?.size ?? 0,
    };
  };
  return {
    globalBytes: sizeOf(sections.filter(({ name }) => name === ".nv.global" || name === ".nv.global.init")),
    constants: constantsIn(sections.filter(({ name }) => /^\.nv\.constant\d+$/.test(name))),
    functions: [
      ...kernels.map((view) => resources(view, true)),
      ...functions.filter(({ codeBytes }) => (codeBytes ?? 0) > 0).map((view) => resources(view, false)),
    ],
  };
}

/** Sections whose name ends in a function's, such as `.nv.constant0.F`. Static functions of one name share them in this view. */
function sectionsByFunction(sections: readonly ElfSection[]): ReadonlyMap<string, readonly ElfSection[]> {
  const found = new Map<string, ElfSection[]>();
  for (const section of sections) {
    const match = /^\.nv\.(?:constant\d+|local)\.(.+)$/s.exec(section.name);
    if (match === null) continue;
    const own = found.get(match[1]!) ?? [];
    if (own.length === 0) found.set(match[1]!, own);
    own.push(section);
  }
  return found;
}

/** Texture, surface and sampler references in relocations of a function: function -> symbol type -> indices. */
function referencesByFunction(context: ElfContext): ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<number>>> {
  const table = context.symbols(context.tableFor(0));
  const types = new Set<number>([STT.CUDA_TEXTURE, STT.CUDA_SURFACE, STT.CUDA_SAMPLER]);
  const found = new Map<string, Map<number, Set<number>>>();
  let hasReferences = false;
  for (let i = 1; table !== undefined && i < table.count && !hasReferences; i++)
    hasReferences = types.has(table.type(i));
  if (table === undefined || !hasReferences) return found;
  for (const { target, relocations } of relocationTableViews(context)) {
    const name = OF_FUNCTION.exec(target?.name ?? "")?.[1];
    if (name === undefined) continue;
    for (const { symbol } of relocations) {
      const type = symbol.index < table.count ? table.type(symbol.index) : STT.NOTYPE;
      if (!types.has(type)) continue;
      const byType = found.get(name) ?? new Map<number, Set<number>>();
      found.set(name, byType.set(type, (byType.get(type) ?? new Set()).add(symbol.index)));
    }
  }
  return found;
}

function constantsIn(sections: readonly ElfSection[]): readonly ConstantBytes[] {
  const banks = new Map<number, number>();
  for (const { name, size } of sections) {
    const bank = CONSTANT_BANK.exec(name)?.[1];
    if (bank !== undefined) banks.set(Number(bank), (banks.get(Number(bank)) ?? 0) + size);
  }
  return [...banks].map(([bank, bytes]) => ({ bank, bytes })).sort((a, b) => a.bank - b.bank);
}

const sizeOf = (sections: readonly ElfSection[]): number => sections.reduce((sum, { size }) => sum + size, 0);
