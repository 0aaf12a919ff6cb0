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
export const collectNames = collecting((text) => {
  if (text === "")
    throw new InvalidArgumentError("a name is expected; in a script a variable that is not set may stand there");
  return text;
});
