// .nv.prototype: pairs (symbol index, .strtab offset of a prototype string), and those strings: "#", the type returned,
// the types of the parameters. `v` nothing, `i` 32-bit and `l` 64-bit integer, `f` and `d` floating point, `b12` an array
// of 12 bytes. Alignment is not recorded.
import { decoding, malformed } from "../bytes/malformed.js";
import { ByteReader } from "../bytes/reader.js";
import type { Result } from "../bytes/result.js";
import type { ByteWriter } from "../bytes/writer.js";

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

/** Writes the contents of a .nv.prototype section. */
export function writePrototypes(writer: ByteWriter, entries: readonly PrototypeEntry[]): void {
  for (const { symbol, prototype } of entries) {
    writer.u32(symbol);
    writer.u32(prototype);
  }
}

const SCALARS = { i: "int32", l: "int64", f: "float32", d: "float64" } as const;

export type PrototypeType =
  { readonly kind: "int32" | "int64" | "float32" | "float64" } | { readonly kind: "bytes"; readonly size: number };

export interface Prototype {
  /** undefined when nothing is returned */
  readonly returns: PrototypeType | undefined;
  readonly parameters: readonly PrototypeType[];
}

/** Reads a prototype string such as "#vi". `offset` is where it stands, for the error. */
export function parsePrototype(text: string, offset = 0): Result<Prototype> {
  return decoding(() => {
    const [returned, ...rest] = tokensOf(text) ?? [];
    if (returned === undefined || rest.includes("v"))
      malformed("malformed", offset, `${JSON.stringify(text.slice(0, 80))} is no prototype`);
    return { returns: returned === "v" ? undefined : typeOf(returned), parameters: rest.map(typeOf) };
  });
}

/** One token at a time: a single pattern over a hostile string of megabytes would exhaust the matcher's stack. */
function tokensOf(text: string): readonly string[] | undefined {
  if (!text.startsWith("#")) return undefined;
  const token = /[vilfd]|b\d{1,10}/y;
  const tokens: string[] = [];
  for (token.lastIndex = 1; token.lastIndex < text.length;) {
    const match = token.exec(text);
    if (match === null) return undefined;
    tokens.push(match[0]);
  }
  return tokens;
}

function typeOf(token: string): PrototypeType {
  if (token.startsWith("b")) return { kind: "bytes", size: Number(token.slice(1)) };
  return { kind: SCALARS[token as keyof typeof SCALARS] };
}

const LETTERS = { int32: "i", int64: "l", float32: "f", float64: "d" } as const;

export function formatPrototype(prototype: Prototype): string {
  let text = `#${prototype.returns === undefined ? "v" : letterOf(prototype.returns)}`;
  for (const type of prototype.parameters) text += letterOf(type);
  return text;
}

const letterOf = (type: PrototypeType): string => (type.kind === "bytes" ? `b${type.size}` : LETTERS[type.kind]);
