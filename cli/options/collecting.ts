// Parsers for options that may be given several times.

import { InvalidArgumentError } from "commander";
import { isGlob } from "../../lib/base/glob.js";
import { isName } from "../../lib/base/ptx-name.js";

/**
 * Appends each value to one list. A new list for each value would take quadratic time: response files have hundreds of thousands.
 */
export const collecting =
  <T>(parse: (text: string) => T) =>
  (text: string, list: T[] = []): T[] => {
    list.push(parse(text));
    return list;
  };

/** Collects the values unchanged. */
export const collect = collecting((text) => text);

/** Collects names, none of which may be empty. */
export const collectNames = collecting(nonEmpty);

/** Collects names that PTX symbols can have. Any other name would silently match nothing, so it is an error. */
export const collectSymbols = collecting((text) => {
  if (isName(nonEmpty(text))) return text;
  throw new InvalidArgumentError(
    isGlob(text)
      ? "one name is expected, and no pattern"
      : "PTX has no such name: it would be of letters, digits, _, $ and %, and of C++ functions the mangled one",
  );
});

/** Collects patterns that such names can match. */
export const collectPatterns = collecting((text) => {
  if (isPossible(nonEmpty(text))) return text;
  throw new InvalidArgumentError("no name fits it: names are of letters, digits, _, $ and %, those of C++ mangled");
});

/** Whether a pattern can match names: its literal characters are valid in names. */
const isPossible = (pattern: string): boolean =>
  isGlob(pattern) ? /^(?:[\w$%*?]|\[[!^]?[^][^\]]*\])*$/.test(pattern) : isName(pattern);

/** Collects comma-separated lists of names, each of which must contain a name. */
export const collectLists = collecting((text) => {
  if (/^[, ]*$/.test(text))
    throw new InvalidArgumentError("names are expected, such as a,b; in a script, check for an unset variable");
  return text;
});

/** Parses a name or a pattern, which must not be empty. */
export function nonEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("a name is expected; in a script, check for an unset variable");
  return text;
}

/** Collects folders, none of which may be empty: an empty name would be the current folder. */
export const collectFolders = collecting((text) => {
  if (text !== "") return text;
  throw new InvalidArgumentError(
    "a folder is expected, . for the current one; in a script, check for an unset variable",
  );
});
