// Damages correct modules: cuts them off after any token or in the middle of one, and removes any single token. The checker must
// handle whatever remains: with diagnostics that can be shown, or, if it is another correct module, with an object whose
// instructions can be shown. test/check/total.test.ts takes a sample, `npm run sweep` takes all.

import { checkSource } from "../../lib/check/check.js";
import { renderText } from "../../lib/diag/render-text.js";
import { createSink, type DiagnosticSink } from "../../lib/diag/sink.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { tokenize } from "../../lib/ptx/lexer.js";

/** Through all stages of `ptxkit as`. */
export function process(bytes: Uint8Array): DiagnosticSink {
  const sink = createSink();
  const module = checkSource({ name: "a.ptx", bytes }, sink);
  if (sink.errorCount === 0) writeObject(assemble(module));
  return sink;
}

/** Byte offsets of the beginning and end of each token. */
export function tokensOf(bytes: Uint8Array): readonly (readonly [number, number])[] {
  const { tokens } = tokenize(bytes);
  return Array.from({ length: tokens.count }, (_, i) => [tokens.starts[i]!, tokens.ends[i]!] as const).filter(
    ([start, end]) => end > start,
  );
}

/** The remaining bytes of a module. */
export interface Damaged {
  readonly what: string;
  readonly bytes: Uint8Array;
  /** Whether it is certainly wrong, because a brace is still open. */
  readonly broken: boolean;
}

/** Every `step`-th damage of a module, from the `first`-th on. */
export interface Share {
  readonly first: number;
  readonly step: number;
}

const [OPEN, CLOSE] = [..."{}"].map((brace) => brace.charCodeAt(0));

/** Prefixes that end after each token, and within each token of several characters. */
export function* prefixes(bytes: Uint8Array, { first, step }: Share): Generator<Damaged> {
  let depth = 0;
  let index = 0;
  for (const [start, end] of tokensOf(bytes)) {
    const middle = (start + end) >> 1;
    for (const cut of middle > start ? [middle, end] : [end]) {
      if (cut === end) depth += bytes[start] === OPEN ? 1 : bytes[start] === CLOSE ? -1 : 0;
      if (index++ % step === first) {
        yield { what: `the first ${cut} bytes`, bytes: bytes.subarray(0, cut), broken: depth > 0 };
      }
    }
  }
}

/** The module without each of its tokens; a space replaces it, so that its neighbours stay separate. */
export function* deletions(bytes: Uint8Array, { first, step }: Share): Generator<Damaged> {
  let index = 0;
  for (const [start, end] of tokensOf(bytes)) {
    if (index++ % step !== first) continue;
    const left = Buffer.concat([bytes.subarray(0, start), Buffer.from(" "), bytes.subarray(end)]);
    const broken = bytes[start] === OPEN || bytes[start] === CLOSE;
    yield { what: `without bytes ${start} to ${end}`, bytes: left, broken };
  }
}

/** The problem with the result for a damaged module; undefined if there is none. Passes on exceptions. */
export function faultOf({ bytes, broken }: Damaged): string | undefined {
  const sink = process(bytes);
  if (broken && sink.errorCount === 0) return "a brace is missing, and nothing was reported";
  const shown = renderText(sink.all, { readText: () => bytes });
  const heads = shown.split("\n").filter((line) => /^a\.ptx:\d+:\d+: (error|warning): .+ \[[a-z-]+\]$/.test(line));
  const placed = sink.all.filter(({ place }) => place?.kind === "text").length;
  if (heads.length !== placed) return `${placed} diagnostics have places, ${heads.length} are shown at theirs`;
  const outside = sink.all.find(({ place }) => place?.kind === "text" && place.end > bytes.length);
  return outside && `'${outside.message}' is reported beyond the text`;
}
