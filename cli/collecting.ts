// Options that may stand several times.

import { InvalidArgumentError } from "commander";

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

/** The same of lists of names with commas between, none of which is without a name. */
export const collectLists = collecting((text) => {
  if (/^[, ]*$/.test(text))
    throw new InvalidArgumentError(
      "names are expected, such as a,b; in a script a variable that is not set may stand there",
    );
  return text;
});

/** A name or a pattern that an option takes. */
export function nonEmpty(text: string): string {
  if (text === "")
    throw new InvalidArgumentError("a name is expected; in a script a variable that is not set may stand there");
  return text;
}
