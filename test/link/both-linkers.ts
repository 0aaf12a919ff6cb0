// Links held against the record of links (record.ts), from files and from packed objects, and what to link.

import { readdirSync, readFileSync } from "node:fs";
import type { ExecutionContext } from "ava";
import { sample } from "../sample.js";
import { generateModules } from "../../bench/generate-modules.js";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx, linkObjects, linkRelocatable } from "../../lib/link/link.js";
import type { SymbolDefinition } from "../../lib/link/names/defsym.js";
import { definePlain } from "../../lib/link/plain/tell/define.js";
import { finishPlain, isExcess, settlePlain, type PlainLinked, type PlainOptions } from "../../lib/link/plain/link.js";
import { createPacker } from "../../lib/link/plain/packed/pack.js";
import type { PlainInput } from "../../lib/link/plain/packed/packed.js";
import { unlessNotPlain } from "../../lib/link/plain/tables/cursor.js";
import { createShapes } from "../../lib/link/plain/tables/shapes.js";
import { createTexts } from "../../lib/link/plain/tables/texts.js";
import { reportDroppedDebug } from "../../lib/link/output/text-remarks.js";
import { printPlain } from "../../lib/link/plain/join/print.js";
import { isRemarkable } from "../../lib/link/plain/remarks/remarks.js";
import { tellPlain } from "../../lib/link/plain/tell/tell.js";
import { tellPlainLimits } from "../../lib/link/plain/tell/tell-limits.js";
import type { ObjectFile, RelocObject } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { testdata } from "../oracle/programs.js";
import { moduleText, objectOf } from "./build.js";
import { recorded, summary, type Outcome } from "./record.js";

export interface BothOptions extends PlainOptions {
  readonly define?: readonly SymbolDefinition[];
}

/** Through the library, of objects as values. Undefined where a file could not be read. */
function ofObjects(files: readonly Uint8Array[], options: BothOptions): Outcome | undefined {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink));
  if (sink.all.length > 0) return undefined;
  if (options.asText === true) {
    const image = emitPtx(objects as readonly ObjectFile[], options, sink);
    return { image, said: sink.all };
  }
  const link = options.relocatable === true ? linkRelocatable : linkObjects;
  const image = link(objects as readonly ObjectFile[], options, sink);
  return { image: image && writeObject(image), said: sink.all };
}

/** The image of files where nothing is to be said; undefined where something is, or a file cannot be read so. */
export function linkQuietly(files: readonly PlainInput[], options: PlainOptions = {}): PlainLinked | undefined {
  const named = unlessNotPlain(() => settlePlain(files, options));
  if (named === undefined || isRemarkable(named.remarks)) return undefined;
  const linked = finishPlain(named, options);
  return isExcess(linked) ? undefined : linked;
}

/** Undefined where a file cannot be read so. */
function plain(files: readonly PlainInput[], { define, ...given }: BothOptions): Outcome | undefined {
  const sink = createSink();
  const names = files.map((_, i) => `${i}.o`);
  const options: PlainOptions =
    define === undefined
      ? given
      : { ...given, hasDefinitions: true, defineNames: (tables) => definePlain(tables, names, define) };
  const named = unlessNotPlain(() => settlePlain(files, options));
  if (named === undefined) return undefined;
  if (isRemarkable(named.remarks)) tellPlain(named, names, options, sink);
  if (sink.errorCount > 0) return { image: undefined, said: sink.all };
  const linked = finishPlain(named, options);
  if (isExcess(linked)) {
    tellPlainLimits(linked, names, options, sink);
    return { image: undefined, said: sink.all };
  }
  if (linked.printed === undefined) return { image: Buffer.concat(linked.image), said: sink.all };
  const { parts, isWhole, dropped } = printPlain(linked.printed, named.settled);
  const image = Buffer.concat(Array.from(parts, (part) => part.slice()));
  for (const each of dropped) reportDroppedDebug({ name: "a.ptx", modules: linked.printed.modules }, each, sink);
  return isWhole() ? { image, said: sink.all } : undefined;
}

/** Holds links of files, and of packed objects, against the record; whether the files were read into columns at once. */
export function agree(
  t: ExecutionContext,
  files: readonly Uint8Array[],
  what: string,
  options: BothOptions = {},
): boolean {
  const own = plain(files, options);
  const expected = recorded(files, options, () => ofObjects(files, options));
  if (own === undefined) return false;
  t.is(summary(own), expected, what);
  t.is(summary(plain(files.map(packer()), options)), expected, `${what}, packed`);
  return true;
}

/** What texts are assembled to on their way into an image: all in one vocabulary. What cannot be packed stays as it is. */
function packer(): (file: Uint8Array) => PlainInput {
  const pack = createPacker();
  const vocabulary = createShapes(createTexts());
  return (file) => pack(readObject(file, "a.o", createSink()) as RelocObject, vocabulary);
}

/** One file of several, as `-r` makes it. */
export function joined(files: readonly Uint8Array[]): Uint8Array {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  return writeObject(linkRelocatable(objects, {}, sink)!);
}

export const fileOf = (text: string, i: number): Uint8Array => writeObject(objectOf(`m${i}.ptx`, text));

export const program = (count: number, target?: string): readonly Uint8Array[] =>
  generateModules(count, target).map(({ text }, i) => fileOf(text, i));

interface RecordedCase {
  /** What stands behind a header that all have. */
  readonly bodies?: readonly string[];
  readonly texts?: readonly string[];
}

/** The modules of each recorded case of testdata/oracle/link. */
export function recordedModules(file: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../../testdata/oracle/link/${file}.json`, import.meta.url), "utf8");
  const { cases } = JSON.parse(text) as { readonly cases: readonly RecordedCase[] };
  return cases.map(({ bodies = [], texts = bodies.map((body) => moduleText(body)) }) => texts);
}

/** Programs of testdata: in a sample one in `every` of each kind. */
export function someProgramNames(every: number): readonly string[] {
  const folders = readdirSync(new URL("programs/", testdata), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return sample(names, every, { kind: (name) => /-(?:debug|lineinfo)$|^(?:modules|old|bits32)/.exec(name)?.[0] ?? "" });
}

/** Of each list of recorded links in a sample one in `every`. */
export const someRecordedLinks = (
  every: number,
): readonly { readonly what: string; readonly modules: readonly string[] }[] =>
  ["layouts", "resolution", "sets", "shared"].flatMap((file) =>
    sample(
      recordedModules(file).map((modules, i) => ({ what: `${file} ${i}`, modules })),
      every,
      { name: ({ what }) => what },
    ),
  );

/** The modules of a program of testdata, in the order of their names. */
export function programFiles(name: string): readonly Uint8Array[] {
  const folder = new URL(`programs/${name}/`, testdata);
  const texts = readdirSync(folder).filter((file) => file.endsWith(".ptx"));
  return texts.map((file) => fileOf(readFileSync(new URL(file, folder), "utf8"), 0));
}
