import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link.js";
import { assemble } from "../../lib/object/assemble.js";
import type { LinkedImage, ObjectFile } from "../../lib/object/object.js";
import { decodeObject } from "../../lib/object/read.js";
import { writeObject } from "../../lib/object/write.js";
import { programsOfSeveralModules } from "../oracle/programs.js";
import { textOf } from "./essence.js";
import { check } from "./pipeline.js";

function link(texts: readonly string[]): LinkedImage {
  const sink = createSink();
  const image = linkObjects(
    texts.map((text, i) => assemble(check(text, `${i}.ptx`))),
    {},
    sink,
  );
  if (image === undefined) throw new Error(sink.all[0]?.message ?? "no image");
  return image;
}

/** What a launch sees of an image, without the order of symbols: kernels, and variables with their bytes. */
function contents(image: ObjectFile): unknown {
  const kernels = image.kernels.map(({ symbol, ...facts }) => [image.symbols[symbol]!.name, facts] as const);
  const variables = image.symbols.flatMap((symbol) => {
    if (symbol.kind !== "variable" || symbol.scope !== undefined || symbol.placement.kind !== "section") return [];
    const { section, offset } = symbol.placement;
    const bytes = image.sections[section]!.data?.slice(offset, offset + symbol.layout.size);
    // Static variables that share a name are renamed in the text.
    const name = symbol.linkage === "static" ? "" : symbol.name;
    const { type, dimensions, align, size } = symbol.layout;
    const hex = bytes === undefined ? "" : Buffer.from(bytes).toString("hex");
    return [[name, symbol.space, type.name, ...dimensions, align, size, hex].join(" ")];
  });
  return { kernels: kernels.sort(([a], [b]) => (a < b ? -1 : 1)), variables: variables.sort() };
}

test("an image with what later versions have no more is printed under those of its modules", (t) => {
  const head = (text: string): string => /^(\.version .*\n\.target .*)\n/.exec(text)![1]!;
  const body = ".entry k() { .reg .u32 a; mov.u32 a, 1; st.global.u32 [g], a; ret; }";
  const bank = `.version 2.1\n.target sm_20\n.extern .const[2] .u32 c[];\n.global .u32 g;\n${body.replace("mov.u32 a, 1", "ld.const[2].u32 a, [c]")}\n`;
  const registers = `.version 1.4\n.target sm_13\n.reg .u32 r;\n.local .u32 l;\n.global .u32 g;\n${body.replace("mov.u32 a, 1", "mov.u32 r, 1; mov.u32 a, r")}\n`;
  const plain = ".version 2.0\n.target sm_20\n.global .u32 h;\n";
  for (const [texts, expected] of [
    [[bank], ".version 2.1\n.target sm_20"],
    [[registers], ".version 1.4\n.target sm_13"],
    [[registers, plain], ".version 2.0\n.target sm_20"],
    [[bank, plain], ".version 2.1\n.target sm_20"],
    [[plain], ".version 6.3\n.target sm_75"],
  ] as const) {
    const text = textOf(link(texts));
    t.is(head(text), expected);
    t.notThrows(() => check(text, "printed.ptx"));
  }
});

for (const { folder, texts } of programsOfSeveralModules()) {
  test(`${folder}: the image is written, read and printed as one module with the same contents`, (t) => {
    const image = link(texts);
    const read = decodeObject(writeObject(image), image.name);
    if (!read.ok) return t.fail(read.error.what);
    t.deepEqual(read.value, image);
    const again = link([textOf(read.value)]);
    t.deepEqual(contents(again), contents(image));
  });
}
