// Modules with faults, made from valid ones: each prefix, each token left out, and random mutants, of text and bitcode.
// Each must give a module or a diagnostic.

import { readFileSync, readdirSync } from "node:fs";
import { InputError } from "../../../lib/index.js";
import { createSink } from "../../../lib/diag/sink.js";
import { compileModule } from "../../../lib/nvvm/compile.js";
import { readModule } from "../../../lib/nvvm/compile-source.js";
import { resolveOptions } from "../../../lib/nvvm/options.js";
import { advance, createScanner } from "../../../lib/nvvm/text/scanner.js";
import { kind } from "../../../lib/nvvm/text/token.js";
import { isBitcode } from "../../../formats/bitstream/magic.js";
import { createNames } from "../../../lib/ptx/names.js";
import { modules } from "../text/modules.js";
import { verifyAll } from "../verify/support.js";

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const testdata = new URL("../../../../testdata/nvvm/", import.meta.url);

const filesOf = (folder: string): readonly Seed[] =>
  readdirSync(new URL(folder, testdata))
    .filter((name) => /\.(?:ll|bc)$/.test(name) && !name.startsWith("type-deep"))
    .map((name) => ({ name: `${folder}${name}`, bytes: readFileSync(new URL(`${folder}${name}`, testdata)) }));

/** The modules of the tests. */
export const seeds: readonly Seed[] = [
  ...modules.map(([name, text]) => ({ name: `dialect ${name}`, bytes: Buffer.from(text) })),
  ...filesOf("kernels/"),
  ...filesOf("bitcode/"),
  ...filesOf("verify/"),
];

export type Outcome = "refused" | "right" | "compiled";

/**
 * Reads and verifies the bytes, and compiles a valid module. Throws if anything but a module or a diagnostic comes of
 * it.
 */
export function outcomeOf({ name, bytes }: Seed): Outcome {
  const sink = createSink();
  const module = readModule({ name, bytes }, sink);
  if (module === undefined && sink.errorCount === 0) throw new Error("no module, and no reason");
  if (module !== undefined) verifyAll(module, sink);
  for (const { place } of sink.all) {
    const end = place?.kind === "text" ? place.end : place?.kind === "bytes" ? place.offset : Infinity;
    if (end > bytes.length) throw new Error(`a place outside of the file: ${JSON.stringify(place)}`);
  }
  if (module === undefined || sink.errorCount > 0) return "refused";
  try {
    return compileModule(module, resolveOptions(undefined), sink) === undefined ? "right" : "compiled";
  } catch (error) {
    if (error instanceof InputError) return "right";
    throw error;
  }
}

type Span = readonly [start: number, end: number, kind: number];

function tokensOf(bytes: Uint8Array): readonly Span[] {
  const scanner = createScanner(createNames(bytes), 0, bytes.length);
  const tokens: Span[] = [];
  for (advance(scanner); scanner.kind !== kind.END; advance(scanner))
    tokens.push([scanner.start, scanner.end, scanner.kind]);
  return tokens;
}

export function* prefixesOf({ name, bytes }: Seed): Generator<Seed> {
  for (let end = 0; end < bytes.length; end++)
    yield { name: `${name}, the first ${end} bytes`, bytes: bytes.subarray(0, end) };
}

/** A seed without one of its tokens; for bitcode, without one four-byte word. */
export function* deletionsOf({ name, bytes }: Seed): Generator<Seed> {
  const spans = isBitcode(bytes)
    ? Array.from({ length: bytes.length >> 2 }, (_, i): Span => [4 * i, 4 * i + 4, 0])
    : tokensOf(bytes);
  for (const [start, end] of spans)
    yield {
      name: `${name} without bytes ${start} to ${end}`,
      bytes: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    };
}

/** Random numbers below a bound, from a seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Mutant `number` of one of the seeds; one in four is of bitcode, if there are such seeds. */
export function mutantOf(all: readonly Seed[], number: number): Seed {
  const below = numbers(Math.imul(number, 2654435761));
  below(2);
  const wantsBitcode = below(4) === 0;
  const some = all.filter(({ bytes }) => isBitcode(bytes) === wantsBitcode);
  const from = some.length > 0 ? some : all;
  const { name, bytes } = from[below(from.length)]!;
  return {
    name: `mutant ${number}, of ${name}`,
    bytes: isBitcode(bytes) ? mutateBits(bytes, below) : mutateTokens(bytes, below),
  };
}

function mutateBits(bytes: Uint8Array, below: (bound: number) => number): Uint8Array {
  const mutant = Uint8Array.from(bytes);
  for (let count = 1 + below(4); count > 0; count--) {
    const at = below(mutant.length);
    if (below(4) > 0) mutant[at]! ^= 1 << below(8);
    else mutant.copyWithin(at, below(mutant.length), below(mutant.length));
  }
  return mutant;
}

const joiners: readonly string[] = [" ", "", "\n", ", "];
/** Words that are rare in valid modules, and numbers at bounds. */
const words: readonly string[] = [
  "-1",
  "0",
  "4294967296",
  "18446744073709551616",
  "0x7FF0000000000000",
  "undef",
  "poison",
  "null",
  "zeroinitializer",
  "i1",
  "i128",
  "i65",
  "<3 x i8>",
  "[0 x i32]",
  "{}",
  "void",
  "label",
  "metadata",
  "addrspace(5)",
  "ptr",
  // Properties of every JavaScript object.
  "constructor",
  "__proto__",
  '"toString"',
  '"constructor"="1"',
];

function mutateTokens(bytes: Uint8Array, below: (bound: number) => number): Uint8Array {
  const tokens = tokensOf(bytes);
  if (tokens.length === 0) return bytes;
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const textOf = ([start, end]: Span): Uint8Array => bytes.subarray(start, end);
  const chosen = Array.from({ length: 1 + below(3) }, () => one(tokens)).sort(([a], [b]) => a - b);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const span of chosen) {
    const [start, end, kindOf] = span;
    if (start < at) continue;
    parts.push(bytes.subarray(at, start));
    const what = below(10);
    // Most replacements are of the same kind, which often leaves a readable module.
    if (what < 5) parts.push(textOf(one(tokens.filter(([, , other]) => other === kindOf))));
    else if (what === 5) parts.push(textOf(one(tokens)), Buffer.from(one(joiners)), textOf(span));
    else if (what === 6) parts.push(Uint8Array.of(below(256)));
    else if (what === 7) parts.push(Buffer.from(one(words)));
    else if (what === 8) parts.push(textOf(span), Buffer.from(" "), textOf(span));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}
