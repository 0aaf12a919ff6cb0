// --gc-sections gives the same bytes as removing dead code from the texts by hand. On random sets of modules, dead code
// is found by an exhaustive search. The cases at the end are ones that random sets do not have.

import test from "ava";
import fc from "fast-check";
import type { RemovedSymbol } from "../../lib/link/gc/collect-options.js";
import { rounds } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import type { LinkOptions } from "../../lib/link/options.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import type { WhyLive } from "../../lib/link/gc/why-live.js";
import type { ObjectFile, RelocObject } from "../../lib/object/object.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, moduleText, objectOf, type Linked } from "./build.js";
import { randomSets } from "./random-graph.js";

type Texts = readonly (string | undefined)[];

/** The object as read back from its file. */
const reread = (object: RelocObject): ObjectFile => {
  const read = decodeObject(writeObject(object), object.name);
  if (!read.ok) throw new Error(read.error.what);
  return read.value;
};

const objectsOf = (strings: Texts): readonly RelocObject[] =>
  strings.flatMap((text, i) => (text === undefined ? [] : [objectOf(`${"abcd"[i]}.ptx`, text)]));
const link = (strings: Texts, options: LinkOptions): Linked =>
  linkAll(objectsOf(strings), { arch: "sm_80", ...options });

/** The image as a file. Throws the diagnostics if there is none. */
function fileOf({ image, diagnostics }: Linked): Uint8Array {
  if (image === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return writeObject(image);
}

test("random programs: exactly the reachable symbols stay, and the image is valid", (t) => {
  fc.assert(
    fc.property(randomSets, ({ modules, left, live }) => {
      fc.pre(live.size > 0);
      const file = fileOf(link(modules, { gcSections: true }));
      t.deepEqual(file, fileOf(link(left, {})), "by hand");
      t.deepEqual(file, fileOf(link(left, { gcSections: true })), "once more");
      const fromFiles = linkAll(objectsOf(modules).map(reread), { arch: "sm_80", gcSections: true });
      t.deepEqual(file, fileOf(fromFiles), "from objects");
      t.true(decodeObject(file, "image").ok);
    }),
    { numRuns: rounds(100, 8) },
  );
});

/** Every symbol with its module, line and address, and all bytes of data; independent of the order of symbols. */
function layoutOf({ image, diagnostics }: Linked): readonly string[] {
  if (image === undefined) return diagnostics.map(({ message }) => message);
  const { symbols, sections, modules } = image;
  const data = sections.flatMap(({ role, size, data: bytes }) =>
    role.kind === "text" ? [] : [`${role.kind} ${size} ${Buffer.from(bytes ?? []).toString("hex")}`],
  );
  const places = symbols.map(({ name, origin, placement }) => {
    const at = placement.kind === "section" ? `${sections[placement.section]!.role.kind}+${placement.offset}` : "-";
    return `${name} ${modules[origin.module]!.name}:${origin.line} ${at}`;
  });
  return [...data, ...places.toSorted()];
}

/**
 * Whether the first module that names a common variable only declares it. Common variables are laid out in the order of
 * their first mention. If that is in dead code, -r has kept the order, but removing the dead code from the texts
 * changes it.
 */
function isDeclaredFirst(modules: readonly string[]): boolean {
  const commons = new Set(
    modules.flatMap((text) => [...text.matchAll(/^\.common .*\b(s\d+)\b/gm)].map(([, name]) => name!)),
  );
  return [...commons].some((name) => {
    const first = modules.find((text) => new RegExp(`\\b${name}\\b`).test(text))!;
    return !new RegExp(`^\\.common .*\\b${name}\\b`, "m").test(first);
  });
}

test("the output of -r is collected like its parts", (t) => {
  fc.assert(
    fc.property(randomSets, ({ modules, live }) => {
      fc.pre(live.size > 0 && !isDeclaredFirst(modules));
      const objects = objectsOf(modules);
      const join = (some: readonly RelocObject[]) => linkRelocatable(some, { name: "r.o" }, createSink())!;
      const joined = [join([join(objects.slice(0, 2)), objects[2]!]), objects[3]!];
      const options = { arch: "sm_80", gcSections: true };
      t.deepEqual(layoutOf(linkAll(joined, options)), layoutOf(linkAll(objects, options)));
    }),
    { numRuns: rounds(60, 8) },
  );
});

test("-r drops what no kernel and no later link can reach, and nothing else", (t) => {
  let dropped = 0;
  fc.assert(
    fc.property(randomSets, ({ modules, live }) => {
      fc.pre(live.size > 0 && !isDeclaredFirst(modules));
      const objects = objectsOf(modules);
      const join = (gcSections: boolean, keepExports = true) =>
        linkRelocatable(objects, { name: "r.o", gcSections, roots: { keepExports } }, createSink())!;
      const [whole, slim] = [join(false), join(true)];
      const others = (object: RelocObject) =>
        object.symbols.flatMap(({ name, linkage, placement }) =>
          linkage === "static" || placement.kind === "undefined" ? [] : [name],
        );
      t.deepEqual(others(slim).toSorted(), others(whole).toSorted());
      dropped += whole.symbols.length - slim.symbols.length;
      const options = { arch: "sm_80", gcSections: true };
      t.deepEqual(layoutOf(linkAll([reread(slim)] as RelocObject[], options)), layoutOf(linkAll(objects, options)));
      // Without exports the roots are those of an image.
      const narrow = { ...options, roots: { keepExports: false } };
      const once = linkAll(objects, narrow);
      if (once.image !== undefined) t.deepEqual(layoutOf(linkAll([join(true, false)], narrow)), layoutOf(once));
    }),
    { numRuns: rounds(60, 8) },
  );
  t.true(dropped > 0);
});

test("a symbol is kept for a shortest chain of references from a root", (t) => {
  fc.assert(
    fc.property(randomSets, ({ modules, live, edges, names }) => {
      fc.pre(live.size > 0);
      const found: WhyLive[] = [];
      link(modules, { whyLive: names, onWhyLive: (answers) => found.push(...answers) });
      const distance = distances(
        found.flatMap((why) => (why.kind === "live" && why.chain.length === 1 ? [why.name] : [])),
        edges,
      );
      for (const why of found) {
        t.is(why.kind === "live", live.has(why.name), why.name);
        if (why.kind !== "live") continue;
        t.is(why.chain.at(-1)!.name, why.name);
        t.is(why.chain.length, distance.get(why.name)! + 1, why.name);
        for (const [i, { name, reference }] of why.chain.slice(1).entries()) {
          t.true(edges.get(why.chain[i]!.name)!.has(name));
          // The line of an alias is that of its declaration.
          if (why.chain[i]!.isAlias === true) continue;
          t.regex(
            modules["abcd".indexOf(reference!.file[0]!)]!.split("\n")[reference!.line - 1]!,
            new RegExp(`\\b${name}\\b`),
          );
        }
      }
    }),
    { numRuns: rounds(60, 8) },
  );
});

function distances(
  roots: readonly string[],
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, number> {
  const found = new Map(roots.map((name) => [name, 0]));
  for (const [from, length] of found)
    for (const to of edges.get(from) ?? []) if (!found.has(to)) found.set(to, length + 1);
  return found;
}

// ---------------------------------------------------------------------------------------------------------- case by case

/** Names of the image's symbols, sorted. */
function namesLeft(bodies: readonly string[], options: LinkOptions = {}): readonly string[] {
  const { image, diagnostics } = link(
    bodies.map((body) => moduleText(body)),
    { gcSections: true, ...options },
  );
  if (image === undefined) return diagnostics.map(({ code }) => code);
  // Function-scope variables have names made by the assembler.
  return image.symbols.map(({ name }) => name.replace(/^\$__(.*)__\d+$/, "$1")).toSorted();
}

const kernel = ".visible .entry k() { ret; }";

test("roots are kernels and .visible variables", (t) => {
  const body = [
    kernel,
    ".entry hidden() { ret; }",
    ".weak .entry weak() { ret; }",
    ".visible .global .u32 visible;",
    ".visible .const .u32 constant = 1;",
    ".visible .global .texref texture;",
    ".weak .global .u32 other;",
    ".global .u32 own = 1;",
    ".common .global .u32 tentative;",
    ".global .surfref surface;",
    ".visible .func f() { ret; }",
    ".shared .u32 s;",
  ].join("\n");
  t.deepEqual(namesLeft([body]), ["constant", "hidden", "k", "texture", "visible", "weak"]);
  t.deepEqual(namesLeft([body], { roots: { keepExports: false } }), ["hidden", "k", "weak"]);
  t.deepEqual(namesLeft([body], { roots: { keepExports: false, undefined: ["f", "own", "absent"] } }), [
    "f",
    "hidden",
    "k",
    "own",
    "weak",
  ]);
  // Patterns for undefined names do not match static names.
  t.deepEqual(namesLeft([body], { roots: { keepExports: false, undefinedGlobs: ["f*", "own*", "t*"] } }), [
    "f",
    "hidden",
    "k",
    "tentative",
    "texture",
    "weak",
  ]);
  t.deepEqual(namesLeft([body], { roots: { kernelsUsed: ["k", "w*"], variablesUsed: ["*t*"] } }), [
    "constant",
    "k",
    "other",
    "tentative",
    "texture",
    "weak",
  ]);
});

test("-u refers to the shared name, and to statics where there is none", (t) => {
  const bodies = [
    `${kernel}\n.global .u32 x = 1;`,
    ".visible .func x() { ret; }\n.global .u32 y = 1;",
    ".global .u32 y = 2;",
  ];
  t.deepEqual(namesLeft(bodies, { roots: { undefined: ["x"] } }), ["k", "x"]);
  t.deepEqual(namesLeft(bodies, { roots: { undefined: ["y"] } }), ["k", "y", "y"]);
});

test("a name that only dead code refers to may stay undefined", (t) => {
  const dead =
    ".extern .func gone();\n.extern .global .u32 lost;\n.func f() { call gone; ret; }\n.global .u64 p = lost;";
  t.deepEqual(namesLeft([`${dead}\n${kernel}`]), ["k"]);
  t.deepEqual(namesLeft([`${dead}\n${kernel}`], { gcSections: false }), ["undefined-symbol", "undefined-symbol"]);
  t.deepEqual(namesLeft([`${dead}\n${kernel}`], { roots: { undefined: ["f"] } }), ["undefined-symbol"]);
});

test("definitions in dead modules are still suggested", (t) => {
  const { diagnostics } = link(
    [moduleText(".extern .func f();\n.visible .entry k() { call f; ret; }"), moduleText(".func f() { ret; }")],
    { gcSections: true },
  );
  t.regex(JSON.stringify(diagnostics), /defined without \.visible in b\.ptx/);
});

test("variables of functions are removed and kept with them", (t) => {
  const code = (name: string) =>
    `${name}() { .global .u32 in_${name.split(" ").at(-1)!} = 1; .shared .u32 s; .reg .b64 %d; mov.u64 %d, in_${name.split(" ").at(-1)!}; mov.u64 %d, s; ret; }`;
  t.deepEqual(namesLeft([`${code(".func f")}\n${code(".visible .entry k")}`]), ["in_k", "k", "s"]);
});

test("a kernel's shared memory counts what it reaches, and dead callers count as taking no address", (t) => {
  const text = moduleText(
    [
      ".shared .u32 a[100];",
      ".func f() { .reg .b64 %d; mov.u64 %d, a; ret; }",
      ".func dead() { .reg .b64 %d; mov.u64 %d, f; ret; }",
      ".visible .entry direct() { call f; ret; }",
      ".visible .entry indirect() { .reg .b64 %d; P: .callprototype _ (); call %d, P; ret; }",
    ].join("\n"),
  );
  const sizes = (gcSections: boolean) =>
    link([text], { gcSections }).image!.kernels.map(({ sharedBytes }) => sharedBytes);
  t.deepEqual(sizes(false), [400, 400]);
  t.deepEqual(sizes(true), [400, 0]);
  t.deepEqual(link([text], { gcSections: true }).image!.addressTaken, []);
});

test("a function that live code both calls and takes the address of stays address-taken", (t) => {
  const text = moduleText(
    ".func f() { ret; }\n.func dead() { ret; }\n.visible .entry k() { .reg .b64 %d; mov.u64 %d, f; call f; ret; }",
  );
  const { image } = link([text], { gcSections: true });
  t.deepEqual(
    image!.addressTaken.map((symbol) => image!.symbols[symbol]!.name),
    ["f"],
  );
});

test("the version is the highest that the live code needs, the target the first input's", (t) => {
  const late = moduleText(".func f() { ret; }").replace("8.5", "8.8");
  const early = moduleText(kernel);
  const version = (gcSections: boolean) => link([late, early], { gcSections }).image!.version;
  t.deepEqual([version(false), version(true)], [88, 85]);
});

test("an image without contents is an error, and an input without contents is not", (t) => {
  t.deepEqual(namesLeft([".func f() { ret; }"]), ["nothing-live"]);
  t.deepEqual(namesLeft(["", ".extern .func f();"]), []);
});

test("names and patterns of kernels and variables must match", (t) => {
  const codes = (roots: LinkOptions["roots"] & object) => namesLeft([kernel], { roots });
  t.deepEqual(codes({ kernelsUsed: ["k", "j"] }), ["unknown-root"]);
  t.deepEqual(codes({ kernelsUsed: ["j*"] }), ["unknown-root"]);
  t.deepEqual(codes({ variablesUsed: ["k"] }), ["unknown-root"]);
  t.deepEqual(codes({ required: ["x"] }), ["undefined-symbol"]);
  t.deepEqual(codes({ required: ["k"] }), ["k"]);
});

test("removed symbols are listed in link order, with size and reason", (t) => {
  const bodies = [
    `${kernel}\n.global .u32 a[3];\n.weak .global .u32 w;\n.weak .func f() { ret; }`,
    ".weak .global .u32 w = 1;\n.visible .func f() { ret; }\n.visible .func g();\n.alias g, f;\n.visible .global .u64 p = w;",
  ];
  const removed: RemovedSymbol[] = [];
  link(
    bodies.map((body) => moduleText(body)),
    { gcSections: true, onRemoved: (found) => removed.push(...found) },
  );
  t.deepEqual(
    removed.map(({ name, bytes, place, lostTo }) => [
      name,
      bytes > 16 ? "code" : bytes,
      `${place.file}:${place.line}`,
      lostTo?.file,
    ]),
    [
      ["a", 12, "a.ptx:5", undefined],
      ["f", "code", "a.ptx:7", "b.ptx"],
      ["w", 4, "b.ptx:4", "a.ptx"],
      ["f", "code", "b.ptx:5", undefined],
      ["g", 0, "b.ptx:6", undefined],
    ],
  );
});

test("without --gc-sections unreachable symbols are kept, and reported as unreachable", (t) => {
  const answers: WhyLive[] = [];
  const text = moduleText(`${kernel}\n.func _Z4deadv() { ret; }\n.visible .global .u32 x;`);
  const { image } = link([text], { whyLive: ["dead()", "x", "kk", "*"], onWhyLive: (found) => answers.push(...found) });
  t.is(image!.symbols.length, 3);
  t.like(answers[0], { kind: "unreached", name: "_Z4deadv", isKept: true });
  t.like(answers[1], { kind: "live", root: "a .visible variable" });
  t.deepEqual(answers[2], { kind: "unknown", name: "kk", nearest: ["k"] });
  t.is(answers.length, 6);
});
