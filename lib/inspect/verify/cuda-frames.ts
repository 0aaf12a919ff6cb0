// Checks relocation offsets in .debug_frame of cubins and in its second copy (.nv.merc.debug_frame). They must be fields of its
// entries, which DWARF 4 section 6.4.1 describes (all are 64-bit DWARF). Observed in 1,400 files of ptxas, nvlink and nvcc
// 13.0.88.

import { ET, sectionNamed, STT, type ElfSection } from "../../../formats/elf/index.js";
import { firstFrom } from "../../base/first-from.js";
import { MERC_TYPES } from "./relocation-shapes.table.js";
import { recordsOf, type Records } from "./cuda-relocations.js";
import { isFromKnownToolkit } from "./cuda-sections.js";
import { named } from "./elf.js";
import { isOldGeneration } from "./symtab.js";
import type { Report, Rule, Subject } from "./rule.js";

const COPY = ".nv.merc.debug_frame";
const FRAMES: readonly string[] = [".debug_frame", COPY];

const INSTRUCTION_BYTES = 16n;

/** The field at an offset: the pointer to the common entry (CIE), the function's address, or its size. */
type Field = "entry" | "address" | "size";

const [FIRST_MERC] = MERC_TYPES;
const SIZE_TYPES: ReadonlySet<number> = new Set([73, FIRST_MERC + 14]);

const LONG_LENGTH = 0xffff_ffff;
const HEAD_BYTES = 12;
const ID_BYTES = 8;
const COMMON_ID = 0xffff_ffff_ffff_ffffn;
/** DW_CFA_advance_loc2: in common entries, whole-program ptxas writes addresses of eight bytes after it. */
const ADVANCE = 3;

interface Frames {
  readonly fields: ReadonlyMap<number, Field>;
  /** Offsets of the common entries. */
  readonly common: ReadonlySet<number>;
  /** Offsets of all entries. */
  readonly starts: readonly number[];
}

/** The entries of a section; undefined if it does not consist of entries. The contents of debug sections are not verified. */
function framesIn({ data }: ElfSection): Frames | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const fields = new Map<number, Field>();
  const common = new Set<number>();
  const starts: number[] = [];
  for (let at = 0; at < data.length;) {
    if (at + HEAD_BYTES + ID_BYTES > data.length || view.getUint32(at, true) !== LONG_LENGTH) return undefined;
    starts.push(at);
    const id = at + HEAD_BYTES;
    if (view.getBigUint64(id, true) === COMMON_ID) common.add(at);
    else
      fields
        .set(id, "entry")
        .set(id + 8, "address")
        .set(id + 16, "size");
    const bytes = view.getBigUint64(at + 4, true);
    if (bytes > data.length - id) return undefined;
    at = id + Number(bytes);
  }
  return { fields, common, starts };
}

/** Whether the offset is in the instructions of a common entry, where an address is allowed. */
function isInCommonEntry(data: Uint8Array, { common, starts }: Frames, offset: number): boolean {
  const entry = starts[firstFrom(starts, (start) => start > offset) - 1];
  return entry !== undefined && common.has(entry) && data[offset - 1] === ADVANCE;
}

function checkFrames({ file }: Subject, records: Records, frames: Frames, report: Report): void {
  const { section, target, table, symbols } = records;
  const functions = new Map<number, number>();
  for (let i = 0; i < table.count; i++) {
    const { type, offset, symbol, addend } = table.at(i);
    const at = section.offset + i * section.entsize;
    const what = `${named(section)}, record ${i}: `;
    const isEntry = symbols.type(symbol) === STT.SECTION;
    const field: Field = SIZE_TYPES.has(type) ? "size" : isEntry ? "entry" : "address";
    const isInCommon =
      field === "address" && file.header.type !== ET.REL && isInCommonEntry(target.data, frames, offset);
    if (frames.fields.get(offset) !== field && !isInCommon)
      report(
        at,
        `${what}${offset} of ${target.name} is not the offset of a ${field === "entry" ? "CIE pointer" : `function's ${field}`}`,
      );
    // In .debug_frame itself the addend has another base if a function has several frames.
    if (isEntry && target.name === COPY && !frames.common.has(addend))
      report(at, `${what}no CIE begins at ${addend} of ${target.name}`);
    if (isEntry) continue;
    const start = field === "size" ? offset - 8 : offset;
    const other = functions.get(start);
    if (other !== undefined && other !== symbol)
      report(at, `${what}the frame at ${start} has the address of one function and the size of another`);
    functions.set(start, symbol);
  }
}

/** Contents of every common entry: the version, no augmentation, and the code and data alignment factors. */
const [VERSION, DATA_FACTOR] = [3, 0x7c];
const CODE_FACTORS: readonly number[] = [1, 4];

/**
 * Checks the entries that NVIDIA's tools write: adjacent, of whole instructions, and in the copy with pointers to common entries.
 */
function checkEntries(section: ElfSection, report: Report): void {
  const { data, offset } = section;
  const frames = framesIn(section);
  if (frames === undefined) {
    report(offset, `${named(section)} is not a sequence of CIEs and FDEs`);
    return;
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (const start of frames.starts) {
    const at = start + HEAD_BYTES;
    const bytes = Number(view.getBigUint64(start + 4, true));
    if (bytes < 24) report(offset + start, `${named(section)}: the entry at ${start} has ${bytes} bytes`);
    else if (frames.common.has(start)) {
      const [version, augmentation, code = 0, factor] = data.subarray(at + ID_BYTES, at + ID_BYTES + 4);
      if (version !== VERSION || augmentation !== 0 || factor !== DATA_FACTOR || !CODE_FACTORS.includes(code))
        report(
          offset + at + ID_BYTES,
          `${named(section)}: the CIE at ${start} has an unexpected version, augmentation or alignment factor`,
        );
    } else {
      const pointer = view.getBigUint64(at, true);
      if (section.name === COPY && pointer !== 0n && !frames.common.has(Number(pointer)))
        report(
          offset + at,
          `${named(section)}: the FDE at ${start} has the CIE pointer ${pointer}, where no CIE begins`,
        );
      for (const field of [ID_BYTES, 2 * ID_BYTES])
        if (view.getBigUint64(at + field, true) % INSTRUCTION_BYTES !== 0n)
          report(
            offset + at + field,
            `${named(section)}: the address or size in the FDE at ${start} is not a multiple of an instruction`,
          );
    }
  }
}

export const cudaFrameRules: readonly Rule[] = [
  {
    name: "frame-relocation",
    about: "relocations of frame data apply to the address, the size or the CIE pointer of an FDE",
    check(subject, report) {
      const { file } = subject;
      if (!isFromKnownToolkit(subject)) return 0;
      const all = recordsOf(subject).filter(({ target }) => FRAMES.includes(target.name));
      let count = 0;
      for (const name of FRAMES) {
        const section = sectionNamed(file, name);
        if (section !== undefined && !isOldGeneration(subject)) checkEntries(section, report);
      }
      for (const records of all) {
        const frames = framesIn(records.target);
        if (frames === undefined) continue;
        count += records.table.count;
        checkFrames(subject, records, frames, report);
      }
      return count;
    },
  },
];
