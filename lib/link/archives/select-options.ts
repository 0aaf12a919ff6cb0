// The names that options of a link refer to and define, for the selection of members (select-archive.ts). The command line and
// the library have different words for the same options, which messages use.

import type { NameRoot, SelectOptions } from "./select-archive.js";

/** Names in options. */
export interface RequestedNames {
  readonly undefined?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  readonly wrap?: readonly string[] | undefined;
  /** Names of --defsym, each with the symbol that it refers to, if any. */
  readonly define?: readonly { readonly name: string; readonly base?: string | undefined }[] | undefined;
}

/** The spelling of the options that refer to names. */
export interface OptionWords {
  readonly undefined: string;
  readonly required: string;
  readonly define: string;
}

export function selectOptions(
  { undefined: names = [], required = [], globs = [], wrap = [], define = [] }: RequestedNames,
  words: OptionWords,
): SelectOptions {
  const named =
    (by: string) =>
    (name: string): NameRoot => ({ name, by });
  return {
    roots: [
      ...names.map(named(words.undefined)),
      ...required.map(named(words.required)),
      ...define.flatMap(({ base }) => (base === undefined ? [] : [base])).map(named(words.define)),
    ],
    globs,
    defined: define.map(({ name }) => name),
    wrap,
  };
}
