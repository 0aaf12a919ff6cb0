// Extracts the modules and machine code from a container.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { ReadFile } from "../../link/inputs/archive.js";
import { isModule } from "../../link/inputs/recognise.js";
import type { Source } from "../../ptx/source-text.js";
import { isSelected, type Selection } from "./selection.js";
import { elementsOf, type Element } from "./walk.js";

/** A file from a container: its name and bytes. */
export interface ExtractedFile {
  /** A unique name of letters, digits, and `._+-`. */
  readonly name: string;
  /** Undefined for contents that only NVIDIA's tools can read (compressed LTO-IR). */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The PTX and machine code in a container, each with a file name: "1.sm_90.ptx". For a member of an archive it is
 * "scale.o.1.sm_90.ptx", or the member's own name. Unreadable contents are reported. Files are yielded one at a time, because
 * together they may not fit into memory.
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

/**
 * The extractable elements with their names, which do not depend on the selection. `isClosed`: entries of fatbins are not
 * decompressed.
 */
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

/** Whether an element is extracted: all entries of fatbins; members of an archive only if they are modules or GPU code. */
function isExtracted({ kind, entry }: Element): boolean {
  if (kind === null) return false;
  return entry !== undefined || isModule(kind) || kind === "cubin" || kind === "ptxkit";
}

/** A file name without folders that is valid on every system, whatever name the container has. */
function safeName(name: string): string {
  const plain = name.replaceAll(/[^\w.+-]+/g, "_").replace(/^[.-]+/, "_");
  return plain.slice(-120) || "_";
}
