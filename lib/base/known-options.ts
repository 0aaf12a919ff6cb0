// Rejects unknown options of the library's functions: a misspelt option would be ignored silently.

import { nearest } from "./nearest.js";

/** The names of all options of a type; the compiler checks that none is missing. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Throws RangeError if an option is not in `names`, or if the options are no object. */
export function checkOptions(options: unknown, names: Readonly<Record<string, true>>, what: string): void {
  if (typeof options !== "object" || options === null)
    throw new RangeError(`${what}: an object of options is expected, not ${describe(options)}`);
  for (const name of Object.keys(options)) {
    if (name in names) continue;
    const known = Object.keys(names);
    const [meant] = nearest(name, known);
    const remedy = meant === undefined ? `there are ${known.join(", ")}` : `did you mean '${meant}'?`;
    throw new RangeError(`${what} has no option '${name}'; ${remedy}`);
  }
}

/** Describes a value, for messages: "the number 7", "an Array", "a Float32Array". */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return `the text '${value}'`;
  if (typeof value === "number" || typeof value === "bigint") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const { name = "Object" } = (value.constructor as { readonly name?: string } | undefined) ?? {};
  return `${/^[AEIOU](?!int)/.test(name) ? "an" : "a"} ${name}`;
}
