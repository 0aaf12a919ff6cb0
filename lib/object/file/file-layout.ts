// Checks the layout of a ptxkit file: sections follow each other, and variables do not overlap. Any other layout is damage: bytes
// would be read as other data, or variables would share them. docs/format.md, "File header", "Placement".

import { malformed } from "../../../formats/bytes/malformed.js";
import { MAX_FILE_ALIGNMENT, type ElfFile } from "../../../formats/elf/index.js";
import { hasFileBytes } from "../../../formats/elf/constants.table.js";
import { ELF_HEADER_SIZE } from "../../../formats/elf/header.js";
import type { ObjectSymbol, Placement, VariableSymbol } from "../object.js";
import { alignUp } from "../place.js";

/** Inside a decoder: checks that each section begins at the first aligned offset after the previous one. */
export function checkFileLayout({ header, sections }: ElfFile): void {
  let end = ELF_HEADER_SIZE;
  for (const { index, name, type, offset, size, addralign, headerOffset } of sections) {
    if (index === 0) continue;
    if (offset !== alignUp(end, Math.min(Math.max(1, addralign), MAX_FILE_ALIGNMENT)))
      malformed(
        "malformed",
        headerOffset + OFFSET_FIELD,
        `section ${index} (${name}), aligned to ${addralign}, is at ${offset}: the one before ends at ${end}`,
      );
    end = hasFileBytes(header.machine, type) ? offset + size : offset;
  }
}

const OFFSET_FIELD = 24;

/** Inside a decoder: checks that variables of a section do not overlap. `at`: file offset of the symbol table. */
export function checkOverlap(symbols: readonly ObjectSymbol[], at: number): void {
  const placed = symbols.filter(hasOwnBytes);
  placed.sort((a, b) => a.placement.section - b.placement.section || a.placement.offset - b.placement.offset);
  for (let i = 1; i < placed.length; i++) {
    const { name, placement, layout } = placed[i - 1]!;
    const next = placed[i]!;
    const { section, offset } = next.placement;
    if (section === placement.section && offset < placement.offset + layout.size)
      malformed(
        "malformed",
        at,
        `${next.name} at ${offset} overlaps ${name}, ${layout.size} bytes at ${placement.offset}`,
      );
  }
}

interface PlacedVariable extends VariableSymbol {
  readonly placement: Extract<Placement, { kind: "section" }>;
}

/**
 * Whether a variable has bytes of its own. Shared variables of an object do not, nor do those of one kernel relative to
 * another's.
 */
const hasOwnBytes = (symbol: ObjectSymbol): symbol is PlacedVariable =>
  symbol.kind === "variable" &&
  symbol.alias !== true &&
  symbol.space !== "shared" &&
  symbol.layout.size > 0 &&
  symbol.placement.kind === "section";
