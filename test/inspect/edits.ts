// Helpers for edits of a file, for files that break verify's rules.

import type { ElfSection } from "../../formats/elf/index.js";
import { inspected } from "./recorded.js";

export type Edit = (view: DataView, section: (name: string) => ElfSection, bytes: Uint8Array) => void;

/** ELF symbol with that name. */
export function symbolNamed(bytes: Uint8Array, name: string): number {
  const { symbols } = inspected(bytes, ["symbols"]);
  const { index } = symbols![0]!.symbols.find((symbol) => symbol.name === name)!;
  return index;
}

export const add32 = (view: DataView, at: number, value: number): void =>
  view.setUint32(at, view.getUint32(at, true) + value, true);
export const symbolPlace = (bytes: Uint8Array, section: (name: string) => ElfSection, name: string): number =>
  section(".symtab").offset + 24 * symbolNamed(bytes, name);
