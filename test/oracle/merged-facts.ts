// What `ptxas` of a merged module and `ptxas -c` with `nvlink` of its parts must have in common: kernels with their
// parameters, and each variable's bytes and references, wherever it stands. Static symbols may have a number behind their
// name; offsets and sections differ, because ptxas sorts the variables of a module and nvlink puts modules in a row.

import { readElf, relocationsOf, symbolsOf, type ElfFile } from "../../formats/elf/index.js";
import { decodeInfo, R_CUDA, readInfo } from "../../formats/cuda/index.js";
import { LINKED_BYTE, WHOLE } from "../../lib/object/relocation-types.js";
import type { ObjectFile, ObjectSymbol } from "../../lib/object/object.js";

export interface MergedFacts {
  /** Name, and offset and size of each parameter. */
  readonly kernels: readonly string[];
  /** Space, name (of a static one without its number), size, bytes without references, references. */
  readonly variables: readonly string[];
}

const STB_LOCAL = 0;
const STT_OBJECT = 1;
const STT_FUNC = 2;
const STT_CUDA_OBJECT = 13;
const spaces: Readonly<Record<string, string>> = {
  ".nv.global": "global",
  ".nv.global.init": "global",
  ".nv.constant3": "const",
};
/** PARAM_CBANK's neighbour: one record for each parameter. */
const KPARAM_INFO = 0x17;

/** Places in initial values, each as its holder (linkage, space, name without number, size: statics share names) and bytes into it. */
export interface Words {
  /** Hold an offset in the constant bank, or a byte of one, which linkers resolve. Statics share names, and with them places. */
  readonly bank: ReadonlyMap<string, readonly BankWord[]>;
  /** How many variables there are of a holder. */
  readonly holders: ReadonlyMap<string, number>;
  /** Hold a function's address, or a byte of it, in so many bytes: whole-program ptxas puts an index of its own there. */
  readonly functions: ReadonlyMap<string, number>;
}

/** The offset of `pointee`, and `addend` bytes: all of it, or its byte of a number. */
interface BankWord {
  readonly pointee: string;
  readonly addend: bigint;
  readonly byte: number | undefined;
}

export function wordsOf(objects: readonly ObjectFile[]): Words {
  const [bank, functions] = [new Map<string, BankWord[]>(), new Map<string, number>()];
  const holders = new Map<string, number>();
  for (const { symbols, sections } of objects)
    for (const symbol of symbols) {
      if (symbol.kind !== "variable" || symbol.placement.kind !== "section") continue;
      const { section, offset } = symbol.placement;
      const holder = holderOf(symbol.linkage === "static", symbol.space, withoutNumber(symbol), symbol.layout.size);
      holders.set(holder, (holders.get(holder) ?? 0) + 1);
      for (const { type, addend, ...r } of sections[section]!.relocations) {
        if (r.offset < offset || r.offset >= offset + symbol.layout.size) continue;
        const target = symbols[r.symbol]!;
        const place = `${holder}+${r.offset - offset}`;
        const byte = LINKED_BYTE[type]!;
        const isByte = byte >= 0 && byte < WHOLE;
        if (target.kind === "function") functions.set(place, isByteOf(type) ? 1 : 8);
        else if (target.kind === "variable" && target.space === "const" && (isByte || type === R_CUDA["64"])) {
          const pointee = pointeeOf(target.linkage === "static", withoutNumber(target));
          const words = bank.get(place) ?? [];
          bank.set(place, words);
          words.push({ pointee, addend, byte: isByte ? byte : undefined });
        }
      }
    }
  return { bank, holders, functions };
}

const withoutNumber = ({ name, linkage }: ObjectSymbol): string =>
  linkage === "static" ? name.replace(/_\d+$/, "") : name;

const pointeeOf = (isStatic: boolean, name: string): string => (isStatic ? `static ${name}` : name);
const holderOf = (isStatic: boolean, space: string, name: string, size: number): string =>
  `${space} ${pointeeOf(isStatic, name)} ${size}`;

/** `functions: false` leaves out what function addresses are. */
export function mergedFactsOf(bytes: Uint8Array, words: Words, functions = true): MergedFacts {
  const file = unwrap(readElf(bytes));
  const table = unwrap(
    symbolsOf(
      file,
      file.sections.find(({ name }) => name === ".symtab")!,
    ),
  );
  const symbols = Array.from({ length: table.count }, (_, i) => table.at(i));
  const nameOf = (section: number): string => file.sections[section]?.name ?? "";
  const called = ({ name, binding }: (typeof symbols)[number]): string =>
    binding === STB_LOCAL ? name.replace(/_\d+(?:\$\d+)?$/, "") : name;
  const constants = symbols
    .filter(({ sectionIndex }) => spaces[nameOf(sectionIndex)] === "const")
    .map((symbol) => ({ name: pointeeOf(symbol.binding === STB_LOCAL, called(symbol)), offset: symbol.value }));
  const references = referencesIn(file, (i) => called(symbols[i]!));
  const kernels = symbols
    .filter(({ type, sectionIndex, other }) => type === STT_FUNC && sectionIndex !== 0 && (other & 0x10) !== 0)
    .map(({ name }) => `${name} ${parametersOf(file, name)}`);
  const variables = symbols.flatMap((symbol) => {
    const { type, sectionIndex, value, size } = symbol;
    const section = file.sections[sectionIndex];
    const space = spaces[nameOf(sectionIndex)];
    if ((type !== STT_OBJECT && type !== STT_CUDA_OBJECT) || section === undefined || space === undefined) return [];
    const [start, end] = [Number(value), Number(value) + Number(size)];
    const holder = holderOf(symbol.binding === STB_LOCAL, space, called(symbol), Number(size));
    const isFunction = (at: number): boolean => words.functions.has(`${holder}+${at}`);
    const inside = references.filter((r) => r.section === sectionIndex && r.offset >= start && r.offset < end);
    // A copy, and one of numbers alone: what is cut out of a Buffer is the file's own, and refuses what goes beyond it.
    const data = new Uint8Array(end - start);
    data.set(section.data.subarray(start, end));
    for (const { offset, width } of inside) data.fill(0, offset - start, offset - start + width);
    const inBank = [...Array(end - start).keys()].flatMap((at) => {
      if (inside.some((r) => r.offset === start + at)) return [];
      const all = words.bank.get(`${holder}+${at}`) ?? [];
      const held = all.find((word) => holds(data, at, word, constants));
      if (held === undefined) return [];
      data.fill(0, at, at + (held.byte === undefined ? 8 : 1));
      // What one of several has as a number may be an offset by chance.
      if (all.length < words.holders.get(holder)!) return [];
      return [`+${at}:${held.pointee}/${held.addend}${held.byte === undefined ? "" : ` byte ${held.byte}`}`];
    });
    if (!functions)
      for (let at = 0; at < end - start; at++) data.fill(0, at, at + (words.functions.get(`${holder}+${at}`) ?? 0));
    const to = inside
      .filter(({ offset }) => functions || !isFunction(offset - start))
      .map(({ offset, width, symbol: to, addend }) => {
        // In a holder of 32 bits NVIDIA's tools read four bytes of something else with the addend (docs/differences.md).
        const isNarrow = offset + width > end || inside.some((r) => r.offset > offset && r.offset < offset + width);
        return `+${offset - start}:${to}/${isNarrow ? BigInt.asIntN(32, BigInt(addend)) : addend}`;
      })
      .concat(inBank)
      .sort();
    return [[space, called(symbol), size, Buffer.from(data).toString("hex"), ...to].join(" ")];
  });
  return { kernels: kernels.sort(), variables: variables.sort() };
}

/** Whether the bytes are what the word is with any of the constants of its name. */
function holds(
  data: Uint8Array,
  at: number,
  { pointee, addend, byte }: BankWord,
  constants: readonly { readonly name: string; readonly offset: number }[],
): boolean {
  const width = byte === undefined ? 8 : 1;
  if (at + width > data.length) return false;
  const now = Buffer.from(data.subarray(at, at + width)).toString("hex");
  return constants.some(({ name, offset }) => {
    const address = Buffer.alloc(8);
    address.writeBigUInt64LE(BigInt.asUintN(64, BigInt(offset) + addend));
    return name === pointee && now === address.subarray(byte ?? 0, (byte ?? 0) + width).toString("hex");
  });
}

function parametersOf(file: ElfFile, kernel: string): string {
  const section = file.sections.find(({ name }) => name === `.nv.info.${kernel}`);
  if (section === undefined) return "";
  return unwrap(readInfo(section.data))
    .map(decodeInfo)
    .filter(({ attribute }) => attribute === KPARAM_INFO)
    .map(({ payload }) => (payload.kind === "parameter" ? `${payload.offset}:${payload.size}` : ""))
    .sort()
    .join(" ");
}

/** Whether a relocation writes one byte of an address; others write eight. */
const isByteOf = (type: number): boolean => type >= 76 && type <= 111;

interface Reference {
  readonly section: number;
  readonly offset: number;
  readonly width: number;
  readonly symbol: string;
  readonly addend: number;
}

/** Where the address is a bank's offset, it is none of ours. */
function referencesIn(file: ElfFile, nameOf: (symbol: number) => string): readonly Reference[] {
  return file.sections
    .filter(({ name, info }) => /^\.rela?\./.test(name) && spaces[file.sections[info]?.name ?? ""] !== undefined)
    .flatMap((section) => {
      const table = unwrap(relocationsOf(file, section));
      return Array.from({ length: table.count }, (_, i) => table.at(i)).map(({ offset, type, symbol, addend }) => ({
        section: section.info,
        offset,
        width: isByteOf(type) ? 1 : 8,
        symbol: nameOf(symbol),
        addend,
      }));
    });
}

function unwrap<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}
