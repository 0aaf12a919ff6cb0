// Variables with a stricter alignment than the file's, and sizes beyond 32 bits: texts and objects give the same bytes.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { fileOf, withRecord } from "./record/links.js";
import { moduleText } from "./build.js";

const { agree, testRecord } = withRecord(import.meta.url);

const module = (align: number): string =>
  moduleText(
    `.visible .global .align ${align} .u32 x = 5;\n.visible .const .align ${align} .u32 y = 6;\n` +
      `.visible .shared .align ${align} .u32 z;\n.visible .global .align ${align} .u32 w;\n.visible .entry k() { ret; }`,
  );

for (const align of [8192, 2 ** 30, 2 ** 31])
  test(`an alignment of ${align}`, async (t) => {
    const text = module(align);
    const object = fileOf(text, 0);
    for (const options of [{}, { relocatable: true }, { gcSections: true }])
      t.is(agree(t, [object], "alone", options), align < 2 ** 31);
    for (const words of [[], ["-r"]]) {
      const link = async (file: string) =>
        (await ptxkit(["link", file, ...words, "-o", "out"], { files: { "m0.ptx": text, "a.o": object } })).written;
      const [fromText, fromObject] = [await link("m0.ptx"), await link("a.o")].map((written) => written.get("out")!);
      t.deepEqual(fromText, fromObject);
      t.like(await ptxkit(["inspect", "--verify", "out"], { files: { out: fromText! } }), { status: 0, err: "" });
    }
  });

test("variables and alignments of 2 GiB and more link alike, from a text and from an object", async (t) => {
  const wide = moduleText(".visible .global .b8 x[6442450944];\n.visible .global .b8 y;\n.visible .entry k() { ret; }");
  for (const text of [module(2 ** 31), wide]) {
    const images = ["m0.ptx", "a.o"].map(async (file) => {
      const files = { "m0.ptx": text, "a.o": fileOf(text, 0) };
      const { status, err, written } = await ptxkit(["link", file, "-o", "out"], { files });
      t.like({ status, err }, { status: 0, err: "" });
      return written;
    });
    const [ofText, ofObject] = await Promise.all(images);
    t.deepEqual(ofText, ofObject);
  }
});

testRecord();
