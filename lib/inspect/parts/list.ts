// Lists the names of the modules and the machine code inside a container, without decompressing them: the files that --extract
// would write.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { ReadFile } from "../../link/inputs/archive.js";
import type { Source } from "../../ptx/source-text.js";
import { namedInside } from "./extract.js";
import type { Selection } from "./selection.js";

export interface ListedFile {
  /** The name of its file for --extract. */
  readonly name: string;
  /** "ptx", "cubin", "lto-ir"; for a member of an archive, its kind. */
  readonly kind: string;
  /** The target of a fatbin's entry. */
  readonly target?: string;
  /** Bytes from the start of the container directly around it. */
  readonly offset: number;
  /** Bytes of the contents. */
  readonly size: number;
}

export function listInside(
  source: Source,
  sink: DiagnosticSink,
  readFile: ReadFile | undefined,
  selection: Selection,
): readonly ListedFile[] {
  return [...namedInside(source, sink, readFile, { selection, isClosed: true })].map(({ name, element }) => {
    const { kind, offset, entry, bytes } = element;
    return {
      name,
      kind: kind!,
      ...(entry === undefined ? {} : { target: entry.target }),
      offset,
      size: entry?.size ?? bytes?.length ?? 0,
    };
  });
}
