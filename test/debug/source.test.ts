// Variables of C++ from damaged debug information, and from LLVM's.

import { readFileSync } from "node:fs";
import test from "ava";
import { functionDebug, unitVariables, variablesAt } from "../../lib/debug/source/functions.js";
import type { SourceType } from "../../lib/debug/source/types.js";
import { loadImage } from "../../lib/load/load.js";
import type { LinkedImage } from "../../lib/object/object.js";
import { mutations } from "../formats/hostile.js";
import { linkAll, objectOf } from "../link/build.js";
import { startDebugger } from "./client.js";

const read = (name: string): string =>
  readFileSync(new URL(`../../../testdata/debug/${name}`, import.meta.url), "utf8");

const imageOf = (name: string): LinkedImage => {
  const { image } = linkAll([objectOf(name, read(name))]);
  if (image === undefined) throw new Error(`${name} cannot be linked`);
  return image;
};

/** Names of a type and of the types in it, each type once. */
function typeNames(type: SourceType, seen = new Set<SourceType>()): readonly string[] {
  if (seen.has(type)) return [];
  seen.add(type);
  const inner =
    type.kind === "pointer" || type.kind === "reference"
      ? [type.target()]
      : type.kind === "struct"
        ? type.members().map((member) => member.type())
        : type.kind === "array"
          ? [type.element]
          : [];
  return [type.name, ...inner.flatMap((each) => typeNames(each, seen))];
}

/** "name: types" of all variables in scope at any instruction of a kernel. */
function variablesIn(image: LinkedImage, kernel: string): ReadonlySet<string> {
  const process = loadImage(image);
  const fn = process.kernels.get(kernel)!.function;
  const debug = functionDebug(process, fn);
  if (debug === undefined) return new Set();
  const here = [...fn.code.instructions.keys()].flatMap((pc) => variablesAt(debug, pc));
  return new Set([...here, ...unitVariables(debug)].map(({ name, type }) => `${name}: ${typeNames(type).join(", ")}`));
}

test("types are the source's types", (t) => {
  const found = variablesIn(imageOf("variables.ptx"), "shapes");
  for (const each of [
    "item: Item, Shape, Kind, int[3], int, Point, float, Item *, unsigned int, Bits",
    "range: Range<double>, double",
    "table: float[2][3], float[3], float",
    "square: int",
    "point: Point &, Point, float",
    "sign: Sign",
    "world::origin: Point, float",
  ])
    t.true(found.has(each), each);
  t.is(found.size, 19);
});

test("damaged debug information loses variables, and stops nothing", (t) => {
  const image = imageOf("variables.ptx");
  const { debugSections = [] } = image;
  let read = 0;
  for (const name of [".debug_info", ".debug_abbrev", ".debug_loc"]) {
    const at = debugSections.findIndex((section) => section.name === name);
    const { data } = debugSections[at]!;
    for (const bytes of mutations(data, at, 150)) {
      // The layout of a section includes the number of its bytes.
      if (bytes.length !== data.length) continue;
      const damaged = debugSections.with(at, { ...debugSections[at]!, data: bytes });
      if (variablesIn({ ...image, debugSections: damaged }, "shapes").size > 0) read++;
    }
  }
  t.true(read > 20);
});

test("variables of a frame as LLVM describes them", async (t) => {
  const d = await startDebugger(t, { "frame.ptx": read("frame.ptx") });
  await d.launch({ program: "frame.ptx", kernel: "k", grid: 1, block: 32, args: ["f32[1]=0", "s32=2"], level: "ptx" });
  await d.break("frame.ptx", 47);
  t.is((await d.start()).reason, "breakpoint");
  const variables = await d.scope(1, "Variables");
  t.deepEqual(
    variables.map(({ name, type, value }) => `${name}: ${type} = ${value}`),
    ["n: int = 2", "x: int = 6", "arr: int[3] = {0, 0, 2}", "v: int = optimised out"],
  );
  await t.throwsAsync(d.evaluate("v + 1"), { message: "v is optimised out" });
});
