// .nv.prototype: pairs (symbol index, .strtab offset of a prototype string), and those strings: "#", the type returned,
// the types of the parameters. `v` nothing; bits of 8 (`b`), 16 (`h`), 32 (`i`), 64 (`l`) and 128 (`x`), whatever they mean, and
// vectors of so many; `f` and `d` floating point. A number behind one is an array's length, 0 of an open one: `b12` is 12 bytes.
// Alignment is not recorded.
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
  /** Elements of an array, 0 where that is open. */
  readonly count?: number;
}

export interface Prototype {
  /** undefined when nothing is returned */
  readonly returns: PrototypeType | undefined;
  readonly parameters: readonly PrototypeType[];
}

/** Reads a prototype string such as "#vi". `offset`: its place, for the error. */
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
