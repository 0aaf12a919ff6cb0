// Collects a whole file for the explorer page: its kind, and every view of everything inside, with the bytes of each part.

import type { DiagnosticSink } from "../diag/sink.js";
import { recognise, type FileKind } from "../link/inputs/recognise.js";
import type { ReadFile } from "../link/inputs/archive.js";
import type { Source } from "../ptx/source-text.js";
import { inspectFile } from "./inspect.js";
import { inspectElf } from "./inspect-elf.js";
import { CUBIN_VIEWS, HOST_VIEWS, MODULE_VIEWS, OWN_VIEWS, type Inspection, type ViewName } from "./inspection.js";
import { occupancyView } from "./occupancy.js";
import { elementsOf } from "./parts/walk.js";

/** A module or an ELF file with all its views. */
export interface ExploredPart {
  readonly inspection: Inspection;
  /** The part's bytes in base64; absent if the page would exceed its limit. */
  readonly bytes?: string;
}

/** A file and everything inside it. */
export interface Explored {
  /** The inspection of the file: its summary, members or entries. */
  readonly whole: Inspection;
  /** The file itself, if it is a module or an ELF file, and everything inside. */
  readonly parts: readonly ExploredPart[];
}

/** Largest number of raw bytes in a page. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Largest number of parts in a page; further ones are listed only in `whole`. */
const MAX_PARTS = 500;

const partViews: Readonly<Partial<Record<FileKind, readonly ViewName[]>>> = {
  ptx: MODULE_VIEWS,
  nvvm: MODULE_VIEWS,
  bitcode: MODULE_VIEWS,
  ptxkit: OWN_VIEWS,
  cubin: CUBIN_VIEWS,
  "host-elf": HOST_VIEWS,
};

/** Explores a file; undefined if nothing in it can be read, which the sink reports. */
export function exploreFile(source: Source, sink: DiagnosticSink, readFile?: ReadFile): Explored | undefined {
  const { inspection: whole } = inspectFile(source, { views: [] }, sink);
  if (whole === undefined) return undefined;
  let left = MAX_BYTES;
  const parts: ExploredPart[] = [];
  const add = (name: string, kind: FileKind, bytes: Uint8Array, target?: string): void => {
    const views = partViews[kind];
    if (views === undefined || parts.length >= MAX_PARTS) return;
    // A host file's own part is separate from the GPU code inside.
    const { inspection } =
      kind === "host-elf"
        ? inspectElf({ name, bytes }, kind, { views, isContainer: true }, sink)
        : inspectFile({ name, bytes }, { views, occupancyOf: occupancyView }, sink);
    if (inspection === undefined) return;
    left -= bytes.length;
    parts.push({
      inspection: target === undefined ? inspection : { ...inspection, target },
      ...(left < 0 ? {} : { bytes: Buffer.from(bytes).toString("base64") }),
    });
  };
  add(source.name, recognise(source.bytes), source.bytes);
  for (const { name, kind, bytes, entry } of elementsOf(source, sink, readFile))
    if (kind !== null && bytes !== undefined) add(name, kind, bytes, entry?.target);
  return { whole, parts };
}
