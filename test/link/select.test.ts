// Which members of archives are extracted, their order, and the diagnostics about them.

import test from "ava";
import { rounds } from "../sample.js";
import { writeArchive } from "../../formats/ar/index.js";
import { readObject } from "../../lib/object/file/read.js";
import { createSink } from "../../lib/diag/sink.js";
import { createElsewhere } from "../../lib/link/archives/elsewhere.js";
import { openLazily } from "../../lib/link/archives/lazy-input.js";
import { selectInputs, type Candidate } from "../../lib/link/archives/select-archive.js";
import { writeObject } from "../../lib/object/file/write.js";
import { ptxkit, type Answer } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";
import { mutations, randomNumbers } from "../formats/hostile.js";
import { moduleText, objectOf } from "./build.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A function that calls others, all undefined in its module. */
const calls = (name: string, ...callees: readonly string[]): string =>
  `${callees.map((each) => `.extern .func ${each};`).join(" ")} .visible .func ${name} { ${callees.map((each) => `call ${each};`).join(" ")} ret; }`;
const kernel = (name: string, ...callees: readonly string[]): string =>
  calls(name, ...callees)
    .replace(".visible .func", ".visible .entry")
    .replace(`${name} {`, `${name}() {`);

const bodies: Readonly<Record<string, string>> = {
  main: kernel("k", "a"),
  alone: kernel("k"),
  a: calls("a", "b"),
  b: calls("b", "c"),
  c: calls("c"),
  d: calls("d"),
  kernels: kernel("other", "d"),
  weakA: ".weak .func a { ret; }",
  strongA: ".visible .func a { ret; }",
  staticA: ".func a { ret; }",
  aliasA: ".visible .func real { ret; } .visible .func a; .alias a, real;",
  usesX: ".extern .global .u32 x; .visible .entry k() { ret; }",
  commonX: ".common .global .u32 x; .visible .entry k() { ret; }",
  definesX: ".visible .global .u32 x = 7;",
  weakX: ".weak .global .u32 x = 8;",
  alsoCommonX: ".common .global .u32 x[1];",
  usesT: ".extern .global .texref t; .visible .entry k() { ret; }",
  definesT: ".visible .global .texref t;",
  prints:
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a); .visible .entry k() { .param .b64 f, a; .param .b32 r; call (r), vprintf, (f, a); ret; }",
  printer: ".visible .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a) { ret; }",
  shares: ".extern .shared .b8 s[]; .visible .entry k() { st.shared.u8 [s], 1; ret; }",
  namesS: ".visible .global .u32 s;",
};

const ptx = (name: string, target?: string): Uint8Array => Buffer.from(moduleText(bodies[name]!, target));
const object = (name: string): Uint8Array => writeObject(objectOf(`${name}.ptx`, moduleText(bodies[name]!)));

/** "a b" as an archive of a.ptx and b.ptx; for "a.o" the member is an object. */
const archive = (names: string): Uint8Array =>
  writeArchive(
    names
      .split(" ")
      .map((name) =>
        name.endsWith(".o") ? { name, data: object(name.slice(0, -2)) } : { name: `${name}.ptx`, data: ptx(name) },
      ),
  );

/** "main [a b] c" as words of a command line, with the files that they name. */
function laidOut(inputs: string): { readonly words: readonly string[]; readonly files: Files } {
  const files: Record<string, Uint8Array> = {};
  const words = inputs.match(/\[[^\]]*\]|\S+/g)!.map((word) => {
    if (word.startsWith("-")) return word;
    const names = word.startsWith("[") ? word.slice(1, -1) : undefined;
    const file = names === undefined ? `${word}.ptx` : `lib-${names.replaceAll(/\W/g, "-")}.a`;
    files[file] = names === undefined ? ptx(word) : archive(names);
    return file;
  });
  return { words, files };
}

const linkOf = (inputs: string, ...more: readonly string[]): Promise<Answer> => {
  const { words, files } = laidOut(inputs);
  return ptxkit(["link", ...words, ...more, "-o", "out"], { files });
};

/** The extracted members, without their archives' names. */
const takenOf = ({ out }: Answer): string =>
  out
    .trim()
    .split("\n")
    .map((line) => /(\w+)\.(?:ptx|o)\)?$/.exec(line)?.[1])
    .join(" ");

const takes: readonly (readonly [inputs: string, taken: string, why: string])[] = [
  ["main [a b c d]", "main a b c", "what is needed, and what that needs"],
  ["[a b c d] main", "a b c main", "wherever the archive stands"],
  ["[c] [b] [a] main", "c b a main", "archives may need each other in any order"],
  ["main [a c] [b d]", "main a c b", "cycles between archives"],
  ["main --start-group [a c] [b d] --end-group", "main a c b", "a group is nothing"],
  ["main [a.o b c.o]", "main a b c", "objects as well as text"],
  ["main [a b c] [a b c]", "main a b c", "nothing twice"],
  ["main a [a b c]", "main a b c", "a file's definition counts before a member's"],
  ["main [weakA] [strongA]", "main weakA", "the first member that defines it, weak or strong"],
  ["main weakA [strongA]", "main weakA", "a weak definition is one"],
  ["main [staticA strongA]", "main strongA", "a static definition is none"],
  ["main [aliasA]", "main aliasA", "an alias is a definition"],
  ["alone [a b c d]", "alone", "what nothing refers to stays out"],
  ["usesX [definesX]", "usesX definesX", "an .extern variable is a reference, used or not"],
  ["usesX [alsoCommonX]", "usesX alsoCommonX", "a .common definition defines"],
  ["commonX [definesX]", "commonX definesX", ".common takes a strong definition, as in lld"],
  ["commonX [weakX alsoCommonX]", "commonX", ".common takes neither a weak nor a common one"],
  ["usesT [definesT]", "usesT definesT", "references are taken too"],
  ["prints [printer]", "prints printer", "the driver's function, where a member defines it"],
  ["prints [c]", "prints", "the driver's function, where none does"],
  ["shares [namesS]", "shares", "dynamic shared memory is not a reference"],
  ["alone [kernels d] --undefined=other", "alone kernels d", "-u takes a kernel"],
  ["alone [kernels d] --require-defined=other", "alone kernels d", "--require-defined does too"],
  ["alone [kernels d c] --undefined-glob=oth*", "alone kernels d", "--undefined-glob takes what fits"],
  ["alone [d] --defsym=e=d", "alone d", "--defsym refers to what it names"],
  ["main [a d] --defsym=a=d", "main d", "and defines the other"],
  ["main [d] --wrap=a --defsym=__wrap_a=d", "main d", "--wrap"],
  ["alone --whole-archive [c d]", "alone c d", "--whole-archive"],
  ["alone --whole-archive [c] --no-whole-archive [d]", "alone c", "until --no-whole-archive"],
  ["alone --push-state --whole-archive [c] --pop-state [d]", "alone c", "--pop-state brings back what was"],
  ["alone --whole-archive --push-state --no-whole-archive [c] --pop-state [d]", "alone d", "either way"],
  ["main --start-lib a b c d --end-lib", "main a b c", "--start-lib makes members of files"],
  ["--start-lib a b c --end-lib main d", "a b c main d", "until --end-lib"],
  ["main --whole-archive --start-lib a b c d", "main a b c", "which --whole-archive leaves alone"],
  ["main -r [a b c d]", "main a b c", "-r takes members as well"],
];

for (const [inputs, taken, why] of takes) {
  test(`link ${inputs}: ${why}`, async (t) => {
    const answer = await linkOf(inputs, "-t");
    t.is(answer.err, "");
    t.is(answer.status, 0);
    t.is(takenOf(answer), taken);
  });
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

test("in any order of archives and members the same ones are taken, and linked as if each were named", async (t) => {
  // Symbols and kernels as sets, because their order is that of the command line.
  const symbolsOf = (bytes: Uint8Array): readonly string[] => {
    const image = readObject(bytes, "out", createSink())!;
    return image.symbols.map(({ name, kind, linkage }) => `${name} ${kind} ${linkage}`).toSorted();
  };
  const expected = symbolsOf((await linkOf("main a b c")).written.get("out")!);
  const members = permutations(["a", "b", "c", "d"]).map((names) => `[${names.join(" ")}]`);
  const places = permutations(["main", "[a kernels]", "[b d]", "[c]"]).map((words) => words.join(" "));
  for (const inputs of [...members.map((each) => `main ${each}`), ...places]) {
    const { written, err, out } = await linkOf(inputs, "-t");
    t.is(err, "", inputs);
    t.deepEqual(symbolsOf(written.get("out")!), expected, inputs);
    // The image is that of naming the members one by one, in this order.
    const named = await ptxkit(["link", ...out.trim().split("\n"), "-o", "out"], { files: laidOut(inputs).files });
    t.deepEqual(named.written.get("out"), written.get("out"), inputs);
  }
});

test("random programs: exactly what the kernel reaches is taken, in any arrangement", (t) => {
  const random = randomNumbers(7);
  const below = (n: number): number => random() % n;
  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, key: random() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ item }) => item);
  for (let round = 0; round < rounds(40, 8); round++) {
    const callees = Array.from({ length: 8 }, () => Array.from({ length: below(3) }, () => `f${below(8)}`));
    const reached = new Set<string>(["f0"]);
    for (const name of reached) for (const callee of callees[Number(name.slice(1))]!) reached.add(callee);
    const members = shuffled([...callees.keys()]).map((i) => {
      const text = calls(`f${i}`, ...new Set(callees[i]!.filter((callee) => callee !== `f${i}`)));
      return { name: `f${i}`, data: Buffer.from(moduleText(text)) };
    });
    const cut = below(9);
    const archives = [members.slice(0, cut), members.slice(cut)].map((each) => writeArchive(each));
    const main = { name: "main", bytes: Buffer.from(moduleText(kernel("k", "f0"))) };
    const sink = createSink();
    const candidates = [
      ...archives.flatMap((bytes) => openLazily({ name: "a", bytes }, sink)),
      ...openLazily(main, sink),
    ].map((input): Candidate => ({ kind: "lazy", input }));
    const { inputs, left } = selectInputs(candidates, { roots: [{ name: "k", by: "-u" }] }, sink);
    t.is(sink.errorCount, 0);
    const expected = [
      ...members
        .map(({ name }) => name)
        .filter((name) => reached.has(name))
        .map((name) => `a(${name})`),
      "main",
    ];
    const found = inputs.map((input) => (input.kind === "object" ? input.object.name : ""));
    t.deepEqual(found, expected);
    t.is(inputs.length + left.length, 9);
  }
});

test("of nvcc's objects in an archive those with needed device code are taken", async (t) => {
  for (const library of ["gnu.a", "unindexed.a", "thin.a"]) {
    const files = Object.fromEntries(["scale.o", "twice.o", library].map((name) => [name, containerBytes(name)]));
    const answer = await ptxkit(["link", library, "scale.o", "-t", "-o", "out"], { files });
    t.is(answer.err, "", library);
    t.regex(answer.out, /^\S+\(twice\.o\)\(\d\.sm_90\.ptx\)\nscale\.o\(1\.sm_90\.ptx\)\n$/, library);
  }
});

for (const name of ["gnu.a", "unindexed.a", "both.o"]) {
  test(`${name}, damaged: members or diagnostics, and nothing is thrown`, (t) => {
    for (const bytes of mutations(containerBytes(name), 5, rounds(80, 8))) {
      const sink = createSink();
      const lazily = openLazily({ name, bytes }, sink, { arch: "sm_90" });
      const candidates = lazily.map((input): Candidate => ({ kind: "lazy", input }));
      const roots = ["_Z5scalePi", "_Z5twicei"].map((symbol) => ({ name: symbol, by: "-u" }));
      const { left, inputs } = selectInputs(candidates, { roots }, sink);
      t.true(inputs.length <= 4);
      t.notThrows(() => createElsewhere(left, "sm_90")("_Z5twicei"));
    }
  });
}

test("a member that is taken is linked as if it were named in its place", async (t) => {
  const library = { "main.ptx": ptx("main"), "lib.a": archive("d c b a") };
  const lazily = await ptxkit(["link", "main.ptx", "lib.a", "-o", "out"], { files: library });
  const one = await ptxkit(["link", "main.ptx", "lib.a(c.ptx)", "lib.a(b.ptx)", "lib.a(a.ptx)", "-o", "out"], {
    files: library,
  });
  t.is(one.err, "");
  t.deepEqual(lazily.written.get("out"), one.written.get("out"));
});

test("-l searches the folders of -L in their order, and takes its position on the command line", async (t) => {
  const files = {
    "main.ptx": ptx("main"),
    "x/libm.a": archive("a b c"),
    "y/libm.a": archive("strongA"),
    "y/m.a": archive("weakA"),
  };
  const taken = async (...words: readonly string[]): Promise<string> => {
    const answer = await ptxkit(["link", ...words, "-t", "-o", "out"], { files });
    return answer.err + answer.out.replaceAll("\n", " ").trim();
  };
  t.is(await taken("main.ptx", "-lm", "-Lx", "-Ly"), "main.ptx x/libm.a(a.ptx) x/libm.a(b.ptx) x/libm.a(c.ptx)");
  t.is(await taken("main.ptx", "-lm", "-Ly", "-Lx"), "main.ptx y/libm.a(strongA.ptx)");
  t.is(await taken("-L", "y", "-l", ":m.a", "main.ptx"), "y/m.a(weakA.ptx) main.ptx");
  t.is(await taken("--library=m", "--library-path=y", "main.ptx"), "y/libm.a(strongA.ptx) main.ptx");
  const behind = await ptxkit(["link", "-tLy", "-o", "out", "-lm", "--", "main.ptx"], { files });
  t.is(behind.out, "y/libm.a(strongA.ptx)\nmain.ptx\n");
  const words = { "words.txt": "-lm main.ptx\n-L x -t", ...files };
  const fromFile = await ptxkit(["link", "@words.txt", "-o", "out"], { files: words });
  t.is(fromFile.out, "x/libm.a(a.ptx)\nx/libm.a(b.ptx)\nx/libm.a(c.ptx)\nmain.ptx\n");
});

test("the first file that is not a member sets the target of the image", async (t) => {
  const library = writeArchive([{ name: "a.ptx", data: Buffer.from(moduleText(bodies["strongA"]!, "sm_80")) }]);
  const files = { "main.ptx": ptx("main", "sm_86"), "lib.a": library };
  const answer = await ptxkit(["link", "lib.a", "main.ptx", "-o", "out"], { files });
  t.is(answer.err, "");
  t.is(readObject(answer.written.get("out")!, "out", createSink())!.target.name, "sm_86");
});

/** Members that cannot be used, and the diagnostic when one would be needed. */
const missed: readonly (readonly [what: string, member: Uint8Array, says: RegExp])[] = [
  [
    "static",
    ptx("staticA"),
    /note: a is defined without \.visible in lib\.a\(m\)\n[^]*help: declare its definition \.visible/,
  ],
  [
    "for another target",
    ptx("strongA", "sm_100"),
    /note: lib\.a\(m\) defines a as PTX for sm_100\nhelp: none of that can be linked for sm_80/,
  ],
];

for (const [what, member, says] of missed) {
  test(`an undefined symbol that a member has ${what}`, async (t) => {
    const files = { "main.ptx": ptx("main"), "lib.a": writeArchive([{ name: "m", data: member }]) };
    const { status, err } = await ptxkit(["link", "main.ptx", "lib.a", "-o", "out"], { files });
    t.is(status, 1);
    t.regex(err, /undefined symbol: a \[undefined-symbol\]/);
    t.regex(err, says);
  });
}

test("machine code is an error only where it is needed", async (t) => {
  const library = { "lib.a": writeArchive([{ name: "twice.o", data: containerBytes("twice.sass.o") }]) };
  const alone = await ptxkit(["link", "alone.ptx", "lib.a", "-o", "out"], {
    files: { ...library, "alone.ptx": ptx("alone") },
  });
  t.is(alone.err, "");
  for (const member of ["twice.sass.o", "twice.sm_90.cubin", "twice.lto.o"]) {
    const files = {
      "lib.a": writeArchive([{ name: "twice.o", data: containerBytes(member) }]),
      "scale.o": containerBytes("scale.o"),
    };
    const needed = await ptxkit(["link", "scale.o", "lib.a", "-o", "out"], { files });
    t.is(needed.status, 1);
    t.regex(needed.err, /undefined symbol: _Z5twicei/);
    if (member !== "twice.lto.o")
      t.regex(needed.err, /note: lib\.a\(twice\.o\) defines _Z5twicei[^\n]* as machine code \(SASS\) for sm_90\n/);
  }
});

test("members without GPU code are skipped; faults in one are reported when it is taken, with the reason", async (t) => {
  const odd = [
    { name: "README", data: Uint8Array.of(0, 1, 2) },
    { name: "empty.o", data: new Uint8Array() },
    {
      name: "faulty.ptx",
      data: Buffer.from(moduleText(`.visible .func a { call nowhere; } .visible .func other { ret; }`)),
    },
  ];
  const link = (main: string) =>
    ptxkit(["link", "main.ptx", "lib.a", "-o", "out"], {
      files: { "main.ptx": ptx(main), "lib.a": writeArchive(odd) },
    });
  t.is((await link("alone")).err, "");
  const { status, err } = await link("main");
  t.is(status, 1);
  t.regex(err, /^lib\.a\(faulty\.ptx\):4:[^]*note: lib\.a\(faulty\.ptx\) is taken for 'a', which main\.ptx needs\n/);
});

test("a link without kernels reports those in members that were not taken", async (t) => {
  const { status, err } = await linkOf("c [kernels d]");
  t.is(status, 0);
  t.regex(
    err,
    /warning: the image has no kernel, but a member.*\[kernels-left-out\]\n.*kernel other is here[^]*--whole-archive/,
  );
  t.is((await linkOf("c [d]")).err, "");
  t.is((await linkOf("c -r [kernels d]")).err, "");
  const nothing = await linkOf("[kernels d]");
  t.is(nothing.status, 1);
  t.regex(nothing.err, /nothing to link[^]*kernel other is here/);
});

test("run takes the kernels that a launch names", async (t) => {
  const files = { "lib.a": archive("kernels d c") };
  const { status, err, out } = await ptxkit(["run", "-L.", "-l:lib.a", "-k", "other", "-g", "1", "-b", "1"], {
    files: { "./lib.a": files["lib.a"], "lib.a": files["lib.a"] },
  });
  t.is(err, "");
  t.is(status, 0);
  t.regex(out, /other <<<1, 1>>>/);
});

test("--why-extract, --print-dependencies and --trace", async (t) => {
  const files = { "main.ptx": ptx("main"), "lib.a": archive("c b a kernels d") };
  const line = ["link", "lib.a", "main.ptx", "-u", "other", "-o", "out"];
  const { out, err } = await ptxkit([...line, "--why-extract=-", "--print-dependencies"], { files });
  t.is(err, "");
  t.deepEqual(out.split("\n"), [
    "reference\textracted\tsymbol",
    "-u\tlib.a(kernels.ptx)\tother",
    "main.ptx\tlib.a(a.ptx)\ta",
    "lib.a(kernels.ptx)\tlib.a(d.ptx)\td",
    "lib.a(a.ptx)\tlib.a(b.ptx)\tb",
    "lib.a(b.ptx)\tlib.a(c.ptx)\tc",
    "lib.a(b.ptx)\tlib.a(c.ptx)\tu\tc",
    "lib.a(a.ptx)\tlib.a(b.ptx)\tu\tb",
    "lib.a(kernels.ptx)\tlib.a(d.ptx)\tu\td",
    "main.ptx\tlib.a(a.ptx)\tu\ta",
    "",
  ]);
  const json = await ptxkit([...line, "--why-extract=-", "--print-dependencies", "-t", "--json"], { files });
  const { trace, whyExtract, dependencies } = JSON.parse(json.out);
  t.is(trace.length, 6);
  t.deepEqual(whyExtract[0], { by: "-u", input: "lib.a(kernels.ptx)", symbol: "other" });
  t.deepEqual(dependencies[0], { from: "lib.a(b.ptx)", to: "lib.a(c.ptx)", symbol: "c" });
  const toFile = await ptxkit([...line, "--why-extract", "why.txt"], { files });
  t.is(toFile.out, "");
  t.regex(Buffer.from(toFile.written.get("why.txt")!).toString(), /^reference\textracted\tsymbol\n-u\t/);
});

test("--dependency-file is a rule for make with every file that was read", async (t) => {
  const files = {
    "my main.ptx": ptx("main"),
    "x/libm.a": archive("a b c"),
    "thin.a": containerBytes("thin.a"),
    "scale.o": containerBytes("scale.o"),
    "twice.o": containerBytes("twice.o"),
    "a:$#": ptx("d"),
    "inputs.rsp": "-Lx @more.rsp",
    "more.rsp": "-lm",
  };
  const words = ["link", "my main.ptx", "@inputs.rsp", "a:$#", "thin.a", "--dependency-file=out.d", "-o", "out img"];
  const { written, err } = await ptxkit(words, { files });
  t.is(err, "");
  const names = ["inputs.rsp", "more.rsp", "my\\ main.ptx", "x/libm.a", "a\\:$$\\#", "thin.a", "scale.o", "twice.o"];
  const rule = Buffer.from(written.get("out.d")!).toString();
  t.is(rule, `out\\ img: \\\n  ${names.join(" \\\n  ")}\n${names.map((name) => `\n${name}:\n`).join("")}`);
  const failed = await ptxkit(["link", "my main.ptx", "--dependency-file=out.d", "-o", "out"], { files });
  t.is(failed.status, 1);
  t.is(failed.written.size, 0);
});
