// Texts in fatbins and host files, on their way to be assembled. Apart from who reads files, because most links have none.

import { createSink, type DiagnosticSink } from "../lib/diag/sink.js";
import { mostExpanded, ptxBytes } from "../lib/link/inputs/embedded.js";
import { embeddedModules } from "../lib/link/inputs/embedded-modules.js";
import { selectInside } from "../lib/link/inputs/select.js";
import type { Source } from "../lib/ptx/tree.js";
import type { Session } from "./common.js";

type Kind = "fatbin" | "host-elf";

/** The modules in a file; `arch` is asked before each. */
export function modulesOf(
  file: Source,
  kind: Kind,
  sink: DiagnosticSink,
  arch: () => string | undefined,
): Iterable<Source> {
  return embeddedModules(file, kind, sink, { arch, expansion: { left: mostExpanded(file.bytes.length) } });
}

/** How many bytes of text there are for each byte of the file. */
export const expansionOf = (file: Source, kind: Kind): number => ptxBytes(file, kind) / file.bytes.length;

/** Lets go of the text of a module, which can be taken out of its file again. */
export function releaseModule(module: Source, file: string, { host, sources, released }: Session): void {
  if (host.sizeOf(file) === undefined) return;
  const { name, bytes } = module;
  const selector = name.slice(file.length + 1, -1);
  sources.delete(name);
  released.set(name, {
    size: bytes.length,
    read: () => selectInside({ name: file, bytes: host.read(file) }, selector, createSink())?.bytes,
  });
}
