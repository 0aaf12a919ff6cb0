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
