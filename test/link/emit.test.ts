// link --emit ptx: the text of the merged module, its meaning, and that merging it again does not change it. `npm run
// oracle:emit` compares with live ptxas.

import test from "ava";
import { rounds, sample } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { type EmitOptions, emitPtx, linkRelocatable } from "../../lib/link/link-objects.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { ObjectFile, RelocObject } from "../../lib/object/object.js";
import { programsOfSeveralModules } from "../oracle/programs.js";
import { matrixNames, readMatrixFile, textsOf } from "../oracle/matrix.js";
import { randomSets } from "../oracle/random-sets.js";
import { randomLayouts } from "../oracle/random-layouts.js";
import { bytesIn, linkAll, moduleText, objectOf } from "./build.js";

interface Emitted {
  readonly text: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function emit(objects: readonly ObjectFile[], options: EmitOptions = {}): Emitted {
  const sink = createSink();
  const text = emitPtx(objects, options, sink);
  return { text: text === undefined ? undefined : Buffer.from(text).toString(), diagnostics: sink.all };
}

const objectsOf = (...bodies: readonly string[]): readonly RelocObject[] =>
  bodies.map((body, i) => objectOf(`${"abcdefgh"[i]}.ptx`, moduleText(body)));

/** The text. Throws the first message if there is none. */
function textOf(objects: readonly ObjectFile[], options: EmitOptions = {}): string {
  const { text, diagnostics } = emit(objects, options);
  if (text === undefined) throw new Error(diagnostics[0]?.message);
  return text;
}

/** The lines after the header. */
const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n").slice(3);

const merged = (...bodies: readonly string[]): readonly string[] => linesOf(textOf(objectsOf(...bodies)));

const kernel = (name: string, body: string): string => `.visible .entry ${name}() { .reg .b32 %r; ${body} ret; }`;

test("static symbols that share a name are numbered, without colliding with other names", (t) => {
  const lines = merged(
    ".global .u32 x = 1; .global .u64 p = x;",
    ".global .u32 x = 2; .global .u64 q = x; .visible .global .u32 x_1 = 9;",
    ".global .u32 x = 3; .visible .global .u64 r = x;",
  );
  t.deepEqual(lines, [
    ".global .u32 x = 1;",
    ".global .u64 p = x;",
    ".global .u32 x_2 = 2;",
    ".global .u64 q = x_2;",
    ".visible .global .u32 x_1 = 9;",
    ".global .u32 x_3 = 3;",
    ".visible .global .u64 r = x_3;",
  ]);
});

test("defined externs, overridden weak definitions and unused declarations are removed; commons become definitions", (t) => {
  const lines = merged(
    ".extern .global .u32 x; .extern .func f(); .extern .func idle(); .weak .func g() { bar.sync 1; ret; } .global .u64 p = x;" +
      kernel("k", "call f; call g;"),
    ".visible .global .u32 x = 7; .visible .func f() { ret; } .weak .global .u32 w = 1; .common .global .align 4 .b8 c[4];",
    ".visible .func g() { bar.sync 2; ret; } .weak .global .u32 w = 2; .common .global .align 8 .b8 c[16];",
  );
  t.deepEqual(
    lines.filter((line) => line.startsWith(".")),
    [
      ".visible .global .u32 x = 7;",
      ".global .u64 p = x;",
      ".visible .func f()",
      ".weak .global .u32 w = 1;",
      ".visible .global .align 8 .b8 c[16];",
      ".visible .func g()",
      ".visible .entry k()",
    ],
  );
  t.is(lines.filter((line) => line.includes("bar.sync")).join(), "\tbar.sync 2;");
});

test("mutually dependent variables are declared ahead; static ones come first", (t) => {
  t.deepEqual(
    merged(
      ".extern .global .u64 b; .visible .global .u64 a = b;",
      ".extern .global .u64 a; .visible .global .u64 b = generic(a);",
    ),
    [".extern .global .u64 a;", ".visible .global .u64 b = a;", ".visible .global .u64 a = b;"],
  );
  t.deepEqual(
    merged(
      ".extern .const .u32 c; .weak .const .u64 a = c;",
      ".const .u32 s = 4; .weak .const .u32 c = 5; .extern .const .u64 a; .const .u64 z[2] = {a, s};",
    ),
    [".weak .const .u32 c = 5;", ".weak .const .u64 a = c;", ".const .u32 s = 4;", ".const .u64 z[2] = {a, s};"],
  );
  t.deepEqual(
    merged(
      ".extern .global .u64 v; .global .u64 s = v; .extern .global .u64 w; .visible .global .u64 x = w;",
      ".extern .global .u64 x; .global .u64 s = x; .visible .global .u64 v = s; .visible .global .u64 w = s;",
    ),
    [
      ".extern .global .u64 w;",
      ".visible .global .u64 x = w;",
      ".global .u64 s_1 = x;",
      ".visible .global .u64 w = s_1;",
      ".visible .global .u64 v = s_1;",
      ".global .u64 s = v;",
    ],
  );
});

test("mutually dependent variables that --localize made static stay visible", (t) => {
  const objects = objectsOf(
    ".extern .global .u64 b; .visible .global .u64 a = b;",
    ".extern .global .u64 a; .visible .global .u64 b = a; .global .u64 c = b;",
  );
  const text = textOf(objects, { visibility: [{ to: "localize", pattern: "*" }] });
  t.deepEqual(linesOf(text), [
    ".extern .global .u64 a;",
    ".global .u64 b = a;",
    ".visible .global .u64 a = b;",
    ".global .u64 c = b;",
  ]);
  t.is(textOf([objectOf("m.ptx", text)]), text);
});

test("parameters have the alignment of the winning definition", (t) => {
  const caller = (align: number): string =>
    `.extern .func (.param .align ${align} .b8 r[16]) f(.param .align ${align} .b8 x[16]);` +
    kernel(
      `k${align}`,
      `{ .param .align ${align} .b8 q[16]; .param .align ${align} .b8 s[16]; st.param.b32 [q], 1; call (s), f, (q); ld.param.b32 %r, [s]; }`,
    );
  const lines = merged(
    caller(4),
    ".visible .func (.param .align 8 .b8 r[16]) f(.param .align 8 .b8 x[16]) { ret; }",
    caller(8),
  );
  t.is(lines.filter((line) => line.startsWith("\t.param .align 8 .b8")).length, 4);
});

test("functions and kernels whose addresses are initial values are declared first", (t) => {
  const lines = merged(
    `.extern .func f(.param .b32 x); .visible .global .u64 table[1] = {f};`,
    `.extern .func g(); .visible .func f(.param .b32 x) { call g; ret; }`,
    `.visible .func g() { ret; } .visible .entry k(); .global .u64 p = k; .visible .entry k() { call g; ret; }`,
  );
  t.deepEqual(
    lines.filter((line) => line.endsWith(";") && line.startsWith(".")),
    [".visible .func f(.param .b32 x);", ".visible .global .u64 table[1] = {f};", ".global .u64 p = k;"],
  );
});

test("driver functions and dynamic shared memory stay .extern", (t) => {
  const lines = merged(
    ".extern .shared .align 4 .b8 s[]; .extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func unused();" +
      kernel(
        "k",
        "{ .param .b64 r; .param .b64 n; st.param.b64 [n], 8; call (r), malloc, (n); } ld.shared.u32 %r, [s];",
      ),
    ".extern .shared .align 64 .b8 s[]; .extern .shared .b32 other[];" +
      kernel("l", "ld.shared.u32 %r, [s]; ld.shared.u32 %r, [other];"),
  );
  t.deepEqual(
    lines.filter((line) => line.startsWith(".extern")),
    [
      ".extern .func (.param .b64 r) malloc(.param .b64 n);",
      ".extern .shared .b32 other[];",
      ".extern .shared .align 64 .b8 s[];",
    ],
  );
});

test("the version is the latest, the target the linker's, and files are numbered together", (t) => {
  const lined = (version: string, target: string, files: string, name: string) =>
    objectOf(
      `${name}.ptx`,
      `.version ${version}\n.target ${target}\n.address_size 64\n${files}\n.visible .entry ${name}() {\n.loc 1 10 2\nbar.sync 0;\n.loc 2 20 3\nret;\n}\n`,
    );
  const objects = [
    lined("7.0", "sm_80", '.file 1 "a.cu"\n.file 2 "common.h"', "a"),
    lined("8.2", "sm_80", '.file 1 "common.h"\n.file 2 "b.cu"', "b"),
  ];
  t.is(
    textOf(objects),
    `.version 8.2
.target sm_80
.address_size 64
.file 1 "a.cu"
.file 2 "common.h"
.file 3 "b.cu"
.visible .entry a()
{
	.loc 1 10 2
	bar.sync 0;
	.loc 2 20 3
	ret;
}
.visible .entry b()
{
	.loc 2 10 2
	bar.sync 0;
	.loc 3 20 3
	ret;
}
`,
  );
  t.regex(textOf(objects, { arch: "sm_86" }), /^\.version 8\.2\n\.target sm_86\n/);
  t.regex(textOf(objects, { arch: "sm_90" }), /^\.version 8\.2\n\.target sm_90\n/);
  t.is(emit(objects, { arch: "sm_75" }).diagnostics[0]?.code, "incompatible-target");
});

test("without --arch the target is one for which all modules link; with it, one for which all compile", (t) => {
  const [a, b, c] = ["sm_80", "sm_86", "sm_90"].map((target, i) =>
    objectOf(`${i}.ptx`, moduleText(`.visible .global .u32 g${i};`, target)),
  );
  t.regex(textOf([a!, b!]), /^\.target sm_86$/m);
  t.is(emit([a!, b!, c!]).diagnostics[0]?.code, "incompatible-target");
  t.regex(textOf([a!, b!, c!], { arch: "sm_100" }), /^\.target sm_100$/m);
  const wrong = emit([a!, b!, c!], { arch: "sm_89" }).diagnostics;
  t.deepEqual(wrong.map(({ message }) => message), ["2.ptx is for sm_90, which cannot be linked for sm_89"]); // prettier-ignore
});

test("modules older than any image keep their version; under a later one, removed instructions are refused at their lines", (t) => {
  const old = objectOf(
    "old.ptx",
    ".version 2.3\n.target sm_20\n\n.reg .b32 r;\n.visible .entry k() { mov.b32 r, 1; ret; }\n",
  );
  t.regex(textOf([old]), /^\.version 2\.3\n\.target sm_20\n/);
  const { text, diagnostics } = emit([objectOf("new.ptx", moduleText(kernel("n", ""), "sm_75")), old]);
  t.is(text, undefined);
  t.like(diagnostics[0], {
    code: "not-in-version",
    message:
      ".reg .b32 r cannot be declared in PTX 8.5, the version of new.ptx: PTX 2.3 is the last version that supports it",
    place: { kind: "line", file: "old.ptx", line: 4 },
  });
});

test("modules that cannot be linked cannot be merged; images are refused", (t) => {
  t.is(emit(objectsOf(".extern .global .u32 x; .global .u64 p = x;")).diagnostics[0]?.code, "undefined-symbol");
  t.is(
    emit(objectsOf(".visible .func f() { ret; }", ".visible .func f() { ret; }")).diagnostics[0]?.code,
    "duplicate-symbol",
  );
  const halves = (space: string): readonly RelocObject[] =>
    objectsOf(
      `.${space} .b8 a[40000]; .extern .func f();` + kernel("k", "mov.u32 %r, a; call f;"),
      `.${space} .b8 b[40000]; .visible .func f() { .reg .b32 %r; mov.u32 %r, b; ret; }`,
    );
  t.is(emit(halves("const")).diagnostics[0]?.code, "constant-bank");
  t.is(emit(halves("shared")).diagnostics[0]?.code, "shared-limit");
  t.is(emit([]).diagnostics[0]?.code, "no-input");
  const { image } = linkAll(objectsOf(kernel("k", "")));
  t.is(emit([image!]).diagnostics[0]?.message, "a.out is a linked image, not a relocatable object");
});

test("-r --emit ptx leaves symbols undefined, and merging again resolves them", (t) => {
  const bodies = [
    ".extern .global .u32 x; .extern .func f(); .common .global .u32 c; .global .u64 p = x;" + kernel("k", "call f;"),
    ".weak .func f() { ret; } .global .u64 p = 3;",
    ".visible .global .u32 x = 1; .visible .func f() { bar.sync 0; ret; } .visible .global .u32 c = 2;",
  ];
  const [a, b, c] = objectsOf(...bodies);
  const open = textOf([a!, b!], { relocatable: true });
  t.regex(open, /^\.extern \.global \.u32 x;$/m);
  t.regex(open, /^\.common \.global \.u32 c;$/m);
  t.regex(open, /^\.weak \.func f\(\)$/m);
  t.is(textOf([objectOf("open.ptx", open), c!]), textOf([a!, b!, c!]));
});

test("--gc-sections leaves out code that no kernel reaches", (t) => {
  const bodies = [
    ".func dead() { ret; } .global .u32 x = 1; .global .u64 p = x; .func f() { ret; }" + kernel("k", "call f;"),
  ];
  t.notRegex(textOf(objectsOf(...bodies), { gcSections: true }), /dead|x = 1/);
});

test("DWARF is kept in the text, and --strip-debug removes it", (t) => {
  const debug = objectOf(
    "d.ptx",
    '.version 8.5\n.target sm_80, debug\n.address_size 64\n.file 1 "d.cu"\n.visible .entry k() {\n.loc 1 3 1\nret;\n}\n.section .debug_info { .b8 0 }\n',
  );
  const { text, diagnostics } = emit([debug]);
  t.deepEqual(diagnostics, []);
  t.regex(text!, /^\.target sm_80, debug\n[^]*\.loc 1 3 1\n[^]*\.section \.debug_info \{\n\t\.b8 0\n\}\n$/m);
  t.notRegex(textOf([debug], { stripDebug: true }), /debug|\.loc|\.file/);
  const { text: two } = emit([debug, ...objectsOf(kernel("l", ""))]);
  t.is(two!.slice(two!.indexOf(".section")), text!.slice(text!.indexOf(".section")));
});

/** What a launch sees, regardless of the order of symbols: kernels, and variables with their bytes. */
function contents(objects: readonly ObjectFile[]): unknown {
  const { image } = linkAll(objects);
  if (image === undefined) return undefined;
  const inImage = image.symbols.flatMap((symbol) => {
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section" || symbol.space === "shared") return [];
    const { section, offset } = symbol.placement;
    const { relocations } = image.sections[section]!;
    const own = relocations.filter((r) => r.offset >= offset && r.offset < offset + symbol.layout.size);
    const name = symbol.linkage === "static" ? "" : symbol.name;
    const to = own.map(
      (r) => `${r.offset - offset} ${r.type} ${image.symbols[r.symbol]!.name.replace(/_\d+$/, "")} ${r.addend}`,
    );
    // Offsets in the constant bank depend on the layout.
    const bytes = symbol.space === "const" || symbol.name.startsWith("q") ? "" : bytesIn(image, symbol);
    return [[name, symbol.space, symbol.layout.align, symbol.layout.size, bytes, ...to.sort()].join(" ")];
  });
  const kernels = image.kernels.map(({ symbol, parameterOffsets, sharedBytes }) =>
    JSON.stringify([image.symbols[symbol]!.name, parameterOffsets, sharedBytes > 0]),
  );
  return { kernels: kernels.sort(), variables: inImage.sort() };
}

function holdsFor(
  t: { is: (a: unknown, b: unknown, m?: string) => void; deepEqual: (a: unknown, b: unknown, m?: string) => void },
  name: string,
  objects: readonly RelocObject[],
): void {
  const text = textOf(objects);
  const again = [objectOf("merged.ptx", text)];
  t.is(textOf(again), text, `${name}: merging what was merged`);
  t.deepEqual(contents(again), contents(objects), name);
  const sink = createSink();
  const joined = decodeObject(writeObject(linkRelocatable(objects, {}, sink)!), "joined.o");
  t.is(joined.ok && textOf([joined.value]), text, `${name}: from an object of -r`);
}

test("merged random programs compute the same, and merge to themselves", (t) => {
  randomLayouts(9, 25).forEach(({ name, bodies }) => {
    const objects = bodies!.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
    if (linkAll(objects).image !== undefined) holdsFor(t, name, objects);
  });
});

test("random sets and the resolution matrix merge whenever they link, and merge to themselves", (t) => {
  const sets = randomSets(3, rounds(30, 8));
  const matrix = sample(matrixNames(), 16).map((name) => ({
    name,
    texts: textsOf(name, readMatrixFile(name).expect[0]!.orders[0]!),
    arch: undefined,
  }));
  for (const { name, texts, arch } of [...sets, ...matrix]) {
    const objects = texts.map((text, i) => objectOf(`${i}.ptx`, text));
    const { text } = emit(objects);
    t.is(text !== undefined, linkAll(objects, arch === undefined ? {} : { arch }).image !== undefined, name);
    if (text !== undefined) t.is(textOf([objectOf("merged.ptx", text)]), text, name);
  }
});

for (const { folder, files, texts } of programsOfSeveralModules())
  test(`${folder} merged computes the same, and merges to itself`, (t) => {
    holdsFor(
      t,
      folder,
      texts.map((text, i) => objectOf(files[i]!, text)),
    );
  });

test("variables and functions with mutual references of every kind merge to themselves", (t) => {
  // Each of five modules defines a few symbols that refer to symbols of earlier and later modules, in every way.
  for (let seed = 1; seed <= rounds(30, 8); seed++) {
    let state = seed * 7919;
    const random = (below: number): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below;
    const bodies = Array.from({ length: 5 }, (_, m) => {
      const declared = [0, 1, 2, 3, 4]
        .filter((o) => o !== m)
        .map((o) => `.extern .global .u64 v${o}[2]; .extern .func f${o}();`);
      const some = () => [`v${random(5)}`, `f${random(5)}`, `v${random(5)}+8`, "3"][random(4)]!;
      const ownFunction = `.visible .func f${m}();`;
      const ownVariable = `.visible .global .u64 v${m}[2] = {${some()}, ${some()}};`
        .replaceAll(`v${m}+8`, "5")
        .replaceAll(`{v${m},`, "{6,")
        .replaceAll(` v${m}}`, " 7}");
      return `${declared.join("\n")}\n${ownFunction}\n${ownVariable}\n.global .u64 s[1] = {${some()}};
.visible .func f${m}() { .reg .b64 %d; .shared .b32 own; mov.u64 %d, s; mov.u64 %d, v${random(5)}; st.shared.b32 [own], 0; call f${random(5)}; ret; }`;
    });
    const objects = bodies.map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
    const text = textOf(objects);
    t.is(textOf([objectOf("merged.ptx", text)]), text, `seed ${seed}`);
  }
});
