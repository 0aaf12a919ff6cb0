// Reads the files a command was given.

import type { CheckOptions } from "../../lib/check/check.js";
import type { Details } from "../../lib/diag/sink.js";
import type { Source, RereadableText } from "../../lib/ptx/source-text.js";
import { detailsOf, type CommonOptions, type Session } from "../options/common.js";
import { slowGrowthFor, reduceOptimisation } from "../base/engine.js";
import { HostError } from "../files/host.js";
import { nvvmOptions } from "../options/nvvm-options.js";
import { resolveOptions } from "../../lib/nvvm/options.js";
import { compressedSource } from "../files/compressed-source.js";
import { LARGE, releasedFile, type ReleasedSource } from "../files/released-source.js";

/** Reads a file; its bytes are kept so that diagnostics can show its lines. */
export function readSource(file: string, session: Session): Source {
  const bytes = session.host.read(file);
  session.sources.set(file, bytes);
  return { name: file, bytes };
}

/** Reads an input of a link; large sources in an archive are deferred until they are needed. */
export function readInput(file: string, session: Session): Source {
  const source = session.host.readInput(file);
  // The size of an input found by -l NAME is known only now.
  if (source.deferredTexts !== undefined) slowGrowthFor(source.bytes.length);
  session.sources.set(file, source.bytes);
  return source;
}

/**
 * A function that frees the source of a file just read. It frees a source that can be read again, or one that is large enough to
 * be kept compressed.
 */
export function releaserOf(source: Source, session: Session): () => void {
  const again = releasedFile(source, session.host);
  if (again !== undefined || source.bytes.length < LARGE) return releaser(source, again, session);
  return () => {
    const kept = compressedSource(source.bytes);
    releaser(source, () => kept, session)();
  };
}

/** A function that frees a source that can be read again. */
export function releaser(
  source: Source,
  again: ReleasedSource | undefined,
  { host, sources, released }: Session,
): () => void {
  if (again === undefined) return () => {};
  return () => {
    sources.delete(source.name);
    released.set(source.name, again);
    host.release(source);
  };
}

/**
 * Reads one of several files. A file that cannot be read is reported and recorded, and the caller continues with the others, so
 * that one run reports all errors.
 */
export function tryReadSource(file: string, session: Session): Source | undefined {
  return orReport(file, session, () => readSource(file, session));
}

/** Reads the files that a thin archive names; a file that cannot be read is reported and recorded. */
export function memberReader(
  session: Session,
): (file: string, archive: string) => Uint8Array | RereadableText | undefined {
  return (file, archive) =>
    orReport(file, session, () => session.host.readRegular(file), {
      notes: [{ message: `${archive} is a thin archive, and names it as a member` }],
      remedy: "a thin archive holds no members: keep their files where it was made, or make it anew without T",
    });
}

/** The result of `read`; undefined if a file cannot be read, which is reported. */
export function orReport<T>(file: string, session: Session, read: () => T, details?: Details): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    session.sink.report("file-access", error.message, undefined, { ...detailsOf(error), ...details });
    session.unread.push(file);
    return undefined;
  }
}

/** The checker's options; `alone`: for a module that is compiled before the others of its link are known. */
export function checkOptions(options: CommonOptions, alone = false): CheckOptions {
  const { maxImageSize, assumeVersion } = options;
  const nvvm = nvvmOptions(options, alone);
  return {
    nvvm() {
      reduceOptimisation();
      return resolveOptions(nvvm);
    },
    ...(maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize }),
    ...(assumeVersion === true ? { assumeVersion } : {}),
  };
}
