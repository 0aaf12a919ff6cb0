// Options that may stand several times.

/** Each time one more value of one list: response files have hundreds of thousands, and a list for each would be as long. */
export const collecting =
  <T>(parse: (text: string) => T) =>
  (text: string, list: T[] = []): T[] => {
    list.push(parse(text));
    return list;
  };

/** Their values as they are. */
export const collect = collecting((text) => text);
