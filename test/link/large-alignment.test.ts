// Variables that are aligned to more than a file is, up to what PTX can say: the same bytes from texts and objects, by both linkers.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { agree, fileOf } from "./both-linkers.js";
import { moduleText } from "./build.js";

const module = (align: number): string =>
  moduleText(
    `.visible .global .align ${align} .u32 x = 5;\n.visible .const .align ${align} .u32 y = 6;\n` +
      `.visible .shared .align ${align} .u32 z;\n.visible .global .align ${align} .u32 w;\n.visible .entry k() { ret; }`,
  );

for (const align of [8192, 2 ** 30])
  test(`an alignment of ${align}`, async (t) => {
    const text = module(align);
    const object = fileOf(text, 0);
    for (const options of [{}, { relocatable: true }, { gcSections: true }])
      t.true(agree(t, [object], "alone", options));
    for (const words of [[], ["-r"]]) {
      const link = async (file: string) =>
        (await ptxkit(["link", file, ...words, "-o", "out"], { files: { "m0.ptx": text, "a.o": object } })).written;
      const [fromText, fromObject] = [await link("m0.ptx"), await link("a.o")].map((written) => written.get("out")!);
      t.deepEqual(fromText, fromObject);
      t.like(await ptxkit(["inspect", "--verify", "out"], { files: { out: fromText! } }), { status: 0, err: "" });
    }
  });

test("what has 2 GiB is too large to be linked, in a text and in an object", async (t) => {
  const wide = moduleText(".visible .global .b8 x[2147483648];\n.visible .entry k() { ret; }");
  for (const text of [module(2 ** 31), wide])
    for (const file of ["m0.ptx", "a.o"]) {
      const files = { "m0.ptx": text, "a.o": fileOf(text, 0) };
      const { status, err } = await ptxkit(["link", file, "-o", "out"], { files });
      t.is(status, 1);
      t.regex(err, /the link has a section or an alignment of 2 GiB or more/);
    }
});
