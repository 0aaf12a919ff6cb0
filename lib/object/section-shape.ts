// Name, type and flags of an ELF section from its role: NVIDIA's for an object and for an image. docs/format.md, "Sections".

import { SECTIONS, type SectionFacts } from "../../formats/cuda/index.js";
import { assert } from "../base/assert.js";
import type { ObjectFile, SectionRole } from "./object.js";

/** The row of formats/cuda's section table for each role. */
const factsOf: Readonly<Record<SectionRole["kind"], string>> = {
  text: "text",
  global: "global",
  "global-init": "global-init",
  constant: "constant",
  "shared-module": "module-shared",
  shared: "shared",
  local: "module-local",
};

export interface SectionShape {
  readonly name: string;
  /** sh_type */
  readonly type: number;
  /** sh_flags */
  readonly flags: number;
  readonly entsize: number;
  readonly addralign: number;
}

const rows: ReadonlyMap<string, SectionFacts> = new Map(SECTIONS.map((row) => [row.role, row]));

/** The row of that name in the table. */
export function sectionFacts(role: string): SectionFacts {
  const facts = rows.get(role);
  assert(facts !== undefined, `formats/cuda has no section '${role}'`);
  return facts;
}

/** The shape of a section; `owner` is the function that a section of one function belongs to. */
export function sectionShape(row: string, type: ObjectFile["type"], owner?: string): SectionShape {
  const facts = sectionFacts(row);
  const sectionType = type === "relocatable" ? facts.object : (facts.image ?? facts.object);
  assert(sectionType !== undefined, `no section '${row}' in a ${type} file`);
  return {
    name: owner === undefined ? facts.name : `${facts.name}.${owner}`,
    type: sectionType,
    flags: facts.flags,
    entsize: facts.entsize,
    addralign: facts.addralign,
  };
}

/** The shape of one of an object's sections. */
export function roleShape(role: SectionRole, file: Pick<ObjectFile, "type" | "symbols">): SectionShape {
  return sectionShape(factsOf[role.kind], file.type, "symbol" in role ? file.symbols[role.symbol]!.name : undefined);
}
