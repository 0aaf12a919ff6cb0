// C++ variables visible at an instruction: those of the blocks around it, of the function, and of its compilation unit.

import {
  AT,
  readRangeList,
  TAG,
  type DebugEntry,
  type DebugUnit,
  type RangeEnd,
} from "../../../formats/dwarf/index.js";
import type { LoadedFunction, Process } from "../../load/process.js";
import type { SectionReference } from "../../ptx/section-data.js";
import { attributeOf, createEntryFinder, entriesBelow, numberIn, sourceWord, type EntryFinder } from "./entries.js";
import { moduleDebug, type ModuleDebug } from "./sections.js";
import { createTypes, type SourceType, type TypeOf } from "./types.js";

/** A variable or parameter, with its location. */
export interface SourceVariable {
  readonly name: string;
  /** Line of the declaration; 0 if unknown. */
  readonly line: number;
  readonly type: SourceType;
  readonly isParameter: boolean;
  readonly entry: DebugEntry;
  readonly of: FunctionDebug;
}

/** A function's debug information. */
export interface FunctionDebug {
  readonly fn: LoadedFunction;
  readonly module: ModuleDebug;
  readonly unit: DebugUnit;
  readonly subprogram: DebugEntry;
  readonly entryAt: EntryFinder;
  readonly typeOf: TypeOf;
  /** The index of the instruction that follows a label in the function's code. */
  pcOf(label: string): number | undefined;
}

interface ModuleIndex {
  readonly module: ModuleDebug;
  readonly entryAt: EntryFinder;
  readonly types: ReadonlyMap<DebugUnit, TypeOf>;
  /** Subprograms by the label at which their code begins. */
  readonly subprograms: ReadonlyMap<string, { readonly unit: DebugUnit; readonly entry: DebugEntry }>;
}

const indices = new WeakMap<ModuleDebug, ModuleIndex>();
const functions = new WeakMap<LoadedFunction, FunctionDebug | null>();

/** A function's debug information; undefined if its variables have none. */
export function functionDebug({ image }: Process, fn: LoadedFunction): FunctionDebug | undefined {
  let found = functions.get(fn);
  if (found === undefined) functions.set(fn, (found = findDebug(image, fn) ?? null));
  return found ?? undefined;
}

function findDebug(image: Process["image"], fn: LoadedFunction): FunctionDebug | undefined {
  const module = moduleDebug(image, fn.symbol.origin.module);
  if (module === undefined) return undefined;
  let index = indices.get(module);
  if (index === undefined) indices.set(module, (index = indexOf(module)));
  const { entryAt, subprograms, types } = index;
  for (const { name } of fn.code.labels) {
    const found = subprograms.get(name);
    if (found === undefined) continue;
    const { unit, entry: subprogram } = found;
    const labels = new Map(fn.code.labels.map((each) => [each.name, each.target]));
    return { fn, module, unit, subprogram, entryAt, typeOf: types.get(unit)!, pcOf: (label) => labels.get(label) };
  }
  return undefined;
}

function indexOf(module: ModuleDebug): ModuleIndex {
  const entryAt = createEntryFinder(module.units);
  const subprograms = new Map<string, { readonly unit: DebugUnit; readonly entry: DebugEntry }>();
  for (const unit of module.units)
    for (const entry of entriesBelow(unit.root)) {
      const label = entry.tag === TAG.subprogram ? labelAt(module, entry, AT.lowPc)?.name : undefined;
      if (label !== undefined) subprograms.set(label, { unit, entry });
    }
  const types = new Map(module.units.map((unit) => [unit, createTypes(entryAt, unit.addressBytes)]));
  return { module, entryAt, types, subprograms };
}

const labelAt = ({ info }: ModuleDebug, entry: DebugEntry, name: number): SectionReference | undefined => {
  const at = entry.attributes.get(name)?.at;
  return at === undefined ? undefined : info.references.get(at);
};

// ------------------------------------------------------------------------------------------------------------ variables

/** Variables visible at an instruction: inner blocks first, each block in the order of its declarations. */
export function variablesAt(of: FunctionDebug, pc: number): readonly SourceVariable[] {
  const blocks = [of.subprogram];
  for (let block: DebugEntry | undefined = of.subprogram; block !== undefined;) {
    block = block.children.find((child) => isBlock(child) && covers(of, child, pc));
    if (block !== undefined) blocks.unshift(block);
  }
  return blocks.flatMap((block) => variablesIn(of, block));
}

/** Variables of the function's unit, in all namespaces. */
export function unitVariables(of: FunctionDebug): readonly SourceVariable[] {
  const inside = (entry: DebugEntry): readonly SourceVariable[] => [
    ...variablesIn(of, entry).filter(({ entry: { attributes } }) => attributes.has(AT.location)),
    ...entry.children.filter(({ tag }) => tag === TAG.namespace).flatMap(inside),
  ];
  return inside(of.unit.root);
}

function variablesIn(of: FunctionDebug, block: DebugEntry): readonly SourceVariable[] {
  return block.children.flatMap((entry): readonly SourceVariable[] => {
    const isParameter = entry.tag === TAG.formalParameter;
    if (!isParameter && entry.tag !== TAG.variable) return [];
    const name = attributeOf(entry, AT.name, of.entryAt)?.content;
    if (typeof name !== "string" || name === "") return [];
    const line = attributeOf(entry, AT.declLine, of.entryAt)?.content;
    return [
      {
        name: sourceWord(name),
        line: Number(typeof line === "bigint" ? line : 0),
        type: of.typeOf(entry),
        isParameter,
        entry,
        of,
      },
    ];
  });
}

const isBlock = ({ tag }: DebugEntry): boolean => tag === TAG.lexicalBlock || tag === TAG.inlined;

/** Whether a block's code contains the instruction. A block without ranges is empty. */
function covers(of: FunctionDebug, block: DebugEntry, pc: number): boolean {
  const { module, unit } = of;
  const low = labelAt(module, block, AT.lowPc);
  if (low !== undefined) {
    const [begin, end] = [of.pcOf(low.name), of.pcOf(labelAt(module, block, AT.highPc)?.name ?? "")];
    return begin !== undefined && pc >= begin && (end === undefined || pc < end);
  }
  const offset = numberIn(block, AT.ranges);
  if (offset === undefined) return false;
  const { bytes, references } = module.ranges;
  const isLabel = (at: number): boolean => references.has(at);
  const ranges = readRangeList(bytes, { offset, addressBytes: unit.addressBytes, hasExpressions: false, isLabel });
  return ranges.ok && ranges.value.some(({ begin, end }) => isBetween(of, module.ranges, begin, end, pc));
}

/** Whether the instruction is between two labels of a list. */
export function isBetween(
  { pcOf }: FunctionDebug,
  { references }: ModuleDebug["ranges"],
  begin: RangeEnd,
  end: RangeEnd,
  pc: number,
): boolean {
  const [first, last] = [begin, end].map(({ at }) => pcOf(references.get(at)?.name ?? ""));
  return first !== undefined && last !== undefined && pc >= first && pc < last;
}
