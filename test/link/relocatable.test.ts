// link -r: an image has the same bytes for any grouping of its modules.

import test, { type Assertions } from "ava";
import fc from "fast-check";
import { rounds, sample } from "../sample.js";
import { writeObject } from "../../lib/object/file/write.js";
import { createSink } from "../../lib/diag/sink.js";
import { parseTarget } from "../../lib/isa/requirement.js";
import { emitPtx, linkRelocatable } from "../../lib/link/link-objects.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { decodeObject } from "../../lib/object/file/read.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { programsOfSeveralModules } from "../oracle/programs.js";
import { randomLayouts } from "../oracle/random-layouts.js";
import { modulesOf } from "../oracle/compare-link.js";
import { randomSets } from "../oracle/random-sets.js";
import { randomShared } from "../oracle/random-shared.js";
import { linkAll, moduleText, objectOf } from "./build.js";

/** The output of -r, read back from the bytes of its file. */
function join(objects: readonly ObjectFile[]): ObjectFile {
  const sink = createSink();
  const object = linkRelocatable(objects, { name: "joined.o" }, sink);
  if (object === undefined) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  const read = decodeObject(writeObject(object), "joined.o");
  if (!read.ok) throw new Error(read.error.what);
  return read.value;
}

const imageBytes = (objects: readonly ObjectFile[], options: LinkOptions = {}): string | readonly string[] => {
  const { image, diagnostics } = linkAll(objects, options);
  return image === undefined
    ? diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)
    : Buffer.from(writeObject(image)).toString("hex");
};

/** Undefined if -r refuses the inputs. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Random numbers from a seed, good enough for shuffling. */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x9e3779b1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Joins random neighbours, repeatedly, until few objects are left. */
function grouped(objects: readonly ObjectFile[], random: (below: number) => number): readonly ObjectFile[] {
  let parts = objects;
  for (let rounds = 1 + random(3); rounds > 0; rounds--) {
    const next: ObjectFile[] = [];
    for (let i = 0; i < parts.length;) {
      const count = 1 + random(3);
      const group = parts.slice(i, i + count);
      next.push(random(4) === 0 && group.length === 1 ? group[0]! : join(group));
      i += count;
    }
    parts = next;
  }
  return parts;
}

function holdsForGroupings(
  t: Assertions,
  name: string,
  objects: readonly ObjectFile[],
  seed: number,
  options: LinkOptions = {},
): void {
  const expected = imageBytes(objects, options);
  const random = randomFrom(seed);
  for (let i = 0; i < 3; i++)
    t.deepEqual(imageBytes(grouped(objects, random), options), expected, `${name}, grouping ${i}`);
  t.deepEqual(imageBytes([join(objects)], options), expected, `${name}, all in one`);
}

test("random programs link to the same bytes in any grouping", (t) => {
  // 60 programs of one to four modules: statics, weak and common symbols, constants, shared memory of all kinds.
  randomLayouts(7, rounds(60, 8)).forEach(({ name, bodies }, seed) => {
    const objects = bodies!.map((body, i) => objectOf(`${name} ${i}.ptx`, moduleText(body)));
    holdsForGroupings(t, name, objects, seed);
  });
});

test("shared variables of one size stand in the same order in any grouping, also where functions are left out", (t) => {
  let different = 0;
  randomShared(5, rounds(30, 8)).forEach((each, seed) => {
    const { names, texts } = modulesOf(each);
    const objects = texts.map((text, i) => objectOf(names[i]!, text));
    if (typeof imageBytes(objects) !== "string") return;
    const collecting: LinkOptions = { gcSections: true, roots: { keepExports: false } };
    for (const options of [{}, { gcSections: true }, collecting])
      holdsForGroupings(t, each.name, objects, seed, options);
    if (imageBytes(objects) !== imageBytes(objects, collecting)) different++;
  });
  t.true(different * 2 > rounds(30, 8));
});

test("random sets of modules, right and wrong, link to the same in any grouping", (t) => {
  randomSets(3, rounds(40, 8)).forEach((each, seed) => {
    const { names, texts } = modulesOf(each);
    const objects = texts.map((text, i) => objectOf(names[i]!, text));
    const isRight = typeof imageBytes(objects) === "string";
    if (isRight) holdsForGroupings(t, each.name, objects, seed);
    else {
      const sink = createSink();
      const joined = linkRelocatable(objects, {}, sink);
      t.true(joined === undefined || typeof imageBytes([joined]) !== "string", each.name);
    }
  });
});

test("a function-scope variable that lost under -r keeps its part in the layout of shared memory", (t) => {
  const [set] = randomSets(3, 69).slice(-1);
  const { names, texts } = modulesOf(set!);
  holdsForGroupings(
    t,
    set!.name,
    texts.map((text, i) => objectOf(names[i]!, text)),
    1,
  );
});

for (const { folder, files, texts } of sample(programsOfSeveralModules(), 4, { name: ({ folder }) => folder }))
  test(`${folder} links to the same bytes in any grouping`, (t) => {
    holdsForGroupings(
      t,
      folder,
      texts.map((text, i) => objectOf(files[i]!, text)),
      1,
    );
  });

/** How one module may declare a variable; 0 bytes is `[]`. */
const claims = fc.record({
  linkage: fc.constantFrom(".extern", ".extern", ".common", ".common", ".weak", ".visible"),
  bytes: fc.constantFrom(0, 8, 8, 8, 16, 24),
  align: fc.constantFrom(1, 8, 32),
  isUsed: fc.boolean(),
});
type Claim = typeof claims extends fc.Arbitrary<infer T> ? T : never;

const claimText = (name: string, { linkage, bytes, align, isUsed }: Claim): string => {
  const size = bytes > 0 ? bytes : linkage === ".extern" ? "" : 8;
  return `${linkage} .global .align ${align} .b8 ${name}[${size}];\n${isUsed ? `.global .u64 of_${name} = ${name};\n` : ""}`;
};

test("names that modules declare or leave undefined in every way resolve alike, or fail, in any grouping", (t) => {
  const runs = rounds(500, 12);
  let [right, wrong] = [0, 0];
  const sets = fc.array(fc.tuple(claims, fc.option(claims, { freq: 2 })), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(sets, fc.nat(), (set, seed) => {
      const bodies = set.map(([x, y]) => claimText("x", x) + (y === null ? "" : claimText("y", y)));
      const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
      // Only the final link reports undefined names.
      const expected = imageBytes(objects);
      const random = randomFrom(seed);
      for (let i = 0; i < 3; i++) {
        const parts = attempt(() => grouped(objects, random));
        const given = parts === undefined ? ["symbol-size"] : imageBytes(parts);
        if (typeof expected === "string") t.is(given, expected, bodies.join("\n"));
        else t.not(typeof given, "string", bodies.join("\n"));
      }
      if (typeof expected === "string") right++;
      else wrong++;
    }),
    { numRuns: runs },
  );
  // About 55 of 250 succeed.
  t.true(12 * right > runs && 12 * wrong > runs, `${right} right, ${wrong} wrong`);
});

test("a .common variable has the strictest alignment declared, without a warning", (t) => {
  const bodies = [".extern .global .align 16 .b8 x[8];", ".common .global .align 4 .b8 x[8];"];
  const { image, diagnostics } = linkAll(bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body))));
  t.deepEqual(diagnostics, []);
  t.like(
    image?.symbols.find(({ name }) => name === "x"),
    { layout: { align: 16 } },
  );
});

test("an .extern of a .common's size is checked against later links, in any order", (t) => {
  const bodies = [
    ".extern .global .align 4 .b8 x[8];",
    ".common .global .align 4 .b8 x[8];",
    ".common .global .align 4 .b8 x[16];",
  ];
  const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
  for (const [a, b, c] of [[0, 1, 2] as const, [1, 0, 2] as const]) {
    const pair = join([objects[a]!, objects[b]!]);
    t.is(typeof imageBytes([pair]), "string");
    for (const order of [
      [pair, objects[c]!],
      [objects[c]!, pair],
      [join([pair]), objects[c]!],
    ]) {
      t.deepEqual(imageBytes(order), ["symbol-size"]);
      t.is(
        attempt(() => join(order)),
        undefined,
      );
    }
    t.like(linkAll([pair, objects[c]!]).diagnostics[0]?.place, { file: "0.ptx", line: 4 });
  }
});

const kernel = (name: string, body: string): string => `.visible .entry ${name}() { .reg .b32 %r; ${body} ret; }`;

/** Programs with names that stay undefined after -r, until an earlier or later module defines them. */
const programs: Readonly<Record<string, readonly string[]>> = {
  "a strong definition behind two weak ones": [
    ".weak .global .u32 x = 1; .weak .func f() { ret; } .global .u64 p = x;",
    `.weak .global .u32 x = 2; .weak .func f() { bar.sync 0; ret; } ${kernel("k", "call f; ld.global.u32 %r, [x];")}`,
    ".visible .global .u32 x = 3; .visible .func f() { bar.sync 1; ret; }",
  ],
  "a weak function and a weak shared variable that a later module replaces": [
    `.weak .shared .align 16 .b8 w[8]; .shared .b32 z[5]; .func h() { .reg .b32 %r; ld.shared.u32 %r, [z]; ret; }
    .weak .func f() { call h; ret; } ${kernel("k", "call f; ld.shared.u32 %r, [w];")}`,
    `.extern .func g(); .weak .shared .align 32 .b8 w[8]; .weak .func f() { call g; ret; } ${kernel("l", "call f; ld.shared.u32 %r, [w];")}`,
    `.visible .shared .align 4 .b8 w[8]; .visible .func f() { bar.sync 1; ret; } ${kernel("m", "call f; ld.shared.u32 %r, [w];")}`,
    `.shared .b32 z[9]; .visible .func g() { .reg .b32 %r; ld.shared.u32 %r, [z]; ret; }`,
  ],
  "an alias that replaces a weak function": [
    `.shared .b32 z[5]; .func h() { .reg .b32 %r; ld.shared.u32 %r, [z]; ret; } .weak .func g() { call h; ret; } ${kernel("k", "call g;")}`,
    `.visible .func f() { ret; } .visible .func g(); .alias g, f; ${kernel("l", "call f;")}`,
    `.weak .func g() { bar.sync 1; ret; } ${kernel("m", "call g;")}`,
  ],
  "commons that grow in size and alignment, then a definition": [
    ".common .global .align 4 .b8 c[8]; .common .global .align 4 .b8 d[8];",
    ".common .global .align 32 .b8 c[4]; .common .global .align 4 .b8 d[12];",
    ".common .global .align 2 .b8 c[16]; .visible .global .align 8 .b8 d[12];",
    ".global .align 1 .b8 own[3] = {1, 2, 3};",
  ],
  "dynamic shared memory under one name and two alignments": [
    `.extern .shared .align 4 .b8 smem[]; ${kernel("a", "ld.shared.u32 %r, [smem];")}`,
    `.extern .shared .align 64 .b8 smem[]; ${kernel("b", ".shared .b32 own[5]; ld.shared.u32 %r, [own]; ld.shared.u32 %r, [smem];")}`,
    `.extern .shared .align 16 .b8 smem[]; ${kernel("c", "ld.shared.u32 %r, [smem];")}`,
    `.extern .shared .align 16 .b8 smem[]; .visible .func f() { .reg .b32 %r; ld.shared.u32 %r, [smem]; ret; }`,
  ],
  "statics of one name, in every space, and in functions": ["a", "b", "c"].map(
    (k, i) =>
      `.global .u32 s = ${i}; .const .u32 t = ${i}; .shared .b32 u[${i + 1}]; .func f() { .reg .b32 %r; .shared .b32 v; st.shared.u32 [v], 0; ld.const.u32 %r, [t]; ret; }` +
      kernel(k, "call f; ld.global.u32 %r, [s]; ld.shared.u32 %r, [u];"),
  ),
  "an alias that wins over a weak function": [
    `.visible .func f() { ret; } .visible .func g(); .alias g, f; ${kernel("k", "call g; call f;")}`,
    `.weak .func g() { bar.sync 0; ret; } ${kernel("l", "call g;")}`,
    `.extern .func g(); ${kernel("m", "call g;")}`,
  ],
  "addresses of functions, called from elsewhere": [
    ".extern .func f(); .visible .global .u64 table[2] = {f, 0};",
    ".extern .global .u64 table[]; .visible .func f() { .shared .b32 own; st.shared.u32 [own], 1; ret; }",
    `.extern .global .u64 table[]; .visible .entry k() { .reg .b64 %d; p: .callprototype _ (); ld.global.u64 %d, [table]; call %d, (), p; ret; }`,
  ],
  "externs that say less, then more": [
    ".extern .global .align 4 .b8 x[]; .global .u64 p = x;",
    ".extern .global .align 8 .b8 x[16]; .global .u64 p = x;",
    ".visible .global .align 16 .b8 x[16];",
  ],
};

for (const [name, bodies] of Object.entries(programs)) {
  const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
  test(`${name}: the same image in any grouping and any order`, (t) => {
    t.is(typeof imageBytes(objects), "string", String(imageBytes(objects)));
    holdsForGroupings(t, name, objects, 3);
    holdsForGroupings(t, name, objects.toReversed(), 4);
  });
}

test("-r of one object is that object, byte for byte", (t) => {
  for (const { files, texts } of programsOfSeveralModules())
    texts.forEach((text, i) => {
      const object = objectOf(files[i]!, text);
      t.deepEqual(Buffer.from(writeObject(join([object]))), Buffer.from(writeObject(object)), files[i]);
    });
});

test("-r of -r is -r of all, byte for byte", (t) => {
  const objects = Object.values(programs).flatMap((bodies, k) =>
    bodies.map((body, i) => objectOf(`${k}${i}.ptx`, moduleText(body))),
  );
  for (let i = 0; i < 7; i++) {
    const [a, b, c] = objects.slice(3 * i);
    const flat = (of: readonly ObjectFile[]) => Buffer.from(writeObject(join(of))).toString("hex");
    const all = [a!, b!, c!];
    const sink = createSink();
    if (linkRelocatable(all, {}, sink) === undefined) continue;
    t.is(flat([join([a!, b!]), c!]), flat(all));
    t.is(flat([a!, join([b!, c!])]), flat(all));
  }
});

test("targets: -r takes any target that fits, and the link checks each module against its own", (t) => {
  const of = (target: string, name: string) => objectOf(`${name}.ptx`, moduleText(kernel(name, ""), target));
  const [old, newer, newest] = [of("sm_80", "a"), of("sm_86", "b"), of("sm_89", "c")];
  const pair = join([old, newer]);
  t.is(pair.target.name, "sm_86");
  t.deepEqual(
    pair.modules.map(({ name, target }) => [name, target.name]),
    [
      ["a.ptx", "sm_80"],
      ["b.ptx", "sm_86"],
    ],
  );
  t.deepEqual(imageBytes([newest, pair]), imageBytes([newest, old, newer]));
  t.deepEqual(imageBytes([pair, newest]), ["incompatible-target", "incompatible-target"]);
  t.deepEqual(imageBytes([old, newer, newest]), ["incompatible-target", "incompatible-target"]);
  const { diagnostics } = linkAll([pair]);
  t.is(diagnostics[0]?.message, "b.ptx of joined.o is for sm_86, which cannot be linked for sm_80");
});

test("a module that --gc-sections empties keeps its target, and links with others", (t) => {
  const sink = createSink();
  const left = linkRelocatable([objectOf("none.ptx", moduleText("", "sm_86"))], { gcSections: true }, sink)!;
  const none = decodeObject(writeObject(left), "none.o");
  t.true(none.ok);
  if (!none.ok) return;
  t.is(none.value.modules.length, 0);
  const some = objectOf("some.ptx", moduleText(".visible .global .u32 x = 1;", "sm_80"));
  for (const given of [[none.value], [none.value, some], [some, none.value], [join([none.value]), some]]) {
    const { image, diagnostics } = linkAll(given, { arch: "sm_86" });
    t.deepEqual(diagnostics, []);
    t.is(image?.target.name, "sm_86");
  }
  t.is(linkAll([none.value, some]).image?.target.name, "sm_86");
  t.deepEqual(
    linkAll([some, objectOf("new.ptx", moduleText("", "sm_90"))]).diagnostics.map(({ code }) => code),
    linkAll([some, { ...none.value, target: parseTarget("sm_90")! }]).diagnostics.map(({ code }) => code),
  );
  t.true(Buffer.from(emitPtx([none.value, some], {}, sink)!).includes(".target sm_86"));
});

test("two strong definitions, and an undefined name after -r, are reported with their modules", (t) => {
  const sink = createSink();
  const bodies = [".visible .global .u32 x = 1;", ".visible .global .u32 x = 2;"];
  const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
  t.is(linkRelocatable(objects, {}, sink), undefined);
  t.is(sink.all[0]?.message, "duplicate symbol: x");
  const open = join([objects[0]!, objectOf("m.ptx", moduleText("\n.extern .global .u32 y;\n.global .u64 p = y;"))]);
  const [undefinedName] = linkAll([open]).diagnostics;
  t.is(undefinedName?.code, "undefined-symbol");
  t.like(undefinedName?.place, { file: "m.ptx", line: 6 });
});
