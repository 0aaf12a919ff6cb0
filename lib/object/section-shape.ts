// Name, type and flags of an ELF section from its role: NVIDIA's for an object and for an image. docs/format.md, "Sections".

import { SECTIONS } from "../../formats/cuda/index.js";
import { InternalError } from "../base/assert.js";
import type { Series } from "../base/series.js";
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

function shapesOf(file: ObjectFile["type"]): ReadonlyMap<string, SectionShape> {
  const shapes = new Map<string, SectionShape>();
  for (const { role, name, object, image, flags, entsize, addralign } of SECTIONS) {
    const type = file === "relocatable" ? object : (image ?? object);
    if (type !== undefined) shapes.set(role, { name, type, flags, entsize, addralign });
  }
  return shapes;
}

const shapes = { relocatable: shapesOf("relocatable"), executable: shapesOf("executable") } as const;

/** The shape of a section; `owner`: the function, for a section per function. */
export function sectionShape(row: string, file: ObjectFile["type"], owner?: string): SectionShape {
  const shape = shapes[file].get(row);
  if (shape === undefined) throw new InternalError(`no section '${row}' in a ${file} file`);
  if (owner === undefined) return shape;
  const { name, type, flags, entsize, addralign } = shape;
  return { name: `${name}.${owner}`, type, flags, entsize, addralign };
}

interface NamedFile extends Pick<ObjectFile, "type"> {
  readonly symbols: Series<{ readonly name: string }>;
}

/** The shape of one of an object's sections. */
export function roleShape(role: SectionRole, file: NamedFile): SectionShape {
  const isOwned = role.kind === "text" || role.kind === "shared";
  return sectionShape(factsOf[role.kind], file.type, isOwned ? file.symbols.at(role.symbol)!.name : undefined);
}
