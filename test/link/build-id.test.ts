// --build-id writes a hash of the contents into a note, for GNU tools and for inspect, and changes nothing else.

import { createHash } from "node:crypto";
import test from "ava";
import { ptxkit } from "../cli/surroundings.js";

const module = (value: number): string =>
  `.version 8.5\n.target sm_80\n.address_size 64\n.visible .global .u32 a = ${value};\n.visible .entry k() { ret; }\n`;

async function image(value: number, ...options: readonly string[]): Promise<Buffer> {
  const { status, err, written } = await ptxkit(["link", "a.ptx", "-o", "a.img", ...options], {
    files: { "a.ptx": module(value) },
  });
  if (status !== 0) throw new Error(err);
  return Buffer.from(written.get("a.img")!);
}

/** Header of the note: sizes of name and description, type NT_GNU_BUILD_ID, the name. */
const head = Buffer.from("040000001400000003000000474e5500", "hex");

test("the ID is the hash of the file with zeros in its place", async (t) => {
  const bytes = await image(1, "--build-id");
  const at = bytes.indexOf(head) + head.length;
  const id = Buffer.from(bytes.subarray(at, at + 20));
  bytes.fill(0, at, at + 20);
  t.deepEqual(createHash("sha256").update(bytes).digest().subarray(0, 20), id);
});

test("the ID depends on the contents only; there is none without --build-id", async (t) => {
  t.deepEqual(await image(1, "--build-id"), await image(1, "--build-id"));
  const idOf = (bytes: Buffer) => bytes.subarray(bytes.indexOf(head) + head.length).subarray(0, 20);
  t.notDeepEqual(idOf(await image(1, "--build-id")), idOf(await image(2, "--build-id")));
  t.is((await image(1)).indexOf(head), -1);
});

test("inspect shows it, and the image runs", async (t) => {
  const bytes = await image(1, "--build-id");
  const id = bytes
    .subarray(bytes.indexOf(head) + head.length)
    .subarray(0, 20)
    .toString("hex");
  const { out } = await ptxkit(["inspect", "a.img", "--info"], { files: { "a.img": bytes } });
  t.true(out.includes(`Note in .note.gnu.build-id: GNU type 3\n  build ID ${id}\n`), out);
  const run = await ptxkit(["run", "a.img", "-k", "k", "-g", "1", "-b", "1"], { files: { "a.img": bytes } });
  t.is(run.status, 0, run.err);
});
