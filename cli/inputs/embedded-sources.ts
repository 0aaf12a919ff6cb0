// Sources in fatbins and host files, for assembly. Separate from the code that reads files, because most links have none.

import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { mostExpanded, ptxBytes } from "../../lib/link/inputs/embedded.js";
import { embeddedModules } from "../../lib/link/inputs/embedded-modules.js";
import type { EmbeddingKind } from "../../lib/link/inputs/recognise.js";
import { selectInside } from "../../lib/link/inputs/select.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Session } from "../options/common.js";
import { releaser } from "./inputs.js";
import { releasedBytes } from "../files/released-source.js";

/** The modules in a file; calls `arch` before each. */
export function modulesOf(
  file: Source,
  kind: EmbeddingKind,
  sink: DiagnosticSink,
  arch: () => string | undefined,
): Iterable<Source> {
  return embeddedModules(file, kind, sink, { arch, expansion: { left: mostExpanded(file.bytes.length) } });
}

/** Bytes of sources per byte of the file. */
export const expansionOf = (file: Source, kind: EmbeddingKind): number => ptxBytes(file, kind) / file.bytes.length;

/** A function that frees a module's source, if it can be extracted from its file again. */
export function moduleReleaser(module: Source, file: string, session: Session): () => void {
  const { host } = session;
  const selector = module.name.slice(file.length + 1, -1);
  const take = () => selectInside({ name: file, bytes: host.read(file) }, selector, createSink())?.bytes;
  const again = host.sizeOf(file) === undefined ? undefined : releasedBytes(module.bytes.length, take);
  return releaser(module, again, session);
}
