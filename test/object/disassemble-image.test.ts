import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import type { LinkedImage, ObjectFile } from "../../lib/object/object.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { programsOfSeveralModules } from "../oracle/programs.js";
import { randomSets } from "../oracle/random-sets.js";
import { textOf } from "./essence.js";
import { asMade } from "./made-here.js";
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

/** What a launch sees of an image, regardless of the order of symbols: kernels, and variables with their bytes. */
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

test("an image with instructions that later versions removed is printed under its modules' version", (t) => {
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

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const store = (name: string): string => `st.shared.u32 [${name}], 1;`;
const bodyOf = (text: string, kernel: string): string =>
  new RegExp(`\\.(?:entry|func) ${kernel}\\([^{]*\\{([^}]*)\\}`).exec(text)![1]!;

test("shared memory of an image is named by each kernel's own variables", (t) => {
  // c is at 0 for k0 and k1; own is at 0 for k2, and dynamic memory at 16, inside c.
  const several = `.shared .b32 c[16];
.visible .entry k0() { ${store("c")} ret; }
.visible .entry k1() { ${store("c+32")} ret; }
.extern .shared .b32 d[];
.visible .entry k2() { .shared .b32 own[2]; ${store("own")} ${store("d")} ret; }`;
  const text = textOf(link([`${head}${several}`]));
  t.regex(bodyOf(text, "k1"), /\[c\+32\]/);
  t.regex(bodyOf(text, "k2"), /\[own\][^]*\[d\]/);

  // Each has its own at 0, and neither can name the other's.
  const inner = (k: string): string => `.func f() { .shared .b32 x; ${store("x")} ret; }
.visible .entry ${k}0() { call f; ret; }
.visible .entry ${k}1() { call f; ret; }`;
  const twins = textOf(link([`${head}${inner("a")}`, `${head}${inner("b")}`]));
  t.regex(bodyOf(twins, "f"), /\[x\]/);
  t.regex(bodyOf(twins, "f_1"), /\[x\]/);
  t.notThrows(() => check(twins, "printed.ptx"));
});

test("images of random sets are printed as valid texts", (t) => {
  for (const { name, texts } of randomSets(771, 12)) {
    let image: LinkedImage;
    try {
      image = link(texts);
    } catch {
      continue; // one set in six has a fault
    }
    t.notThrows(() => link([textOf(image)]), name);
  }
});

for (const { folder, texts } of programsOfSeveralModules()) {
  test(`${folder}: the image is written, read and printed as one module with the same contents`, (t) => {
    const image = link(texts);
    const bytes = writeObject(image);
    const read = decodeObject(bytes, image.name);
    if (!read.ok) return t.fail(read.error.what);
    t.deepEqual(asMade(read.value, bytes), asMade(image, bytes));
    const again = link([textOf(read.value)]);
    t.deepEqual(contents(again), contents(image));
  });
}
