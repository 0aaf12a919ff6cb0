// --reverse-sections and --shuffle-sections change addresses and nothing else.

import test from "ava";
import type { LinkedImage } from "../../lib/object/object.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { inOrder, type SectionOrder } from "../../lib/link/layout/section-order.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

const bodies = Array.from({ length: 8 }, (_, i) =>
  moduleText(`.visible .global .u32 x${i} = ${i};\n.weak .global .u32 w = ${i};`),
);
const files = {
  ...Object.fromEntries(bodies.map((body, i) => [`m${i}.ptx`, body])),
  "k.ptx": moduleText(
    `.extern .global .u32 x5;\n.extern .global .u32 w;\n.visible .entry k(.param .u64 p) {
      .reg .u64 %rd; .reg .u32 %a, %b; ld.param.u64 %rd, [p];
      ld.global.u32 %a, [x5]; ld.global.u32 %b, [w]; st.global.v2.u32 [%rd], {%a, %b}; ret; }`,
  ),
};

function placesOf(sectionOrder?: SectionOrder): readonly string[] {
  const objects = bodies.map((body, i) => objectOf(`m${i}.ptx`, body));
  const image: LinkedImage = linkObjects(objects, sectionOrder === undefined ? {} : { sectionOrder }, createSink())!;
  return image.symbols
    .flatMap(({ name, placement }) => (placement.kind === "section" && /^x/.test(name) ? [{ name, placement }] : []))
    .sort((a, b) => a.placement.offset - b.placement.offset)
    .map(({ name }) => name);
}

test("variables are in the order of their modules, reversed or shuffled", (t) => {
  const names = bodies.map((_, i) => `x${i}`);
  t.deepEqual(placesOf(), names);
  t.deepEqual(placesOf({ kind: "reversed" }), names.toReversed());
  const shuffled = placesOf({ kind: "shuffled", seed: 7 });
  t.deepEqual(shuffled.toSorted(), names);
  t.notDeepEqual(shuffled, names);
  t.deepEqual(placesOf({ kind: "shuffled", seed: 7 }), shuffled);
});

test("a seed's order is the same everywhere, and seeds give many orders", (t) => {
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  t.is(inOrder(digits, { kind: "shuffled", seed: 1 }).join(""), "9816723405");
  const orders = new Set(digits.map((seed) => inOrder(digits, { kind: "shuffled", seed }).join("")));
  t.is(orders.size, 10);
});

for (const option of ["--reverse-sections", "--shuffle-sections=3"])
  test(`${option} changes no result, and the image is valid`, async (t) => {
    const line = ["link", ...Object.keys(files), "-o", "out", option];
    const { status, written, err } = await ptxkit(line, { files });
    t.is(status, 0, err);
    const image = { ...files, out: written.get("out")! };
    const run = await ptxkit(["run", "out", "-k", "k", "-g", "1", "-b", "1", "-a", "u32[2]=0"], { files: image });
    t.regex(run.out, /0: 5 0\n/);
    t.is((await ptxkit(["inspect", "out", "--verify"], { files: image })).status, 0);
    t.is((await ptxkit([...line, "-r"], { files })).status, 2);
    t.is((await ptxkit([...line, "--emit", "ptx"], { files })).status, 2);
  });
