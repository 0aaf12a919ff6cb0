// Reads files nested in a command's input files. Separate from inputs.ts, because only some commands need it.

import { selectInside } from "../../lib/link/inputs/select.js";
import { splitSelectors } from "../../lib/link/inputs/select-name.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { Session } from "../options/common.js";
import { memberReader, orReport, readInput, readSource } from "./inputs.js";

/**
 * Reads a file or a selection in it, outermost first: `lib.a(scale.o)`, unless a file of that name exists. Undefined if the
 * selection does not exist, which is reported. Throws HostError.
 */
export function readSelected(
  name: string,
  session: Session,
  more: readonly string[] = [],
  read: (file: string, session: Session) => Source = readSource,
): Source | undefined {
  const { file, selectors } = session.host.exists(name) ? { file: name, selectors: [] } : splitSelectors(name);
  let source: Source | undefined = read(file, session);
  for (const selector of [...selectors, ...more]) {
    source = source && selectInside(source, selector, session.sink, memberReader(session));
    if (source !== undefined) session.sources.set(source.name, source.reread?.shown ?? source.bytes);
  }
  return source;
}

/** Reads an input of a link, which may be a selection; undefined if that fails, which is reported. */
export function tryReadSelected(name: string, session: Session): Source | undefined {
  return orReport(name, session, () => readSelected(name, session, [], readInput));
}
