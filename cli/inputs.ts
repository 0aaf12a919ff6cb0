// Reads the files a command was given.

import type { CommonOptions, Session } from "./common.js";
import { HostError } from "./host.js";

/** The bytes of a file, kept so that diagnostics can show its lines. */
export function readSource(file: string, session: Session): { readonly name: string; readonly bytes: Uint8Array } {
  const bytes = session.host.read(file);
  session.sources.set(file, bytes);
  return { name: file, bytes };
}

/**
 * Reads one of several files: where that fails it is reported and remembered, and the caller goes on with the others, so that
 * one run tells all that is wrong.
 */
export function tryReadSource(file: string, session: Session): ReturnType<typeof readSource> | undefined {
  try {
    return readSource(file, session);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    session.sink.report("file-access", error.message);
    session.unread.push(file);
    return undefined;
  }
}

export function checkOptions({ maxImageSize }: CommonOptions): { readonly maxImageBytes?: number } {
  return maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize };
}
