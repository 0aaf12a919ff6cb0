// Demangles the names of one file. A few characters of a hostile name can cost a megabyte of work, so each file has a budget;
// after that its names remain mangled.

import { looksCompiled, sourceName } from "../../base/source-name.js";

/** The source-language name of a mangled name, or undefined for a name that is not mangled. */
export type Demangle = (name: string) => string | undefined;

/** Limit of the demangled names' length, in characters, for all names of a file. */
const CHARACTERS = 50_000_000;
/** Limit of names that look mangled and cannot be demangled. */
const FAILURES = 4096;

export function createDemangler(read: Demangle = sourceName): Demangle {
  let characters = CHARACTERS;
  let failures = FAILURES;
  return (name) => {
    if (!looksCompiled(name) || characters <= 0 || failures <= 0) return undefined;
    const readable = read(name);
    if (readable === undefined) failures--;
    else characters -= readable.length;
    return readable;
  };
}
