// Relocations of code that fit no slot, or one of another kind: --verify reports this damage, and such code is not run
// or printed.

import test from "ava";
import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { ptxkit } from "../cli/surroundings.js";

const module = `.version 8.5
.target sm_80
.address_size 64
.visible .func f() { ret; }
.visible .global .u32 g;
.visible .entry k()
{
  .reg .b64 %d;
  mov.u64 %d, g;
  st.global.u32 [%d], 1;
  call f;
  ret;
}
`;
const files = { "m.ptx": module };
const object = (await ptxkit(["as", "m.ptx", "-o", "o"], { files })).written.get("o")!;
const image = (await ptxkit(["link", "m.ptx", "-o", "o"], { files })).written.get("o")!;

/** The file with one word of the first relocation of k changed: `offset` 0 is the record's. */
function spoilt(file: Uint8Array, at: number, word: number): Uint8Array {
  const elf = readElf(file);
  if (!elf.ok) throw new Error(elf.error.what);
  const bytes = new Uint8Array(file);
  new DataView(bytes.buffer).setUint32(sectionNamed(elf.value, ".rel.text.k")!.offset + at, word, true);
  return bytes;
}

const run = ["run", "damaged", "-k", "k", "-g", "1", "-b", "1"];
const verify = ["inspect", "damaged", "--verify"];

for (const [what, file, at, word, told] of [
  [
    "at no slot",
    image,
    0,
    40,
    /k: the relocation for g at 40 is at no slot, or at one that has one \[malformed-file\]\n/,
  ],
  ["at another's slot", image, 0, 24, /k: g is of global, in a slot for function \[malformed-file\]\n/],
] as const)
  test(`a relocation of an image ${what}`, async (t) => {
    const damaged = spoilt(file, at, word);
    t.like(await ptxkit(run, { files: { damaged: file } }), { status: 0, err: "" });
    const { status, err } = await ptxkit(run, { files: { damaged } });
    t.is(status, 1);
    t.regex(err, told);
    t.is((await ptxkit(verify, { files: { damaged } })).status, 1);
  });

test("a damaged object is not printed as text, and the message names the input and its function", async (t) => {
  const damaged = spoilt(object, 0, 40);
  const link = ["link", "m2.ptx", "damaged", "-r", "--emit", "ptx", "-o", "out"];
  const others = { "m2.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry other() { ret; }\n" };
  const { status, err, written } = await ptxkit(link, { files: { ...others, damaged } });
  t.is(status, 1);
  t.regex(
    err,
    /^damaged:\d+: error: k: the relocation for g at 40 is at no slot, or at one that has one \[malformed-file\]\n/,
  );
  t.is(written.size, 0);
});

test("an object with a name that PTX does not allow is not printed as text", async (t) => {
  const at = Buffer.from(object).indexOf("\0g\0", "latin1") + 1;
  const damaged = new Uint8Array(object);
  damaged[at] = "!".charCodeAt(0);
  const { status, err, written } = await ptxkit(["link", "damaged", "-r", "--emit", "ptx", "-o", "out"], {
    files: { damaged },
  });
  t.is(status, 1);
  t.regex(err, /^damaged:\d+: error: "!" is not a PTX name \[malformed-file\]\n/);
  t.is(written.size, 0);
});
