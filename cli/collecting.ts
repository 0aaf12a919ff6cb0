// Options that may be given several times.

import { InvalidArgumentError } from "commander";
import { isGlob } from "../lib/base/glob.js";
import { isName } from "../lib/base/ptx-name.js";

/** Each time one more value of one list: response files have hundreds of thousands, and a list for each would be as long. */
export const collecting =
  <T>(parse: (text: string) => T) =>
  (text: string, list: T[] = []): T[] => {
    list.push(parse(text));
    return list;
  };

/** Their values as they are. */
export const collect = collecting((text) => text);

/** The same of names, none of which is empty. */
export const collectNames = collecting(nonEmpty);

/** The same of names that symbols of PTX can have: of any other nothing would ever come, and nothing would say so. */
export const collectSymbols = collecting((text) => {
  if (isName(nonEmpty(text))) return text;
  throw new InvalidArgumentError(
    isGlob(text)
      ? "one name is expected, and no pattern"
      : "PTX has no such name: it would be of letters, digits, _, $ and %, and of C++ functions the mangled one",
  );
});

/** The same of patterns that such names can fit. */
export const collectPatterns = collecting((text) => {
  if (isPossible(nonEmpty(text))) return text;
  throw new InvalidArgumentError("no name fits it: names are of letters, digits, _, $ and %, those of C++ mangled");
});

/** Whether a pattern asks for characters of names alone, as far as it names single ones. */
const isPossible = (pattern: string): boolean =>
  isGlob(pattern) ? /^(?:[\w$%*?]|\[[!^]?[^][^\]]*\])*$/.test(pattern) : isName(pattern);

/** The same of lists of names with commas between, none of which is without a name. */
export const collectLists = collecting((text) => {
  if (/^[, ]*$/.test(text))
    throw new InvalidArgumentError("names are expected, such as a,b; in a script, check for an unset variable");
  return text;
});

/** A name or a pattern that an option takes. */
export function nonEmpty(text: string): string {
  if (text === "") throw new InvalidArgumentError("a name is expected; in a script, check for an unset variable");
  return text;
}

/** Folders, none of which is without a name: that would be the current one. */
export const collectFolders = collecting((text) => {
  if (text !== "") return text;
  throw new InvalidArgumentError(
    "a folder is expected, . for the current one; in a script, check for an unset variable",
  );
});
