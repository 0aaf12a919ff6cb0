// The sections of cubins: names, types in an object (`ptxas -c`) and in an image (nvlink), flags.
// Each row seen in output of ptxas and nvlink 13.0.88. `image: undefined` means that the linker drops the section.
import { SHF, SHT, SHT_CUDA } from "../elf/constants.table.js";

export interface SectionFacts {
  /** The section's purpose. */
  readonly role: string;
  /** The whole name; for a section per function (`perFunction`), the part before ".NAME". */
  readonly name: string;
  readonly perFunction: boolean;
  /** sh_type in an object and in an image */
  readonly object: number | undefined;
  readonly image: number | undefined;
  /** sh_flags */
  readonly flags: number;
  /** sh_addralign in bytes; 0 if the contents determine it */
  readonly addralign: number;
  /** sh_entsize in bytes */
  readonly entsize: number;
  readonly doc: string;
}

const { PROGBITS, NOBITS, NOTE } = SHT;
const { WRITE, ALLOC, EXECINSTR, INFO_LINK } = SHF;

function row(
  role: string,
  name: string,
  types: readonly [number | undefined, number | undefined],
  flags: number,
  doc: string,
  extra: Partial<SectionFacts> = {},
): SectionFacts {
  const [object, image] = types;
  return { role, name, perFunction: false, object, image, flags, addralign: 0, entsize: 0, doc, ...extra };
}

const ofFunction = { perFunction: true } as const;

/** Names with a common prefix are ordered longest first, because the first matching row wins. */
export const SECTIONS: readonly SectionFacts[] = [
  row("text", ".text", [PROGBITS, PROGBITS], ALLOC | EXECINSTR, "Instructions of one function; sh_info = its symbol", {
    perFunction: true,
    addralign: 128,
  }),
  row("global-init", ".nv.global.init", [SHT_CUDA.GLOBAL_INIT, PROGBITS], WRITE | ALLOC, "Initialised .global"),
  row("global", ".nv.global", [SHT_CUDA.GLOBAL, NOBITS], WRITE | ALLOC, "Uninitialised .global, without file bytes"),
  row("constant", ".nv.constant3", [SHT_CUDA.CONSTANT_B3, PROGBITS], ALLOC, ".const variables (bank 3)"),
  row("address-pool", ".nv.constant4", [undefined, PROGBITS], ALLOC, "Addresses of globals, 8 bytes each (bank 4)"),
  row("parameters", ".nv.constant0", [SHT_CUDA.CONSTANT_B0, PROGBITS], ALLOC | INFO_LINK, "Parameters of one kernel", {
    perFunction: true,
    addralign: 4,
  }),
  row("module-shared", ".nv_debug.shared", [SHT_CUDA.SHARED, NOBITS], WRITE | ALLOC, "Module-scope .shared"),
  row(
    "reserved-shared",
    ".nv.shared.reserved.0",
    [SHT_CUDA.SHARED_RESERVED, SHT_CUDA.SHARED_RESERVED],
    0,
    "Shared memory that the system keeps, sm_90 and later",
  ),
  row("shared", ".nv.shared", [SHT_CUDA.SHARED, NOBITS], WRITE | ALLOC | INFO_LINK, "Shared memory of one kernel", {
    ...ofFunction,
  }),
  // ptxkit's own: ptxas puts a copy into the .nv.local of each kernel of a module without the calling convention.
  row("module-local", ".ptxkit.local", [NOBITS, NOBITS], 0, "Module-scope .local and .reg of PTX before 3.0, a thread"),
  row("info", ".nv.info", [SHT_CUDA.INFO, SHT_CUDA.INFO], 0, "Attributes of the module", { addralign: 4 }),
  row("function-info", ".nv.info", [SHT_CUDA.INFO, SHT_CUDA.INFO], INFO_LINK, "Attributes of one function", {
    perFunction: true,
    addralign: 4,
  }),
  row("callgraph", ".nv.callgraph", [SHT_CUDA.CALLGRAPH, SHT_CUDA.CALLGRAPH], 0, "Who calls whom", {
    addralign: 4,
    entsize: 8,
  }),
  row("prototype", ".nv.prototype", [SHT_CUDA.PROTOTYPE, SHT_CUDA.PROTOTYPE], 0, "Types of functions", {
    addralign: 4,
    entsize: 8,
  }),
  row("rel-action", ".nv.rel.action", [undefined, SHT_CUDA.RELOCINFO], 0, "16 constant bytes; meaning unknown", {
    addralign: 8,
    entsize: 8,
  }),
  row("compat", ".nv.compat", [SHT_CUDA.COMPAT, SHT_CUDA.COMPAT], 0, "Compatibility attributes, sm_90 and later", {
    addralign: 4,
  }),
  row("tkinfo", ".note.nv.tkinfo", [NOTE, NOTE], SHF.CUDA_TKINFO, "One note per tool run", { addralign: 4 }),
  row("cuinfo", ".note.nv.cuinfo", [NOTE, NOTE], SHF.CUDA_CUINFO, "Virtual SM and toolkit", { addralign: 4 }),
  row("frame", ".debug_frame", [PROGBITS, PROGBITS], 0, "Call frames; present even when empty", { addralign: 1 }),
];

export interface KnownSection {
  readonly facts: SectionFacts;
  /** The function that a section per function belongs to. */
  readonly functionName: string | undefined;
}

/** The kind of a section by its name; undefined for names that are not in the table. */
export function knownSection(name: string): KnownSection | undefined {
  for (const facts of SECTIONS) {
    if (!facts.perFunction && name === facts.name) return { facts, functionName: undefined };
    if (facts.perFunction && name.startsWith(`${facts.name}.`))
      return { facts, functionName: name.slice(facts.name.length + 1) };
  }
  return undefined;
}
