// The bytes of sections, selected by number or by name.

import { present } from "../../../formats/bytes/sparse.js";
import { hasFileBytes } from "../../../formats/elf/index.js";
import type { ElfContext } from "../context/elf-context.js";

export interface HexView {
  readonly section: { readonly index: number; readonly name: string };
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Size in bytes; `hex` is shorter if it exceeds what one inspection shows. */
  readonly size: number;
  readonly hex: string;
}

/** `wanted`: section numbers or names; a name selects all sections that have it. */
export function hexViews(context: ElfContext, wanted: readonly string[]): readonly HexView[] {
  return context.file.sections.flatMap((section, index): readonly HexView[] => {
    const { name, offset, data } = section;
    if (!wanted.includes(name) && !wanted.includes(`${index}`)) return [];
    if (index === 0 || !hasFileBytes(context.file.header.machine, section.type))
      return [{ section: { index, name }, offset, size: 0, hex: "" }];
    const shown = context.budget.spend(2 * data.length) ? present(data) : new Uint8Array();
    return [{ section: { index, name }, offset, size: data.length, hex: hexOf(shown) }];
  });
}

/** The bytes as two digits each. */
export function hexOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += digits[byte]!;
  return text;
}

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
