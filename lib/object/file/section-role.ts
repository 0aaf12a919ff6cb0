// Checks the role of an object's section against its ELF section. Inside a decoder.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { ElfSection } from "../../../formats/elf/index.js";
import type { ObjectFile } from "../object.js";
import { roleShape } from "../section-shape.js";
import type { SectionNote } from "./read-declarations.js";

/**
 * Checks that a section, number `index` of the object, looks like its role; otherwise other tools and ptxkit would read two
 * different files.
 */
export function checkRole(
  section: ElfSection,
  note: SectionNote,
  index: number,
  object: Pick<ObjectFile, "type" | "symbols">,
): void {
  const { role } = note;
  const at = section.headerOffset;
  if ("symbol" in role) {
    const owner = object.symbols[role.symbol]!;
    if (owner.kind !== "function")
      malformed("malformed", at, `${section.name} belongs to ${owner.name}, which is not a function`);
    const { placement } = owner;
    if (role.kind === "text" && (placement.kind !== "section" || placement.section !== index))
      malformed("malformed", at, `${section.name} belongs to ${owner.name}, which stands elsewhere`);
  }
  const expected = roleShape(role, object);
  if (role.kind === "text" && section.addralign !== expected.addralign)
    malformed("malformed", at, `${section.name} is aligned to ${section.addralign}, not ${expected.addralign}`);
  if (section.name !== expected.name || section.type !== expected.type)
    malformed(
      "malformed",
      at,
      `section ${section.index} is ${section.name} of type ${section.type}, not ${expected.name} of type ${expected.type}`,
    );
}
