// Debug sections as text, in pieces. In most sections each directive has one byte, and a file has millions of them. Others have
// all of a section's bytes in one directive, which may be longer than the longest string.

import { integerAt, partsOfPart, SECTION_TYPES, sectionBytes, visitSection } from "./section-data.js";
import type { SectionPart, SectionReference } from "./section-data.js";
import type { SectionDirective } from "./tree.js";

/** Directives before PTX ISA 2.0, by log2 of the bytes. */
const DWARF_WORDS = [".byte", ".2byte", ".4byte", ".8byte"] as const;

/** The text of the section in pieces, in the form in which it was written; without the last line end. */
export const printSection = ({ name, legacy, part }: SectionDirective): Iterable<string> =>
  printParts(name, legacy === true, [part]);

/** The text of a section of several parts, each created after the previous one was written. */
export function* printParts(
  name: string,
  isLegacy: boolean,
  parts: Iterable<SectionPart>,
): Generator<string, void, undefined> {
  const head = isLegacy ? `@@DWARF .section ${name}, "", @progbits` : `.section ${name} {\n`;
  yield head;
  for (const part of parts)
    for (const few of partsOfPart(part, ROWS)) {
      const pieces: string[] = [];
      printRows(few, head, isLegacy, (piece) => void pieces.push(piece));
      yield* pieces;
    }
  if (!isLegacy) yield "}";
}

/** Number of rows whose text is created at once. */
const ROWS = 256;

/** Number of words and numbers that are joined to one piece of text. */
const WORDS = 1024;

/** Texts of single bytes, each in a directive, as in most sections. */
const BYTES = Array.from({ length: 256 }, (_, byte) => `\t.b8 ${byte}\n`);

/** `head`: the beginning of the section. */
function printRows(part: SectionPart, head: string, isLegacy: boolean, write: (text: string) => void): void {
  const bytes = sectionBytes(part);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = SECTION_TYPES.map((type, i) => (isLegacy ? `\n@@DWARF ${DWARF_WORDS[i]!} ` : `\t.${type} `));
  const end = isLegacy ? "" : "\n";
  let pending: string[] = [];
  const flush = (): void => {
    if (pending.length > 0) write(pending.join(""));
    pending = [];
  };
  visitSection(part, {
    section: () => void pending.push(isLegacy ? "\n" : "}\n", head),
    label: (label) => void (isLegacy ? pending.push("\n@@DWARF ", label, ":") : pending.push(label, ":\n")),
    reference: (reference, _, type) => void pending.push(words[type]!, printReference(reference), end),
    integers({ at, type, each, count, isSigned }) {
      const isBytes = type === 0 && each === 1 && !isSigned && !isLegacy;
      for (let i = 0, next = at; i < count; i++) {
        if (pending.length >= WORDS) flush();
        if (isBytes) {
          pending.push(BYTES[bytes[next++]!]!);
          continue;
        }
        for (let j = 0; j < each; j++, next += 1 << type) {
          if (pending.length >= WORDS) flush();
          pending.push(j === 0 ? words[type]! : ", ", String(integerAt(view, next, type, isSigned)));
        }
        pending.push(end);
      }
    },
  });
  flush();
}

function printReference({ name, minus, offset }: SectionReference): string {
  if (minus !== undefined) return `${name}-${minus}`;
  return offset === undefined ? name : `${name}+${offset}`;
}
