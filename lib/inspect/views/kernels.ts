// The kernels and device functions of a cubin: each code symbol with the properties that the function's sections and the module's
// attributes have. Sections of a function are found by their sh_info (the code's section), not by name: static functions of two
// modules may share one.

import { EIATTR, knownSection, targetFacts } from "../../../formats/cuda/index.js";
import {
  ET,
  SHT_CUDA,
  STO_CUDA,
  STT,
  symbolBindingName,
  type ElfSection,
  type SymbolTable,
} from "../../../formats/elf/index.js";
import type { ElfContext } from "../context/elf-context.js";
import type { Extents, FunctionView, ParameterView } from "../context/function-view.js";
import { attributeSections, callGraphView, READ_COST, type AttributeSectionView, type AttributeView } from "./info.js";

export interface FunctionsView {
  readonly kernels: readonly FunctionView[];
  readonly functions: readonly FunctionView[];
}

/** MAXREG_COUNT of a function without .maxnreg. */
const NO_REGISTER_LIMIT = 0xff;

/** Properties of functions in a whole file, by symbol or by code section. */
interface ModuleFacts {
  readonly table: SymbolTable;
  /** Attributes of the module that apply to one symbol: attribute -> symbol -> value. */
  readonly bySymbol: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly attributesOf: ReadonlyMap<number, AttributeSectionView>;
  readonly sharedOf: ReadonlyMap<number, ElfSection>;
  /** Names of the functions that a symbol calls. */
  readonly callsOf: ReadonlyMap<number, readonly string[]>;
  /** Whether shared memory has been allocated, that is, the file is linked. */
  readonly isLinked: boolean;
  readonly reservedSharedBytes: number;
}

export function kernelsView(context: ElfContext): FunctionsView {
  const facts = moduleFacts(context);
  if (facts === undefined) return { kernels: [], functions: [] };
  const { table } = facts;
  const kernels: FunctionView[] = [];
  const functions: FunctionView[] = [];
  for (let i = 1; i < table.count; i++) {
    if (table.type(i) !== STT.FUNC || table.sectionIndex(i) === 0) continue;
    if (!context.budget.spend(800 + 2 * table.name(i).length)) break;
    const isKernel = (table.other(i) & STO_CUDA.ENTRY) !== 0;
    (isKernel ? kernels : functions).push(functionView(context, facts, i));
  }
  return { kernels, functions };
}

function moduleFacts(context: ElfContext): ModuleFacts | undefined {
  const { sections } = context.file;
  const table = context.symbols(context.tableFor(0));
  if (table === undefined) return undefined;
  const attributesOf = new Map<number, AttributeSectionView>();
  const bySymbol = new Map<number, Map<number, number>>();
  for (const view of attributeSections(context, READ_COST)) {
    const section = sections[view.section.index]!;
    if (section.type !== SHT_CUDA.INFO) continue;
    if (view.function !== undefined) attributesOf.set(section.info, view);
    else
      for (const { attribute, value } of view.attributes)
        if (value.kind === "symbol-value") {
          const values = bySymbol.get(attribute.rawValue) ?? new Map<number, number>();
          bySymbol.set(attribute.rawValue, values.set(value.symbol.index, value.value));
        }
  }
  const sharedOf = new Map<number, ElfSection>();
  for (const section of sections) {
    if (knownSection(section.name)?.facts.role === "shared") sharedOf.set(section.info, section);
  }
  const sm = context.cuda?.sm;
  // The linker adds the reserved shared memory.
  const isLinked = context.file.header.type !== ET.REL;
  const reservedSharedBytes = isLinked && sm !== undefined ? targetFacts(sm).reservedSharedBytes : 0;
  return { table, bySymbol, attributesOf, sharedOf, callsOf: callsBySymbol(context), isLinked, reservedSharedBytes };
}

function callsBySymbol(context: ElfContext): ReadonlyMap<number, readonly string[]> {
  const section = context.file.sections.find(({ type }) => type === SHT_CUDA.CALLGRAPH);
  const graph = section === undefined ? undefined : callGraphView(context, section);
  const calls = new Map<number, string[]>();
  for (const { caller, callee } of graph?.calls ?? []) {
    const names = calls.get(caller.index) ?? [];
    if (names.length === 0) calls.set(caller.index, names);
    names.push(callee.name);
  }
  return calls;
}

function functionView(context: ElfContext, facts: ModuleFacts, index: number): FunctionView {
  const { table, bySymbol, attributesOf, sharedOf, callsOf, isLinked, reservedSharedBytes } = facts;
  const code = table.sectionIndex(index);
  const attributes = attributesOf.get(code)?.attributes ?? [];
  const moduleFact = (key: string, attribute: number): object => {
    const value = bySymbol.get(attribute)?.get(index);
    return value === undefined ? {} : { [key]: value };
  };
  const isKernel = (table.other(index) & STO_CUDA.ENTRY) !== 0;
  const sharedBytes = sharedOf.get(code)?.size ?? (isLinked && isKernel ? 0 : undefined);
  const maxRegisters = numberOf(attributes, EIATTR.MAXREG_COUNT);
  const registersInSection = context.file.sections[code]!.info >>> 24;
  const { name, demangled } = context.symbol(table.section.index, index);
  return {
    name,
    ...(demangled === undefined ? {} : { demangled }),
    linkage: symbolBindingName(table.binding(index))?.slice("STB_".length).toLowerCase() ?? "unknown",
    codeBytes: table.size(index),
    ...(registersInSection === 0 || context.ours ? {} : { registers: registersInSection }),
    ...moduleFact("registers", EIATTR.REGCOUNT),
    ...(maxRegisters === undefined || maxRegisters === NO_REGISTER_LIMIT ? {} : { maxRegisters }),
    ...moduleFact("frameBytes", EIATTR.FRAME_SIZE),
    ...moduleFact("minStackBytes", EIATTR.MIN_STACK_SIZE),
    ...moduleFact("maxStackBytes", EIATTR.MAX_STACK_SIZE),
    ...keyed("sharedBytes", sharedBytes),
    ...((sharedBytes ?? 0) < reservedSharedBytes || reservedSharedBytes === 0 ? {} : { reservedSharedBytes }),
    ...keyed("barriers", numberOf(attributes, EIATTR.NUM_BARRIERS)),
    ...parameterFacts(attributes),
    ...extentsOf("maxThreads", attributes, EIATTR.MAX_THREADS),
    ...extentsOf("requiredThreads", attributes, EIATTR.REQNTID),
    ...extentsOf("clusterBlocks", attributes, EIATTR.CTA_PER_CLUSTER),
    ...keyed("maxClusterRank", numberOf(attributes, EIATTR.MAX_CLUSTER_RANK)),
    calls: [...new Set(callsOf.get(index))],
    externs: attributes.flatMap(({ attribute, value }) =>
      attribute.rawValue === EIATTR.EXTERNS && value.kind === "symbols"
        ? value.symbols.map((symbol) => symbol.name)
        : [],
    ),
  };
}

const keyed = (key: string, value: number | undefined): object => (value === undefined ? {} : { [key]: value });

function numberOf(attributes: readonly AttributeView[], attribute: number): number | undefined {
  const value = attributes.find((view) => view.attribute.rawValue === attribute)?.value;
  return value?.kind === "number" ? value.value : undefined;
}

function extentsOf(key: string, attributes: readonly AttributeView[], attribute: number): object {
  const value = attributes.find((view) => view.attribute.rawValue === attribute)?.value;
  return value?.kind === "dimensions" ? { [key]: [value.x, value.y, value.z] satisfies Extents } : {};
}

function parameterFacts(
  attributes: readonly AttributeView[],
): Pick<FunctionView, "parameters" | "parameterBase" | "parameterBytes"> {
  const parameters = attributes.flatMap(({ value }): readonly ParameterView[] => {
    if (value.kind !== "parameter") return [];
    const { ordinal, offset, size, pointer } = value;
    return [{ ordinal, offset, size, ...(pointer === undefined ? {} : { pointer }) }];
  });
  const bank = attributes.find(({ value }) => value.kind === "parameter-bank")?.value;
  return {
    ...(bank?.kind === "parameter-bank" ? { parameterBase: bank.offset, parameterBytes: bank.size } : {}),
    parameters: parameters.sort((a, b) => a.ordinal - b.ordinal),
  };
}
