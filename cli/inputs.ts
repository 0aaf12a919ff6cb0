// Reads the files a command was given.

import { assembleInput, type Input } from "../lib/link/open-input.js";
import type { CommonOptions, Session } from "./common.js";

/** The bytes of a file, kept so that diagnostics can show its lines. */
export function readSource(file: string, session: Session): { readonly name: string; readonly bytes: Uint8Array } {
  const bytes = session.host.read(file);
  session.sources.set(file, bytes);
  return { name: file, bytes };
}

/** The input of that name, recognised by content and assembled where it is PTX; undefined after a report. */
export function readInput(file: string, session: Session, options: CommonOptions): Input | undefined {
  return assembleInput(readSource(file, session), session.sink, checkOptions(options));
}

export function checkOptions({ maxImageSize }: CommonOptions): { readonly maxImageBytes?: number } {
  return maxImageSize === undefined ? {} : { maxImageBytes: maxImageSize };
}
