// The header of a .npy file: the Python literal {'descr': …, 'fortran_order': …, 'shape': …}. Parses exactly that grammar (a
// dictionary of strings, booleans and tuples of integers), without nesting and without evaluation.
import { malformed } from "../bytes/malformed.js";

export interface NpyHeader {
  readonly descr: string;
  readonly fortranOrder: boolean;
  readonly shape: readonly number[];
}

type Value = string | boolean | readonly number[];

/** Limit of dimensions, which is NumPy's. */
const MAX_DIMENSIONS = 64;

/** Inside a decoder: parses the header in `text`, which begins at file offset `offset`. */
export function parseHeader(text: string, offset: number): NpyHeader {
  const entries = parseDictionary(text, offset);
  const descr = entries.get("descr");
  const fortranOrder = entries.get("fortran_order");
  const shape = entries.get("shape");
  if (typeof descr !== "string") malformed("malformed", offset, "header: 'descr' is not a string");
  if (typeof fortranOrder !== "boolean") malformed("malformed", offset, "header: 'fortran_order' is not a boolean");
  if (!Array.isArray(shape)) malformed("malformed", offset, "header: 'shape' is not a tuple");
  return { descr, fortranOrder, shape: shape as readonly number[] };
}

function parseDictionary(text: string, offset: number): ReadonlyMap<string, Value> {
  // Sticky patterns match at `at` or not at all, so parsing is linear.
  let at = 0;
  const accept = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match ?? undefined;
  };
  const expect = (pattern: RegExp, what: string): RegExpExecArray =>
    accept(pattern) ?? malformed("malformed", offset + at, `header: ${what} expected`);
  const quoted = () => accept(/\s*(?:'([^'\\]*)'|"([^"\\]*)")/y);
  const string = (match: RegExpExecArray) => match[1] ?? match[2] ?? "";

  const tuple = (): readonly number[] => {
    const lengths: number[] = [];
    while (accept(/\s*\)/y) === undefined) {
      const digits = expect(/\s*(\d{1,16})L?\s*(?:,|(?=\)))/y, "a length")[1]!;
      const length = Number(digits);
      if (!Number.isSafeInteger(length) || lengths.length === MAX_DIMENSIONS)
        malformed("out-of-range", offset + at, "header: the shape is too large");
      lengths.push(length);
    }
    return lengths;
  };
  const value = (): Value => {
    const text = quoted();
    if (text !== undefined) return string(text);
    if (accept(/\s*\[/y) !== undefined) malformed("unsupported", offset + at, "header: structured types are not read");
    if (accept(/\s*\(/y) !== undefined) return tuple();
    return expect(/\s*(True|False)/y, "a string, a boolean or a tuple")[1] === "True";
  };

  const entries = new Map<string, Value>();
  expect(/\s*\{/y, "'{'");
  while (accept(/\s*\}/y) === undefined) {
    const key = string(quoted() ?? malformed("malformed", offset + at, "header: a key expected"));
    expect(/\s*:/y, "':'");
    entries.set(key, value());
    expect(/\s*(?:,|(?=\}))/y, "',' or '}'");
  }
  expect(/\s*$/y, "the end");
  return entries;
}
