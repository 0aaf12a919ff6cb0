// Inputs in Buffers, as Node reads files, members of archives among them. A Buffer's slice() does not copy, and it may
// begin at any even address. The bytes belong to the caller and must not change.

import test, { type ExecutionContext } from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects, linkRelocatable } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { fileOf, linkQuietly, program, programFiles } from "./record/links.js";
import { moduleText } from "./build.js";

/** In the middle of a larger buffer, as a member is in an archive. */
function asMember(bytes: Uint8Array): Buffer {
  const archive = Buffer.alloc(bytes.length + 6);
  archive.set(bytes, 2);
  return archive.subarray(2, -4);
}

/** Checks that a link of members equals one of files, and does not modify the members. */
function holds(
  t: ExecutionContext,
  files: readonly Uint8Array[],
  how: string,
  link: (files: readonly Uint8Array[]) => readonly Uint8Array[],
): void {
  const expected = Buffer.concat(link(files.map((bytes) => new Uint8Array(bytes))));
  const members = files.map(asMember);
  t.is(Buffer.compare(Buffer.concat(link(members)), expected), 0, how);
  t.true(
    members.every((member, i) => Buffer.compare(member, files[i]!) === 0),
    `${how}: inputs are changed`,
  );
}

const read = (files: readonly Uint8Array[]) =>
  files.map((bytes, i) => readObject(bytes, `${i}.o`, createSink()) as ObjectFile);

const ordinary =
  (options: LinkOptions = {}) =>
  (files: readonly Uint8Array[]): readonly Uint8Array[] => [
    writeObject(linkObjects(read(files), options, createSink())!),
  ];

const relocatable = (files: readonly Uint8Array[]): readonly Uint8Array[] => [
  writeObject(linkRelocatable(read(files), {}, createSink())!),
];

test("links of members of archives equal those of files, and leave the archive's bytes unchanged", (t) => {
  for (const files of [program(3), programFiles("modules-debug")]) {
    holds(t, files, "plain", (given) => linkQuietly(given)!.image);
    holds(t, files, "plain, with what is live", (given) => linkQuietly(given, { gcSections: true })!.image);
    holds(t, files, "ordinary", ordinary());
    holds(t, files, "relocatable", relocatable);
  }
});

test("aliases and addresses are written into copies, too", (t) => {
  const body =
    ".visible .global .u32 g[4] = {1};\n.extern .global .u32 far;\n.visible .global .u64 p[2] = {far, g};\n" +
    ".visible .entry k(.param .u64 out) { .reg .u64 %d; mov.u64 %d, far; ret; }";
  const define = [{ name: "far", offset: 4096n }];
  const files = [fileOf(moduleText(body), 0)];
  holds(t, files, "an address", ordinary({ define }));
});
