// Everything in a container that is a module or machine code, for taking out.

import type { DiagnosticSink } from "../diag/sink.js";
import type { ReadFile } from "../link/inputs/archive.js";
import { isModule } from "../link/inputs/recognise.js";
import type { Source } from "../ptx/source-text.js";
import { isSelected, type Selection } from "./selection.js";
import { elementsOf, type Element } from "./walk.js";

/** A file that was inside another: its name and bytes. */
export interface ExtractedFile {
  /** Letters, digits, and `._+-`; unlike all others. */
  readonly name: string;
  /** Undefined for what only NVIDIA's tools read (compressed LTO-IR). */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The PTX and machine code in a container, each with a name for its file: "1.sm_90.ptx"; of a member of an archive
 * "scale.o.1.sm_90.ptx", or the member's own name. What cannot be read is reported. One at a time: together they may not fit
 * into memory.
 */
export function* extractInside(
  source: Source,
  sink: DiagnosticSink,
  readFile?: ReadFile,
  selection: Selection = {},
): Generator<ExtractedFile> {
  for (const { name, element } of namedInside(source, sink, readFile, { selection }))
    yield { name, bytes: element.bytes };
}

/** The same as elements; names do not depend on the selection. `isClosed`: entries of fatbins are not decompressed. */
export function* namedInside(
  source: Source,
  sink: DiagnosticSink,
  readFile: ReadFile | undefined,
  { selection, isClosed = false }: { readonly selection: Selection; readonly isClosed?: boolean },
): Generator<{ readonly name: string; readonly element: Element }> {
  const taken = new Set<string>();
  for (const element of elementsOf(source, sink, readFile, isClosed)) {
    if (!isExtracted(element)) continue;
    const safe = safeName(element.path.join("."));
    let unique = safe;
    for (let i = 2; taken.has(unique); i++) unique = `${i}-${safe}`;
    taken.add(unique);
    if (isSelected(element, selection)) yield { name: unique, element };
  }
}

/** All entries of fatbins; of an archive's members only modules and GPU code. */
function isExtracted({ kind, entry }: Element): boolean {
  if (kind === null) return false;
  return entry !== undefined || isModule(kind) || kind === "cubin" || kind === "ptxkit";
}

/** A name that stays in its folder on every system, whatever the container says. */
function safeName(name: string): string {
  const plain = name.replaceAll(/[^\w.+-]+/g, "_").replace(/^[.-]+/, "_");
  return plain.slice(-120) || "_";
}
