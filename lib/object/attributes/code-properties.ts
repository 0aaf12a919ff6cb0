// Properties of code that files record for other tools: indirect calls, functions whose address it takes (lists 3 and 4 of
// `.nv.callgraph`), the number of barriers, whether it reads %ctaid.z or contains wmma instructions (`.nv.info.<f>`).
// docs/format.md, "Attributes, call graph, prototypes"; reached-properties.ts computes what kernels inherit. ptxkit itself does
// not need them: images are made from code and relocations.

import {
  EIATTR,
  EIFMT,
  formatPrototype,
  parsePrototype,
  readInfo,
  targetFacts,
  type CallGraph,
} from "../../../formats/cuda/index.js";
import { malformed, need } from "../../../formats/bytes/malformed.js";
import { linkedStrings } from "../../../formats/elf/file.js";
import { SHF, SHT_CUDA, type ElfFile, type ElfSection } from "../../../formats/elf/index.js";
import type { Code } from "../../isa/code.js";
import type { Form } from "../../isa/form.js";
import type { Instruction } from "../../isa/instruction.js";
import type { CodeProperties } from "../object.js";
import { sectionShape } from "../section-shape.js";
import { prototypeSignature } from "./signature.js";

/** Barriers of a block: also the recorded number if code computes which barrier it uses. */
const MAX_BARRIERS = 16;

/** Whether instructions of a form have recorded properties, regardless of their operands. */
export const formHasProperties = ({ traits }: Form): boolean => traits.has("barrier") || traits.has("notes-matrices");

/** Whether a function that reads a special register has a property to record. */
export const registerHasProperties = (name: string): boolean => name === "ctaid.z" || name === "ctaid";

/** The properties of a function without anything to record. */
export const NO_CODE_PROPERTIES: Omit<CodeProperties, "symbol"> = {
  indirectCalls: [],
  addressUses: [],
  barriers: 0,
  readsBlockZ: false,
  usesMatrices: false,
  isRecursive: false,
};

/**
 * The properties of one function; undefined if there is nothing to record. `addressUses`: the functions whose address it takes.
 */
export function codeProperties(
  code: Pick<Code, "instructions" | "prototypes">,
  symbol: number,
  addressUses: readonly number[],
): CodeProperties | undefined {
  const indirectCalls: string[] = [];
  let barriers = 0;
  let readsBlockZ = false;
  let usesMatrices = false;
  for (const instruction of code.instructions) {
    const { opcode, operands } = instruction;
    const { traits } = opcode.form;
    if (traits.has("barrier")) barriers = Math.max(barriers, barriersOf(instruction));
    if (traits.has("notes-matrices")) usesMatrices = true;
    for (const operand of operands) {
      if (operand?.kind === "table" && operand.table === "prototypes")
        indirectCalls.push(formatPrototype(prototypeSignature(code.prototypes[operand.index]!.prototype)));
      else if (operand?.kind === "special" && registerHasProperties(operand.name)) readsBlockZ = true;
    }
  }
  const facts = {
    symbol,
    indirectCalls,
    addressUses,
    barriers,
    readsBlockZ,
    usesMatrices,
    isRecursive: false,
  };
  return isSilent(facts) ? undefined : facts;
}

function isSilent(facts: CodeProperties): boolean {
  const { indirectCalls, addressUses, barriers } = facts;
  const isFlagged = facts.readsBlockZ || facts.usesMatrices || facts.isRecursive;
  return barriers === 0 && !isFlagged && indirectCalls.length === 0 && addressUses.length === 0;
}

/** Sorts properties in the order in which a file stores them. */
export function inSymbolOrder(facts: readonly CodeProperties[]): readonly CodeProperties[] {
  return facts.toSorted((a, b) => a.symbol - b.symbol);
}

/** The properties that files for an SM number record. */
export function forTarget(facts: readonly CodeProperties[], sm: number): readonly CodeProperties[] {
  if (targetFacts(sm).marksBlockZ) return facts;
  return facts.flatMap((each) => {
    if (!each.readsBlockZ) return [each];
    const silent = { ...each, readsBlockZ: false };
    return isSilent(silent) ? [] : [silent];
  });
}

function barriersOf({ opcode, operands }: Instruction): number {
  const barrier = operands[opcode.form.operands.findIndex(({ name }) => name === "a")];
  return barrier?.kind === "immediate" ? Math.min(Number(barrier.bits) + 1, MAX_BARRIERS) : MAX_BARRIERS;
}

/** The same properties with renumbered symbols; functions numbered -1 are removed. `ownerOf`: the new owner of the code. */
export function renumbered(
  facts: readonly CodeProperties[],
  numberOf: (symbol: number) => number,
  ownerOf = numberOf,
): readonly CodeProperties[] {
  return facts.flatMap((each) => {
    const symbol = ownerOf(each.symbol);
    if (symbol === -1) return [];
    const moved = { ...each, symbol, addressUses: each.addressUses.map(numberOf).filter((target) => target !== -1) };
    return isSilent(moved) ? [] : [moved];
  });
}

// -------------------------------------------------------------------------------------------------------------- reading

interface Draft {
  readonly symbol: number;
  readonly indirectCalls: string[];
  readonly addressUses: number[];
  barriers: number;
  readsBlockZ: boolean;
  usesMatrices: boolean;
  isRecursive: boolean;
}

/** Reads a file's properties. `functionAt` checks an ELF symbol; `ownerOf` gives the function of a text section. */
export function readCodeProperties(
  file: ElfFile,
  graph: { readonly section: ElfSection; readonly lists: CallGraph },
  functionAt: (elf: number, at: number) => number,
  ownerOf: (elfSection: number) => number | undefined,
): readonly CodeProperties[] {
  const { section, lists } = graph;
  const found = new Map<number, Draft>();
  const of = (symbol: number): Draft => {
    const known = found.get(symbol);
    if (known !== undefined) return known;
    const made: Draft = { ...NO_CODE_PROPERTIES, symbol, indirectCalls: [], addressUses: [] };
    found.set(symbol, made);
    return made;
  };
  const prototypeAt = lists.indirectCalls.length === 0 ? () => "" : prototypeReader(file, section);
  for (const { caller, prototype } of lists.indirectCalls)
    of(functionAt(caller, section.offset)).indirectCalls.push(prototypeAt(prototype));
  for (const { user, target } of lists.addressUses)
    of(functionAt(user, section.offset)).addressUses.push(functionAt(target, section.offset));
  const told = new Set<number>();
  for (const each of file.sections) {
    const { data, offset } = each;
    if (!isInfo(each)) continue;
    const owner = ownerOfInfo(each, ownerOf);
    if (owner === undefined) continue;
    if (told.has(owner)) refuse(each, "are the second ones of a function");
    told.add(owner);
    for (const { attribute, format, payload } of need(readInfo(data, offset))) {
      if (attribute === EIATTR.NUM_BARRIERS && format === EIFMT.BVAL) of(owner).barriers = payload[0]!;
      if (attribute === EIATTR.CTAIDZ_USED) of(owner).readsBlockZ = true;
      if (attribute === EIATTR.WMMA_USED) of(owner).usesMatrices = true;
      if (attribute === EIATTR.CRS_STACK_SIZE) of(owner).isRecursive = true;
    }
  }
  return inSymbolOrder([...found.values()]);
}

/** Whether a section contains attributes; its type and its name must agree. */
function isInfo(section: ElfSection): boolean {
  const isCalledSo = section.name.startsWith(INFO_NAME);
  const { type } = section;
  if (isCalledSo && type !== SHT_CUDA.INFO) refuse(section, `are of type ${type}, not ${SHT_CUDA.INFO}`);
  return type === SHT_CUDA.INFO;
}

const INFO_NAME = sectionShape("info", "relocatable").name;

/** The function to which attributes belong; undefined for those of the module. */
function ownerOfInfo(section: ElfSection, ownerOf: (elfSection: number) => number | undefined): number | undefined {
  const { info, flags } = section;
  const isOwned = (flags & SHF.INFO_LINK) !== 0;
  if (isOwned) return ownerOf(info) ?? refuse(section, `are of section ${info}, which is not a function's code`);
  return info === 0 ? undefined : refuse(section, `are the module's, and of section ${info}`);
}

const refuse = ({ index, name, headerOffset }: ElfSection, what: string): never =>
  malformed("malformed", headerOffset, `attributes in section ${index}, ${name}, ${what}`);

/** Reads prototype strings, each once. In a valid file they do not overlap, so together they are no longer than their table. */
function prototypeReader(file: ElfFile, section: ElfSection): (offset: number) => string {
  const strings = linkedStrings(file, file.sections[section.link] ?? section);
  const known = new Map<number, string>();
  let left = strings.bytes.length;
  return (offset) => {
    const seen = known.get(offset);
    if (seen !== undefined) return seen;
    left -= strings.lengthAt(offset) ?? 0;
    const text = left < 0 ? undefined : strings.at(offset);
    if (text === undefined)
      malformed("out-of-range", section.offset, `call graph: no prototype at ${offset} of the string table`);
    need(parsePrototype(text, section.offset));
    known.set(offset, text);
    return text;
  };
}
