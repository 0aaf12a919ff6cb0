// Reads the files a command was given.

import type { CommonOptions, Session } from "./common.js";

/** The bytes of a file, kept so that diagnostics can show its lines. */
export function readSource(file: string, session: Session): { readonly name: string; readonly bytes: Uint8Array } {
  const bytes = session.host.read(file);
  session.sources.set(file, bytes);
  return { name: file, bytes };
}

export function checkOptions({ maxImageSize }: CommonOptions): { readonly maxImageBytes?: number } {
  return maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize };
}
