// What two images must have in common, read from ELF files by one reader whoever wrote them: module-scope data byte for
// byte, relocations that are left for the loader, shared memory of each kernel. Sorted, so that equal facts are equal JSON.

import { decodeInfo, EIATTR, readInfo } from "../../formats/cuda/index.js";
import { attributeFacts, callFacts, type AttributeFact, type CallFact } from "./attribute-facts.js";
import { STO_CUDA } from "../../formats/elf/constants.table.js";
import { readElf, relocationsOf, symbolsOf, type ElfFile, type ElfSymbol } from "../../formats/elf/index.js";

export interface ImageFacts {
  /** Name, size, alignment, and bytes where there are any. */
  readonly sections: readonly (readonly [name: string, size: number, align: number, hex?: string])[];
  /** Section, offset, size and name of each variable outside shared memory; that of a function's own without decoration. */
  readonly variables: readonly (readonly [section: string, offset: number, size: number, name: string])[];
  /** Offset and size of each variable in shared memory, with its name; that of a function's own without decoration. */
  readonly shared: readonly (readonly [offset: number, size: number, name: string])[];
  /** Relocations of data: section, offset, type, symbol, addend. */
  readonly relocations: readonly (readonly [
    section: string,
    offset: number,
    type: number,
    symbol: string,
    addend: number,
  ])[];
  /** What PTX determines of what a kernel reaches: its name, the attribute's number, a number or the undefined functions. */
  readonly reached: readonly (readonly [kernel: string, attribute: number, value: number | string])[];
  /** What else `.nv.info` says that PTX determines. */
  readonly attributes: readonly AttributeFact[];
  readonly calls: readonly CallFact[];
}

/** Without the numbers that a function-scope variable's name has behind it; `$1` and the like are those of inner blocks. */
export const plainName = (name: string): string => name.replace(/^\$__(.*)__\d+(?:\$\d+)?$/, "$1");

const STT_OBJECT = 1;
const STT_FUNC = 2;
const STT_CUDA_OBJECT = 13;
const dataSections: ReadonlySet<string> = new Set([".nv.global", ".nv.global.init", ".nv.constant3"]);
const isSharedOfKernel = (name: string): boolean => name.startsWith(".nv.shared.") && !name.includes("reserved");

/** `reserved`: bytes of each kernel's shared memory that are the system's; nvlink also has sections of nothing else. */
export function factsOf(bytes: Uint8Array, reserved = 0): ImageFacts {
  const file = unwrap(readElf(bytes));
  const nameOf = (section: number): string => file.sections[section]?.name ?? "";
  const table = unwrap(
    symbolsOf(
      file,
      file.sections.find(({ name }) => name === ".symtab")!,
    ),
  );
  const all = Array.from({ length: table.count }, (_, i) => table.at(i));
  const symbols = all.filter(
    ({ type, name, sectionIndex }) =>
      (type === STT_OBJECT || type === STT_CUDA_OBJECT) && sectionIndex !== 0 && !/^_(param|SREG)/.test(name),
  );
  return {
    sections: sorted(
      file.sections
        .filter(({ name, size }) => dataSections.has(name) || (isSharedOfKernel(name) && size > reserved))
        .map(({ name, size, addralign, data }) =>
          data.length === 0 || isSharedOfKernel(name)
            ? ([name, Number(size), Number(addralign)] as const)
            : ([name, Number(size), Number(addralign), Buffer.from(data).toString("hex")] as const),
        ),
    ),
    variables: sorted(
      symbols
        .filter(({ sectionIndex }) => dataSections.has(nameOf(sectionIndex)))
        .map(({ name, sectionIndex, value, size }) => [nameOf(sectionIndex), value, size, plainName(name)] as const),
    ),
    shared: sorted(
      symbols
        // Dynamic memory has no size, and no place that is its own.
        .filter(({ sectionIndex, size }) => size > 0 && nameOf(sectionIndex).includes("shared"))
        .map(({ name, value, size }) => [value, size, plainName(name)] as const),
    ),
    relocations: sorted(
      dataRelocations(file, (i) => {
        // A function that has several names goes by that of its section.
        const { name, type, sectionIndex } = table.at(i);
        return type === STT_FUNC && sectionIndex !== 0 ? nameOf(sectionIndex).replace(".text.", "") : name;
      }),
    ),
    reached: sorted(reachedByKernels(file, all)),
    attributes: sorted(attributeFacts(file, all)),
    calls: sorted(callFacts(file, all)),
  };
}

/** A stack that no size is enough for. */
const ENDLESS = 0xffff_ffff;

function reachedByKernels(file: ElfFile, symbols: readonly ElfSymbol[]): ImageFacts["reached"] {
  const kernels = new Set(
    symbols.flatMap(({ name, other }) => ((other & STO_CUDA.ENTRY) !== 0 ? [`.nv.info.${name}`] : [])),
  );
  return file.sections
    .filter(({ name }) => name === ".nv.info" || kernels.has(name))
    .flatMap(({ name: section, data }) =>
      unwrap(readInfo(data)).flatMap((entry): ImageFacts["reached"] => {
        const { attribute, payload: bytes } = entry;
        const { payload } = decodeInfo(entry);
        const kernel = section.slice(".nv.info.".length);
        if (attribute === EIATTR.CTAIDZ_USED) return [[kernel, attribute, 1]];
        if (attribute === EIATTR.NUM_BARRIERS) return [[kernel, attribute, bytes[0]!]];
        if (attribute === EIATTR.EXTERNS && payload.kind === "symbols")
          return payload.symbols
            .map((symbol) => symbols[symbol]!)
            .flatMap(({ name, sectionIndex }) => (sectionIndex === 0 ? [[kernel, attribute, name] as const] : []));
        if (attribute === EIATTR.MIN_STACK_SIZE && payload.kind === "symbol-value" && payload.value === ENDLESS)
          return [[symbols[payload.symbol]!.name, attribute, ENDLESS]];
        return [];
      }),
    );
}

function dataRelocations(file: ElfFile, nameOf: (symbol: number) => string): ImageFacts["relocations"] {
  return file.sections
    .filter(({ name, info }) => /^\.rela?\./.test(name) && dataSections.has(file.sections[info]!.name))
    .flatMap((section) => {
      const table = unwrap(relocationsOf(file, section));
      const target = file.sections[section.info]!.name;
      return Array.from({ length: table.count }, (_, i) => table.at(i)).map(
        ({ offset, type, symbol, addend }) => [target, offset, type, nameOf(symbol), addend] as const,
      );
    });
}

function unwrap<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}

function sorted<T>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: JSON.stringify(item) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
