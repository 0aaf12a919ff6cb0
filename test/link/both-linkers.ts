// The plain linker beside the ordinary one, and what to give both.

import { readdirSync, readFileSync } from "node:fs";
import type { ExecutionContext } from "ava";
import { generateModules } from "../../bench/generate-modules.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link.js";
import { linkPlain, type PlainOptions } from "../../lib/link/plain/link.js";
import { linkRelocatable } from "../../lib/link/relocatable.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/read.js";
import { writeObject } from "../../lib/object/write.js";
import { testdata } from "../oracle/programs.js";
import { objectOf } from "./build.js";

/** The bytes of the ordinary linker's output; undefined where it has anything to say. */
function ordinary(files: readonly Uint8Array[], options: PlainOptions = {}): Uint8Array | undefined {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink));
  if (sink.all.length > 0) return undefined;
  const link = options.relocatable === true ? linkRelocatable : linkObjects;
  const image = link(objects as readonly ObjectFile[], options, sink);
  return image === undefined || sink.all.length > 0 ? undefined : writeObject(image);
}

/** Holds both against each other, and links of whole and of bare files; whether the link was plain. */
export function agree(
  t: ExecutionContext,
  files: readonly Uint8Array[],
  what: string,
  options: PlainOptions = {},
): boolean {
  const linked = linkPlain(files, options);
  if (linked === undefined) return false;
  const expected = ordinary(files, options);
  t.true(expected !== undefined && Buffer.compare(expected, Buffer.concat(linked.image)) === 0, what);
  const ofBare = linkPlain(files.map(bare), options);
  t.true(ofBare !== undefined && Buffer.compare(expected!, Buffer.concat(ofBare.image)) === 0, `${what}, bare`);
  return true;
}

/** What texts are assembled to on their way into an image. */
const bare = (file: Uint8Array): Uint8Array => writeObject(readObject(file, "a.o", createSink())!, { isBare: true });

/** One file of several, as `-r` makes it. */
export function joined(files: readonly Uint8Array[]): Uint8Array {
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  return writeObject(linkRelocatable(objects, {}, sink)!);
}

export const fileOf = (text: string, i: number): Uint8Array => writeObject(objectOf(`m${i}.ptx`, text));

export const program = (count: number, target?: string): readonly Uint8Array[] =>
  generateModules(count, target).map(({ text }, i) => fileOf(text, i));

/** Module bodies of each recorded case of testdata/oracle/link. */
export const bodiesOf = (file: string): readonly (readonly string[])[] => {
  const text = readFileSync(new URL(`../../../testdata/oracle/link/${file}.json`, import.meta.url), "utf8");
  const { cases } = JSON.parse(text) as { readonly cases: readonly { readonly bodies: readonly string[] }[] };
  return cases.map(({ bodies }) => bodies);
};

/** The modules of a program of testdata, in the order of their names. */
export function programFiles(name: string): readonly Uint8Array[] {
  const folder = new URL(`programs/${name}/`, testdata);
  const texts = readdirSync(folder).filter((file) => file.endsWith(".ptx"));
  return texts.map((file) => fileOf(readFileSync(new URL(file, folder), "utf8"), 0));
}
