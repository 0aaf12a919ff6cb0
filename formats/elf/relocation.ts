// Relocation tables (System V ABI, "Relocation"; Elf64_Rel, 16 bytes, and Elf64_Rela, 24 bytes), read into columns. r_info is
// symbol << 32 | type (MIPS, which splits it otherwise, is not supported). Cubins before sm_90 store zero addends in REL records
// and others in RELA, so one target section may have both.
import { decoding, malformed } from "../bytes/malformed.js";
import type { Result } from "../bytes/result.js";
import { EM, SHT, SHT_CUDA } from "./constants.table.js";
import type { ElfFile, ElfSection } from "./file.js";
import { isSymbolTable, SYMBOL_SIZE } from "./symbol.js";

/** Bytes of a record without and with addend. */
const REL_SIZE = 16;
const RELA_SIZE = 24;

export interface ElfRelocation {
  readonly index: number;
  /** Where to patch: bytes from the start of the target section; above 2^53, the nearest double */
  readonly offset: number;
  readonly type: number;
  /** Index in the symbol table that sh_link names */
  readonly symbol: number;
  /** 0 for REL. The nearest double outside ±2^53; `addend64` is exact. */
  readonly addend: number;
}

export interface RelocationTable {
  readonly section: ElfSection;
  readonly kind: "rel" | "rela";
  readonly count: number;
  offset(index: number): number;
  /** The offset, exact */
  offset64(index: number): bigint;
  type(index: number): number;
  symbol(index: number): number;
  addend(index: number): number;
  /** The addend as the signed 64-bit integer in the file, 0n for REL */
  addend64(index: number): bigint;
  /** All fields of one relocation. */
  at(index: number): ElfRelocation;
}

const CUDA_RELA: ReadonlySet<number> = new Set([
  SHT_CUDA.RESOLVED_RELA,
  SHT_CUDA.MERC_RELA,
  SHT_CUDA.MERC_RESOLVED_RELA,
]);

/** Whether a section contains relocations, and their kind of record. */
export function relocationKind(machine: number, type: number): "rel" | "rela" | undefined {
  if (type === SHT.REL) return "rel";
  if (type === SHT.RELA) return "rela";
  return machine === EM.CUDA && CUDA_RELA.has(type) ? "rela" : undefined;
}

/** Reads the relocations in `section`. Checks that every symbol index is valid; offsets and types are as in the file. */
export function relocationsOf(file: ElfFile, section: ElfSection): Result<RelocationTable> {
  return decoding(() => {
    const what = `section ${section.index} (${section.name})`;
    const kind = relocationKind(file.header.machine, section.type);
    if (kind === undefined) malformed("malformed", section.headerOffset, `${what} holds no relocations`);
    const stride = kind === "rel" ? REL_SIZE : RELA_SIZE;
    const { data } = section;
    if (section.entsize !== stride || data.length % stride !== 0)
      malformed(
        "malformed",
        section.headerOffset + 56,
        `${what}: ${data.length} bytes of ${section.entsize}-byte entries are not relocations of ${stride}`,
      );
    const count = data.length / stride;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const symbolCount = linkedSymbolCount(file, section);
    for (let i = 0; i < count; i++) {
      const symbol = view.getUint32(i * stride + 12, true);
      if (symbol !== 0 && symbol >= symbolCount)
        malformed("out-of-range", section.offset + i * stride + 12, `${what}, record ${i}: no symbol ${symbol}`);
    }
    return table(section, kind, view, count, stride);
  });
}

function linkedSymbolCount(file: ElfFile, section: ElfSection): number {
  const symbols = file.sections[section.link];
  if (symbols === undefined || !isSymbolTable(file.header.machine, symbols.type)) return 0;
  return Math.floor(symbols.data.length / SYMBOL_SIZE);
}

/** The records are fixed-size words, so columns are computed from a view on the file; nothing is copied. */
function table(
  section: ElfSection,
  kind: "rel" | "rela",
  view: DataView,
  count: number,
  stride: number,
): RelocationTable {
  const offset = (i: number) => view.getUint32(i * stride, true) + view.getUint32(i * stride + 4, true) * 2 ** 32;
  const type = (i: number) => view.getUint32(i * stride + 8, true);
  const symbol = (i: number) => view.getUint32(i * stride + 12, true);
  const addend =
    kind === "rel"
      ? () => 0
      : (i: number) => view.getUint32(i * stride + 16, true) + view.getInt32(i * stride + 20, true) * 2 ** 32;
  return {
    section,
    kind,
    count,
    offset,
    offset64: (i) => view.getBigUint64(i * stride, true),
    type,
    symbol,
    addend,
    addend64: (i) => (kind === "rel" ? 0n : view.getBigInt64(i * stride + 16, true)),
    at: (i) => ({ index: i, offset: offset(i), type: type(i), symbol: symbol(i), addend: addend(i) }),
  };
}
