// Debug sections as text, in pieces: one directive of most sections has a byte, and a file has millions; another has all of a
// section's bytes in one directive, which may be longer than a string can be.

import { integerAt, SECTION_TYPES, sectionBytes, visitSection, type SectionReference } from "./section-data.js";
import type { SectionDirective } from "./tree.js";

/** Before PTX ISA 2.0, by log2 of the bytes. */
const DWARF_WORDS = [".byte", ".2byte", ".4byte", ".8byte"] as const;

/** Hands the section's text to `write`, in the form in which it was written; without the last line's end. */
export function printSectionTo({ name, legacy, part }: SectionDirective, write: (text: string) => void): void {
  const isLegacy = legacy === true;
  const bytes = sectionBytes(part);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = SECTION_TYPES.map((type, i) => (isLegacy ? `\n@@DWARF ${DWARF_WORDS[i]!} ` : `\t.${type} `));
  const end = isLegacy ? "" : "\n";
  write(isLegacy ? `@@DWARF .section ${name}, "", @progbits` : `.section ${name} {\n`);
  visitSection(part, {
    label: (label) => write(isLegacy ? `\n@@DWARF ${label}:` : `${label}:\n`),
    reference: (reference, _, type) => write(`${words[type]!}${printReference(reference)}${end}`),
    integers({ at, type, each, count, isSigned }) {
      const word = words[type]!;
      let text = "";
      for (let i = 0, next = at; i < count; i++) {
        text += word;
        for (let j = 0; j < each; j++, next += 1 << type) {
          text += j === 0 ? integerAt(view, next, type, isSigned) : `, ${integerAt(view, next, type, isSigned)}`;
          if (text.length < PIECE) continue;
          write(text);
          text = "";
        }
        text += end;
      }
      write(text);
    },
  });
  if (!isLegacy) write("}");
}

/** Characters that are written at once. */
const PIECE = 4096;

function printReference({ name, minus, offset }: SectionReference): string {
  if (minus !== undefined) return `${name}-${minus}`;
  return offset === undefined ? name : `${name}+${offset}`;
}
