// Finds the section and offset of a symbol in ptxkit's files: from its symbol table entry, checked against the section.

import { malformed } from "../../../formats/bytes/malformed.js";
import { SHN, SYMBOL_SIZE, type ElfSection, type SymbolTable } from "../../../formats/elf/index.js";
import type { VariableSpace } from "../../check/module.js";
import type { SectionNote } from "./read-declarations.js";
import type { KernelInfo, ObjectSymbol, Placement, SectionRole } from "../object.js";

const UNDEFINED: Placement = { kind: "undefined" };
const COMMON: Placement = { kind: "common" };

/**
 * Inside a decoder. `sectionOf`: the object's section for each ELF section; `hasOffset`: whether the symbol's value is an offset.
 */
export function placementOf(
  table: SymbolTable,
  elf: number,
  sectionOf: ReadonlyMap<number, number>,
  hasOffset: boolean,
  symtab: ElfSection,
): Placement {
  if (table.special(elf) === SHN.COMMON) return COMMON;
  const index = table.sectionIndex(elf);
  if (index === 0) return UNDEFINED;
  const section =
    sectionOf.get(index) ??
    malformed("malformed", symtab.offset + SYMBOL_SIZE * elf, `symbol ${elf}: section ${index} is not of the object`);
  return { kind: "section", section, offset: hasOffset ? table.value(elf) : 0 };
}

/**
 * The roles of sections that contain variables of each state space. Banks of constants other than these are in sections of
 * constants, too.
 */
const homes: { readonly [Space in VariableSpace]?: readonly SectionRole["kind"][] } = {
  global: ["global", "global-init"],
  shared: ["shared", "shared-module"],
  local: ["local"],
  reg: ["local"],
};
const CONSTANTS: readonly SectionRole["kind"][] = ["constant"];
const CODE: readonly SectionRole["kind"][] = ["text"];

/**
 * Inside a decoder: checks a placed symbol against its section, one of `sections`, whose declarations are `notes`. Alignments in
 * shared memory are relative to the start of the program's memory, `sharedStart`. `at`: offset of the record.
 */
export function checkPlace(
  symbol: ObjectSymbol,
  hasOffset: boolean,
  sections: readonly ElfSection[],
  notes: readonly SectionNote[],
  sharedStart: number,
  at: number,
): void {
  const { placement } = symbol;
  if (placement.kind !== "section") return;
  const section = sections[placement.section]!;
  if (symbol.kind === "reference") malformed("malformed", at, `${symbol.name} is a reference with a place`);
  const home = symbol.kind === "function" ? CODE : (homes[symbol.space] ?? CONSTANTS);
  if (!home.includes(notes[placement.section]!.role.kind))
    malformed(
      "malformed",
      at,
      `${symbol.name} is in section ${section.index} (${section.name}), which holds other kinds`,
    );
  if (symbol.kind === "function") {
    if (placement.offset !== 0) malformed("malformed", at, `${symbol.name} does not begin at its section`);
    return;
  }
  const { align, size, type } = symbol.layout;
  const hasBytes = section.data.length > 0 && type.bits >= 8 && size > 0;
  if (symbol.initialised && !hasBytes) malformed("malformed", at, `${symbol.name} has an initial value without bytes`);
  if (section.addralign < align)
    malformed("malformed", at, `${symbol.name}, aligned to ${align}, is in a section aligned to ${section.addralign}`);
  if (!hasOffset) return;
  const start = symbol.space === "shared" ? sharedStart : 0;
  if ((placement.offset - start) % align !== 0)
    malformed("malformed", at, `${symbol.name} is at ${placement.offset}, not aligned to ${align}`);
  if (placement.offset + size > section.size)
    malformed(
      "out-of-range",
      at,
      `${symbol.name}: ${size} bytes at ${placement.offset} of a section of ${section.size}`,
    );
}

/**
 * Checks a kernel's shared memory. In an image it is the size of its section, `size` bytes, with dynamic memory after it; in an
 * object both are 0.
 */
export function checkShared(
  name: string,
  { sharedBytes, dynamicSharedOffset }: Pick<KernelInfo, "sharedBytes" | "dynamicSharedOffset">,
  size: number | undefined,
  at: number,
): void {
  if (sharedBytes === (size ?? 0) && (size === undefined ? dynamicSharedOffset === 0 : dynamicSharedOffset >= size))
    return;
  malformed(
    "malformed",
    at,
    `kernel '${name}' has ${sharedBytes} bytes of shared memory, and dynamic memory from ${dynamicSharedOffset}: its section has ${size ?? 0} bytes`,
  );
}
