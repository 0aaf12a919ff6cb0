// Links compared with the record of links (record.ts), from files and from packed objects; and inputs for them.

import { readdirSync, readFileSync } from "node:fs";
import type { ExecutionContext } from "ava";
import { sample } from "../../sample.js";
import { generateModules } from "../../../bench/generate-modules.js";
import { createSink } from "../../../lib/diag/sink.js";
import { emitPtx, linkObjects, linkRelocatable } from "../../../lib/link/link-objects.js";
import { defineSymbols } from "../../../lib/link/defsym/define.js";
import { finishLink, resolveLink } from "../../../lib/link/link.js";
import { createPacker } from "../../../lib/object/columns/packed/pack.js";
import type { LinkInput } from "../../../lib/object/columns/packed/packed-object.js";
import { ifSupported } from "../../../lib/object/columns/cursor.js";
import { createTypes } from "../../../lib/object/columns/types.js";
import { createStrings } from "../../../lib/object/columns/strings.js";
import { reportDroppedDebug } from "../../../lib/link/messages/emitted-ptx.js";
import { printModule } from "../../../lib/link/relocatable/print.js";
import { hasDiagnostics } from "../../../lib/link/detect/detect.js";
import { reportDiagnostics } from "../../../lib/link/diagnostics/report.js";
import { reportLimits } from "../../../lib/link/diagnostics/limits.js";
import type { ObjectFile, RelocObject } from "../../../lib/object/object.js";
import { readObject } from "../../../lib/object/file/read.js";
import { writeObject } from "../../../lib/object/file/write.js";
import { testdata } from "../../oracle/programs.js";
import { moduleText, objectOf } from "../build.js";
import { openRecord, summary, type Outcome } from "./record.js";
import type { SymbolDefinition } from "../../../lib/link/model/symbol-definition.js";
import type { PassOptions } from "../../../lib/link/state/options.js";
import { type LinkOutput, exceedsLimits } from "../../../lib/link/state/results.js";

export interface BothOptions extends PassOptions {
  readonly define?: readonly SymbolDefinition[];
}

/** The link by the library, of objects as values. Undefined if a file is unreadable. */
function ofObjects(files: readonly Uint8Array[], options: BothOptions): Outcome | undefined {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink));
  if (sink.all.length > 0) return undefined;
  const { asText = false, relocatable = false, ...rest } = options;
  if (asText) {
    const image = emitPtx(objects as readonly ObjectFile[], { ...rest, relocatable }, sink);
    return { image, said: sink.all };
  }
  const link = relocatable ? linkRelocatable : linkObjects;
  const image = link(objects as readonly ObjectFile[], rest, sink);
  return { image: image && writeObject(image), said: sink.all };
}

/** The image of a link without diagnostics; undefined if there are any, or if a file is unsupported. */
export function linkQuietly(files: readonly LinkInput[], options: PassOptions = {}): LinkOutput | undefined {
  const named = ifSupported(() => resolveLink(files, options));
  if (named === undefined || hasDiagnostics(named.pending)) return undefined;
  const linked = finishLink(named, options);
  return exceedsLimits(linked) ? undefined : linked;
}

/** The link of files by columns. Undefined if a file is unsupported. */
function plain(files: readonly LinkInput[], { define, ...given }: BothOptions): Outcome | undefined {
  const sink = createSink();
  const names = files.map((_, i) => `${i}.o`);
  const options: PassOptions =
    define === undefined
      ? given
      : { ...given, hasDefinitions: true, defineNames: (columns) => defineSymbols(columns, names, define) };
  const named = ifSupported(() => resolveLink(files, options));
  if (named === undefined) return undefined;
  if (hasDiagnostics(named.pending)) reportDiagnostics(named, names, options, sink);
  if (sink.errorCount > 0) return { image: undefined, said: sink.all };
  const linked = finishLink(named, options);
  if (exceedsLimits(linked)) {
    reportLimits(linked, names, options, sink);
    return { image: undefined, said: sink.all };
  }
  if (linked.printed === undefined) return { image: Buffer.concat(linked.image), said: sink.all };
  const { parts, isWhole, dropped } = printModule(linked.printed, named.settledNames);
  const image = Buffer.concat(Array.from(parts, (part) => part.slice()));
  for (const each of dropped) reportDroppedDebug({ name: "a.ptx", modules: linked.printed.modules }, each, sink);
  return isWhole() ? { image, said: sink.all } : undefined;
}

/** Compares a link of files, and of packed objects, with its record. False if a file is unsupported, which readers of objects explain. */
type Agree = (t: ExecutionContext, files: readonly Uint8Array[], what: string, options?: BothOptions) => boolean;

/** Compares links with the record of a file of tests, given by its URL; `testRecord` declares the file's last test. */
export function withRecord(testFile: string): { readonly agree: Agree; readonly testRecord: () => void } {
  const record = openRecord(testFile);
  const agree: Agree = (t, files, what, options = {}) => {
    const own = plain(files, options);
    const expected = record.summaryOf(files, options, () => ofObjects(files, options));
    if (own === undefined) return false;
    t.is(summary(own), expected, what);
    t.is(summary(plain(files.map(packer()), options)), expected, `${what}, packed`);
    return true;
  };
  return { agree, testRecord: () => record.declareTest() };
}

/**
 * Packs objects as texts are packed on their way into an image, all with one type table. Files that cannot be packed
 * stay files.
 */
function packer(): (file: Uint8Array) => LinkInput {
  const pack = createPacker();
  const dictionary = createTypes(createStrings());
  return (file) => pack(readObject(file, "a.o", createSink()) as RelocObject, dictionary);
}

/** Joins several files into one, as `-r` does. */
export function joined(files: readonly Uint8Array[]): Uint8Array {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  return writeObject(linkRelocatable(objects, {}, sink)!);
}

export const fileOf = (text: string, i: number): Uint8Array => writeObject(objectOf(`m${i}.ptx`, text));

export const program = (count: number, target?: string): readonly Uint8Array[] =>
  generateModules(count, target).map(({ text }, i) => fileOf(text, i));

interface RecordedCase {
  /** Module bodies, without the common header. */
  readonly bodies?: readonly string[];
  readonly texts?: readonly string[];
}

/** The modules of each recorded case of testdata/oracle/link. */
export function recordedModules(file: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`oracle/link/${file}.json`, testdata), "utf8");
  const { cases } = JSON.parse(text) as { readonly cases: readonly RecordedCase[] };
  return cases.map(({ bodies = [], texts = bodies.map((body) => moduleText(body)) }) => texts);
}

/** Programs of testdata: a sample has one in `every` of each kind. */
export function someProgramNames(every: number): readonly string[] {
  const folders = readdirSync(new URL("programs/", testdata), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return sample(names, every, { kind: (name) => /-(?:debug|lineinfo)$|^(?:modules|old|bits32)/.exec(name)?.[0] ?? "" });
}

/** Recorded links: a sample has one in `every` of each list. */
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

/** The modules of a program of testdata, sorted by name. */
export function programFiles(name: string): readonly Uint8Array[] {
  const folder = new URL(`programs/${name}/`, testdata);
  const texts = readdirSync(folder).filter((file) => file.endsWith(".ptx"));
  return texts.map((file) => fileOf(readFileSync(new URL(file, folder), "utf8"), 0));
}
