// Demangles the names of one file. A few characters of a hostile name can cost a megabyte of work, so each file has a budget;
// after that its names remain mangled.

import { looksCompiled, sourceName } from "../base/source-name.js";

/** The source-language name of a mangled name, or undefined for a name that is not mangled. */
export type Demangle = (name: string) => string | undefined;

/** Characters of demangled names, for all names of a file. */
const CHARACTERS = 50_000_000;
/** Names that look mangled and cannot be read. */
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
