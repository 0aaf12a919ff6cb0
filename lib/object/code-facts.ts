// What files say of code for the sake of other tools: its indirect calls, the functions whose address it takes (lists 3 and
// 4 of `.nv.callgraph`), how many barriers it names and whether it reads %ctaid.z (`.nv.info.<f>`). docs/format.md,
// "Attributes, call graph, prototypes". Nothing of ours depends on them: what an image needs, its code and relocations say.

import { EIATTR, EIFMT, formatPrototype, parsePrototype, readInfo, type CallGraph } from "../../formats/cuda/index.js";
import { malformed, need } from "../../formats/bytes/malformed.js";
import { linkedStrings } from "../../formats/elf/file.js";
import { SHT_CUDA, type ElfFile, type ElfSection } from "../../formats/elf/index.js";
import type { Code } from "../isa/code.js";
import type { Instruction } from "../isa/instruction.js";
import type { CodeFacts } from "./object.js";
import { prototypeSignature } from "./signature.js";

/** Barriers that a block has: their number where code computes which one it means. */
const MOST_BARRIERS = 16;

/** The forms of bar and barrier that name a barrier of the block, and the operand that does. */
const barrierOperand: ReadonlyMap<string, number> = new Map(
  ["bar", "barrier"].flatMap((name) => [
    [`${name}.sync`, 0],
    [`${name}.arrive`, 0],
    [`${name}.red.popc`, 1],
    [`${name}.red`, 1],
  ]),
);

/** Of one function; undefined when there is nothing to say. `addressUses` are the functions whose address it takes. */
export function codeFacts(
  code: Pick<Code, "instructions" | "prototypes">,
  symbol: number,
  addressUses: readonly number[],
): CodeFacts | undefined {
  const indirectCalls: string[] = [];
  let barriers = 0;
  let readsBlockZ = false;
  for (const instruction of code.instructions) {
    const { opcode, operands } = instruction;
    const at = barrierOperand.get(opcode.form.id);
    if (at !== undefined) barriers = Math.max(barriers, barriersOf(instruction, at));
    for (const operand of operands) {
      if (operand?.kind === "table" && operand.table === "prototypes")
        indirectCalls.push(formatPrototype(prototypeSignature(code.prototypes[operand.index]!.prototype)));
      else if (operand?.kind === "special" && (operand.name === "ctaid.z" || operand.name === "ctaid"))
        readsBlockZ = true;
    }
  }
  const facts = { symbol, indirectCalls, addressUses, barriers, readsBlockZ };
  return isSilent(facts) ? undefined : facts;
}

function isSilent({ indirectCalls, addressUses, barriers, readsBlockZ }: CodeFacts): boolean {
  return barriers === 0 && !readsBlockZ && indirectCalls.length === 0 && addressUses.length === 0;
}

/** In the order in which a file keeps them. */
export function inSymbolOrder(facts: readonly CodeFacts[]): readonly CodeFacts[] {
  return facts.toSorted((a, b) => a.symbol - b.symbol);
}

function barriersOf({ operands }: Instruction, at: number): number {
  const barrier = operands[at];
  return barrier?.kind === "immediate" ? Math.min(Number(barrier.bits) + 1, MOST_BARRIERS) : MOST_BARRIERS;
}

/** The same facts under other numbers; functions that are -1 there are gone. `ownerOf`: whose the code is from now on. */
export function renumbered(
  facts: readonly CodeFacts[],
  numberOf: (symbol: number) => number,
  ownerOf = numberOf,
): readonly CodeFacts[] {
  return facts.flatMap((each) => {
    const symbol = ownerOf(each.symbol);
    if (symbol === -1) return [];
    const moved = { ...each, symbol, addressUses: each.addressUses.map(numberOf).filter((target) => target !== -1) };
    return isSilent(moved) ? [] : [moved];
  });
}

/**
 * A kernel has the barriers of all that it may call, as nvlink counts them: what it calls by name, takes the address of, and,
 * where it calls through a register, every function whose address is taken. Linear: each function is settled once, those
 * with the most barriers first.
 */
export function withReachedBarriers(
  facts: readonly CodeFacts[],
  kernels: readonly number[],
  calls: readonly { readonly caller: number; readonly callee: number }[],
  addressTaken: readonly number[],
): readonly CodeFacts[] {
  if (facts.every(({ barriers }) => barriers === 0)) return inSymbolOrder(facts);
  const callers = new Map<number, number[]>();
  const add = (caller: number, callee: number): void => {
    const list = callers.get(callee);
    if (list === undefined) callers.set(callee, [caller]);
    else list.push(caller);
  };
  for (const { caller, callee } of calls) add(caller, callee);
  const anywhere = -1;
  for (const target of addressTaken) add(anywhere, target);
  for (const { symbol, addressUses, indirectCalls } of facts) {
    for (const target of addressUses) add(symbol, target);
    if (indirectCalls.length > 0) add(symbol, anywhere);
  }
  const reached = new Map<number, number>();
  for (const { symbol, barriers } of facts.filter((f) => f.barriers > 0).sort((a, b) => b.barriers - a.barriers)) {
    if (reached.has(symbol)) continue;
    reached.set(symbol, barriers);
    const open = [symbol];
    for (const at of open)
      for (const caller of callers.get(at) ?? [])
        if (!reached.has(caller)) {
          reached.set(caller, barriers);
          open.push(caller);
        }
  }
  const known = new Map(facts.map((each) => [each.symbol, each]));
  for (const symbol of kernels) {
    const barriers = reached.get(symbol);
    if (barriers === undefined) continue;
    const own = known.get(symbol) ?? { symbol, indirectCalls: [], addressUses: [], readsBlockZ: false };
    known.set(symbol, { ...own, barriers });
  }
  return inSymbolOrder([...known.values()]);
}

// -------------------------------------------------------------------------------------------------------------- reading

interface Draft {
  readonly symbol: number;
  readonly indirectCalls: string[];
  readonly addressUses: number[];
  barriers: number;
  readsBlockZ: boolean;
}

/** What a file says; `functionAt` checks an ELF symbol, `ownerOf` gives the function of a section of text. */
export function readCodeFacts(
  file: ElfFile,
  graph: { readonly section: ElfSection; readonly lists: CallGraph },
  functionAt: (elf: number, at: number) => number,
  ownerOf: (elfSection: number) => number | undefined,
): readonly CodeFacts[] {
  const { section, lists } = graph;
  const found = new Map<number, Draft>();
  const of = (symbol: number): Draft => {
    const known = found.get(symbol);
    if (known !== undefined) return known;
    const made: Draft = { symbol, indirectCalls: [], addressUses: [], barriers: 0, readsBlockZ: false };
    found.set(symbol, made);
    return made;
  };
  const prototypeAt = lists.indirectCalls.length === 0 ? () => "" : prototypeReader(file, section);
  for (const { caller, prototype } of lists.indirectCalls)
    of(functionAt(caller, section.offset)).indirectCalls.push(prototypeAt(prototype));
  for (const { user, target } of lists.addressUses)
    of(functionAt(user, section.offset)).addressUses.push(functionAt(target, section.offset));
  for (const { type, info, data, offset } of file.sections) {
    if (type !== SHT_CUDA.INFO) continue;
    const owner = ownerOf(info);
    if (owner === undefined) continue;
    for (const { attribute, format, payload } of need(readInfo(data, offset))) {
      if (attribute === EIATTR.NUM_BARRIERS && format === EIFMT.BVAL) of(owner).barriers = payload[0]!;
      if (attribute === EIATTR.CTAIDZ_USED) of(owner).readsBlockZ = true;
    }
  }
  return inSymbolOrder([...found.values()]);
}

/** Each string once: those of an honest file do not overlap, so that together they are no longer than their table. */
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
