// Writes JSON in parts, for values whose lists may be created on demand (base/series.ts). The text equals that of JSON.stringify,
// but is never held as a whole.

const STEP = "  ";

/** The text of JSON.stringify(value, undefined, 2), with every Iterable written as an array. */
export function jsonParts(value: unknown): Iterable<string> {
  return partsOf(value, "");
}

function* partsOf(value: unknown, pad: string): Generator<string, void, undefined> {
  if (isFlat(value)) return yield JSON.stringify(value, undefined, STEP.length).replaceAll("\n", `\n${pad}`);
  const inner = pad + STEP;
  let front = "";
  if (isList(value)) {
    for (const item of value) {
      yield front === "" ? `[\n${inner}` : front;
      front = `,\n${inner}`;
      yield* partsOf(item, inner);
    }
    return yield front === "" ? "[]" : `\n${pad}]`;
  }
  for (const [key, item] of Object.entries(value as object)) {
    if (item === undefined) continue;
    yield `${front === "" ? `{\n${inner}` : front}${JSON.stringify(key)}: `;
    front = `,\n${inner}`;
    yield* partsOf(item, inner);
  }
  yield front === "" ? "{}" : `\n${pad}}`;
}

const isList = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

/** Whether a value is small and complete: it has no lists other than arrays of strings and numbers. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (isList(value)) return Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);
  return Object.values(value).every(isFlat);
}
