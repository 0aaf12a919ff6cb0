// Rejects unknown options of the library's functions, and values that an option cannot have: either would be ignored silently, or
// fail far from the call.

import { nearest } from "./nearest.js";

/** What an option's value is; `any` where the function itself checks it. */
const kinds = {
  any: { text: "", accepts: () => true },
  flag: { text: "true or false", accepts: (value) => typeof value === "boolean" },
  count: {
    text: "a whole number that is not negative",
    accepts: (value) => typeof value === "number" && (Number.isSafeInteger(value) || value === Infinity) && value >= 0,
  },
  text: { text: "a text", accepts: (value) => typeof value === "string" },
  function: { text: "a function", accepts: (value) => typeof value === "function" },
  list: { text: "an array", accepts: Array.isArray },
  texts: {
    text: "an array of texts",
    accepts: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
  },
  object: { text: "an object", accepts: (value) => typeof value === "object" && value !== null },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly accepts: (value: unknown) => boolean }>>;

/** A kind by name, the texts of which the value is one, or the kinds of the options in an object. */
export type OptionKind = keyof typeof kinds | readonly string[] | OptionTable;

/** Options by name. */
interface OptionTable {
  readonly [name: string]: OptionKind;
}

/** The kinds that suit values of a type. */
type KindOf<Value> = [Value] extends [boolean]
  ? "flag"
  : [Value] extends [number]
    ? "count" | "any"
    : [Value] extends [string]
      ? "text" | "any" | readonly Value[]
      : [Value] extends [(...given: never) => unknown]
        ? "function"
        : [Value] extends [readonly string[]]
          ? "texts"
          : [Value] extends [readonly unknown[]]
            ? "list"
            : [Value] extends [object]
              ? "object" | "any" | OptionKinds<Value>
              : "any";

/** The kind of every option of a type; the compiler checks that none is missing or of another kind. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: KindOf<NonNullable<Options[Name]>> };

/**
 * Throws RangeError if an option is not in `known`, is inherited or of another kind, or if the options are no object.
 * `elsewhere`: functions that have options which are easily given to this one.
 */
export function checkOptions(
  options: unknown,
  known: OptionTable,
  what: string,
  elsewhere: Readonly<Record<string, OptionTable>> = {},
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options) || options instanceof Map)
    throw new RangeError(`${what}: an object of options is expected, not ${describe(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined)
      throw new RangeError(`${what} has no option '${name}'; ${remedyFor(name, Object.keys(known), elsewhere)}`);
    if (value !== undefined) checkValue(value, kind, `${what}, option '${name}'`);
  }
  // Functions spread their options, which drops what a prototype has: getters of a class, values of Object.create(defaults).
  for (const name of Object.keys(known))
    if (name in options && !Object.hasOwn(options, name))
      throw new RangeError(`${what}, option '${name}': it is inherited; copy it to the object itself`);
}

function checkValue(value: unknown, kind: OptionKind, what: string): void {
  if (typeof kind === "string") {
    const { text, accepts } = kinds[kind];
    if (!accepts(value)) throw new RangeError(`${what}: ${text} is expected, not ${describe(value)}`);
  } else if (!isList(kind)) checkOptions(value, kind, what);
  else if (!(kind as readonly unknown[]).includes(value))
    throw new RangeError(`${what}: '${kind.join("' or '")}' is expected, not ${describe(value)}`);
}

const isList = (kind: readonly string[] | OptionTable): kind is readonly string[] => Array.isArray(kind);

/** Limit of listed options. */
const MAX_LISTED = 12;

function remedyFor(name: string, known: readonly string[], elsewhere: Readonly<Record<string, OptionTable>>): string {
  const other = Object.keys(elsewhere).find((each) => Object.hasOwn(elsewhere[each]!, name));
  if (other !== undefined) return `it is an option of ${other}`;
  const [meant] = nearest(name, known);
  if (meant !== undefined) return `did you mean '${meant}'?`;
  return `there are ${known.slice(0, MAX_LISTED).join(", ")}${known.length > MAX_LISTED ? " and more" : ""}`;
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
