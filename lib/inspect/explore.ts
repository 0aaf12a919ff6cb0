// A whole file for exploring: what it is, and every view of everything inside, with the bytes that the views are of.

import type { DiagnosticSink } from "../diag/sink.js";
import { recognise, type FileKind } from "../link/inputs/recognise.js";
import type { ReadFile } from "../link/inputs/archive.js";
import type { Source } from "../ptx/source-text.js";
import { inspectFile } from "./inspect.js";
import { inspectElf } from "./inspect-elf.js";
import { CUBIN_VIEWS, HOST_VIEWS, MODULE_VIEWS, OWN_VIEWS, type Inspection, type ViewName } from "./inspection.js";
import { occupancyView } from "./view-occupancy.js";
import { elementsOf } from "./walk.js";

/** A module or an ELF file with all its views. */
export interface ExploredPart {
  readonly inspection: Inspection;
  /** Its bytes in base64; absent where there are more than a page may hold. */
  readonly bytes?: string;
}

/** A file and everything inside it. */
export interface Explored {
  /** What the file is: its summary, members or entries. */
  readonly whole: Inspection;
  /** Itself, where it is a module or an ELF file, and everything inside. */
  readonly parts: readonly ExploredPart[];
}

/** Bytes that a page holds as such. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Parts that a page has: more are listed in `whole` alone. */
const MOST_PARTS = 500;

const partViews: Readonly<Partial<Record<FileKind, readonly ViewName[]>>> = {
  ptx: MODULE_VIEWS,
  nvvm: MODULE_VIEWS,
  bitcode: MODULE_VIEWS,
  ptxkit: OWN_VIEWS,
  cubin: CUBIN_VIEWS,
  "host-elf": HOST_VIEWS,
};

/** Undefined where nothing of the file can be read; the sink says why. */
export function exploreFile(source: Source, sink: DiagnosticSink, readFile?: ReadFile): Explored | undefined {
  const { inspection: whole } = inspectFile(source, { views: [] }, sink);
  if (whole === undefined) return undefined;
  let left = MOST_BYTES;
  const parts: ExploredPart[] = [];
  const add = (name: string, kind: FileKind, bytes: Uint8Array, target?: string): void => {
    const views = partViews[kind];
    if (views === undefined || parts.length >= MOST_PARTS) return;
    // GPU code inside a host file is a part of its own.
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
