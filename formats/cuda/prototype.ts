// .nv.prototype: pairs (symbol index, .strtab offset of a prototype string), and those strings: "#", the return type, the
// parameter types. `v` is void. `b`, `h`, `i`, `l` and `x` are values of 8, 16, 32, 64 and 128 bits of any type, also vectors of
// that size; `f` and `d` are floating point. A number after a type is the length of an array, 0 if it is unsized: `b12` is 12
// bytes. Alignment is not recorded.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";

export interface PrototypeEntry {
  readonly symbol: number;
  /** Offset in bytes in .strtab */
  readonly prototype: number;
}

export function readPrototypes(data: Uint8Array, base = 0): Result<readonly PrototypeEntry[]> {
  return decoding(() => {
    const reader = new ByteReader(data, base);
    const entries: PrototypeEntry[] = [];
    while (reader.remaining > 0)
      entries.push({ symbol: reader.u32("prototype's symbol"), prototype: reader.u32("prototype") });
    return entries;
  });
}

const SCALARS = { b: "int8", h: "int16", i: "int32", l: "int64", x: "int128", f: "float32", d: "float64" } as const;

export interface PrototypeType {
  readonly kind: (typeof SCALARS)[keyof typeof SCALARS];
  /** Elements of an array, 0 if it is unsized. */
  readonly count?: number;
}

export interface Prototype {
  /** Undefined for void. */
  readonly returns: PrototypeType | undefined;
  readonly parameters: readonly PrototypeType[];
}

/** Reads a prototype string such as "#vi". `offset`: its place in the file, for the error. */
export function parsePrototype(text: string, offset = 0): Result<Prototype> {
  return decoding(() => {
    const [returned, ...rest] = tokensOf(text) ?? [];
    if (returned === undefined || rest.includes("v"))
      malformed("malformed", offset, `${JSON.stringify(text.slice(0, 80))} is not a prototype`);
    return { returns: returned === "v" ? undefined : typeOf(returned), parameters: rest.map(typeOf) };
  });
}

/**
 * Splits the string into tokens, one at a time: one pattern over a malicious string of megabytes would exhaust the matcher's
 * stack.
 */
function tokensOf(text: string): readonly string[] | undefined {
  if (!text.startsWith("#")) return undefined;
  const token = /v|[bhilxfd]\d{0,10}/y;
  const tokens: string[] = [];
  for (token.lastIndex = 1; token.lastIndex < text.length;) {
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(match[0]);
  }
  return tokens;
}

function typeOf(token: string): PrototypeType {
  const kind = SCALARS[token[0] as keyof typeof SCALARS];
  return token.length === 1 ? { kind } : { kind, count: Number(token.slice(1)) };
}

const letters: ReadonlyMap<PrototypeType["kind"], string> = new Map(
  Object.entries(SCALARS).map(([letter, kind]) => [kind, letter]),
);

export function formatPrototype(prototype: Prototype): string {
  let text = `#${prototype.returns === undefined ? "v" : letterOf(prototype.returns)}`;
  for (const type of prototype.parameters) text += letterOf(type);
  return text;
}

const letterOf = ({ kind, count }: PrototypeType): string => `${letters.get(kind)!}${count ?? ""}`;
