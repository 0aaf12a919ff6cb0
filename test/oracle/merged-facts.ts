// What `ptxas` of a merged module and `ptxas -c` with `nvlink` of its parts must have in common: kernels with their
// parameters, and each variable's bytes and references, wherever it stands. Static symbols may have a number behind their
// name; offsets and sections differ, because ptxas sorts the variables of a module and nvlink puts modules in a row.

import { readElf, relocationsOf, symbolsOf, type ElfFile } from "../../formats/elf/index.js";
import { decodeInfo, R_CUDA, readInfo } from "../../formats/cuda/index.js";
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
  /** Hold an offset in the constant bank, which linkers resolve: of these variables, or of a place beside them. */
  readonly bank: ReadonlyMap<string, ReadonlySet<string>>;
  /** Hold a function's address: whole-program ptxas puts an index of its own there. */
  readonly functions: ReadonlySet<string>;
}

export function wordsOf(objects: readonly ObjectFile[]): Words {
  const [bank, functions] = [new Map<string, Set<string>>(), new Set<string>()];
  for (const { symbols, sections } of objects)
    for (const symbol of symbols) {
      if (symbol.kind !== "variable" || symbol.placement.kind !== "section") continue;
      const { section, offset } = symbol.placement;
      for (const r of sections[section]!.relocations) {
        if (r.offset < offset || r.offset >= offset + symbol.layout.size) continue;
        const target = symbols[r.symbol]!;
        const holder = holderOf(symbol.linkage === "static", symbol.space, withoutNumber(symbol), symbol.layout.size);
        const place = `${holder}+${r.offset - offset}`;
        if (target.kind === "function") functions.add(place);
        else if (r.type === R_CUDA["64"] && target.kind === "variable" && target.space === "const")
          bank.set(
            place,
            (bank.get(place) ?? new Set()).add(pointeeOf(target.linkage === "static", withoutNumber(target))),
          );
      }
    }
  return { bank, functions };
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
    binding === STB_LOCAL ? name.replace(/_\d+$/, "") : name;
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
    const inBank = [...Array(Math.floor((end - start) / 8)).keys()].flatMap((word) => {
      const at = 8 * word;
      const targets = words.bank.get(`${holder}+${at}`);
      if (targets === undefined || inside.some((r) => r.offset === start + at)) return [];
      const offset = Number(Buffer.from(data).readBigUInt64LE(at));
      data.fill(0, at, at + 8);
      // Of static variables of one name, the one that it is nearest to.
      const [pointee] = symbols
        .filter(
          (s) =>
            targets.has(pointeeOf(s.binding === STB_LOCAL, called(s))) && spaces[nameOf(s.sectionIndex)] === "const",
        )
        .map((s) => ({ name: called(s), from: offset - Number(s.value) }))
        .sort((a, b) => Math.abs(a.from) - Math.abs(b.from));
      return [`+${at}:${pointee === undefined ? offset : `${pointee.name}/${pointee.from}`}`];
    });
    if (!functions) for (let at = 0; at + 8 <= end - start; at += 8) if (isFunction(at)) data.fill(0, at, at + 8);
    const to = inside
      .filter(({ offset }) => functions || !isFunction(offset - start))
      .map(({ offset, text }) => `+${offset - start}:${text}`)
      .concat(inBank)
      .sort();
    return [[space, called(symbol), size, Buffer.from(data).toString("hex"), ...to].join(" ")];
  });
  return { kernels: kernels.sort(), variables: variables.sort() };
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

interface Reference {
  readonly section: number;
  readonly offset: number;
  readonly width: number;
  readonly text: string;
}

/** A relocation writes eight bytes, or one byte of an address. Where the address is a bank's offset, it is none of ours. */
function referencesIn(file: ElfFile, nameOf: (symbol: number) => string): readonly Reference[] {
  return file.sections
    .filter(({ name, info }) => /^\.rela?\./.test(name) && spaces[file.sections[info]?.name ?? ""] !== undefined)
    .flatMap((section) => {
      const table = unwrap(relocationsOf(file, section));
      return Array.from({ length: table.count }, (_, i) => table.at(i)).map(({ offset, type, symbol, addend }) => ({
        section: section.info,
        offset,
        width: type >= 76 && type <= 111 ? 1 : 8,
        text: `${nameOf(symbol)}/${addend}`,
      }));
    });
}

function unwrap<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}
