// The project's rules as tests: which imports are allowed, and what must not appear in the sources.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";

/** The checkout: this file runs from dist/test. */
const root = fileURLToPath(new URL("../../", import.meta.url));

/** The stages of lib, in order. */
const { stages } = (await import(new URL("../../.ci/stages.mjs", import.meta.url).href)) as {
  readonly stages: readonly string[];
};

interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sources(folder: string): readonly SourceFile[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => {
      const file = path.posix.join(folder, name.split(path.sep).join("/"));
      const text = readFileSync(path.join(root, file), "utf8");
      const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1]!);
      return { name: file, text, imports: specifiers.map((s) => path.posix.join(path.posix.dirname(file), s)) };
    });
}

const lib = sources("lib");
const formats = sources("formats");
const cli = sources("cli");

test("inside lib, imports run only towards earlier stages", (t) => {
  for (const file of lib) {
    const stage = stages.indexOf(file.name.split("/")[1]!);
    for (const target of file.imports.filter((name) => name.startsWith("lib/"))) {
      const other = stages.indexOf(target.split("/")[1]!);
      if (stage < 0) continue; // lib/index.ts lists the public names of all stages
      t.true(other >= 0 && other <= stage, `${file.name} imports ${target}`);
    }
  }
});

/**
 * The order of folders inside a stage: docs/linking.md for lib/link, docs/execution.md for lib/exec. "" stands for the files beside
 * the folders; where the order does not have it, they come last.
 */
const folderOrders: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "link",
    [
      "shared",
      "model",
      "inputs",
      "resolve",
      "archives",
      "gc",
      "layout",
      "image",
      "relocatable",
      "messages",
      "detect",
      "state",
      "views",
      "defsym",
      "diagnostics",
      "reports",
    ],
  ],
  ["timing", ["gpus", "trace", "lowering", "schedule", "memory", "record", "sm", "result"]],
  ["inspect", ["context", "parts", "verify", "views", "", "compare"]],
  [
    "exec",
    [
      "state",
      "machine",
      "operands",
      "async",
      "tensor",
      "texture",
      "system",
      "meanings",
      "fast",
      "program",
      "sanitize",
      "launch",
      "device",
    ],
  ],
]);

/** The order of folders in cli, as docs/design.md lists it; the files beside the folders come last. */
const cliFolders = "base assembly files terminal options inputs run sweep viewer debug lsp commands".split(" ");

test("inside cli, imports run only towards earlier folders", (t) => {
  const orderOf = (name: string): number => {
    const [, folder, file] = name.split("/");
    return file === undefined ? cliFolders.length : cliFolders.indexOf(folder!);
  };
  // Both read a file relative to the program's entry file.
  const besideEntry = ["cli/version.js", "cli/viewer-script.js"];
  for (const { name, imports } of cli) {
    t.true(orderOf(name) >= 0, name);
    for (const target of imports.filter((other) => other.startsWith("cli/") && !besideEntry.includes(other)))
      t.true(orderOf(target) <= orderOf(name), `${name} imports ${target}`);
  }
});

test("inside a stage, imports run only towards earlier folders", (t) => {
  for (const [stage, folders] of folderOrders) {
    const files = lib.filter(({ name }) => name.startsWith(`lib/${stage}/`));
    t.true(files.length > folders.length);
    const orderOf = (name: string): number => {
      const [, , folder, file] = name.split("/");
      if (file !== undefined) return folders.indexOf(folder!);
      return folders.includes("") ? folders.indexOf("") : folders.length;
    };
    for (const { name, imports } of files) {
      t.true(orderOf(name) >= 0, name);
      for (const target of imports.filter((other) => other.startsWith(`lib/${stage}/`)))
        t.true(orderOf(target) <= orderOf(name), `${name} imports ${target}`);
    }
  }
});

/** Files that may import each other in a cycle, and why. */
const circles: ReadonlyMap<string, string> = new Map([
  ["formats/itanium", "a name has types, and a type has names"],
  ["lib/exec/state", "records that refer to each other"],
  ["lib/nvvm/ir", "records that refer to each other"],
  ["lib/nvvm/text", "a constant expression has constants"],
]);

test("no files import each other in a circle", (t) => {
  const all = [...lib, ...formats, ...cli];
  const byName = new Map(all.map((file) => [file.name, file.imports.map((name) => name.replace(/\.js$/, ".ts"))]));
  const reached = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const next = [start];
    for (let name = next.pop(); name !== undefined; name = next.pop())
      for (const target of byName.get(name) ?? []) if (!seen.has(target) && seen.add(target)) next.push(target);
    return seen;
  };
  const inCircle = all.filter(({ name }) => reached(name).has(name)).map(({ name }) => path.posix.dirname(name));
  t.deepEqual([...new Set(inCircle)].sort(), [...circles.keys()]);
});

test("formats import nothing of lib and cli, lib nothing of cli", (t) => {
  for (const file of formats)
    t.deepEqual(
      file.imports.filter((name) => !name.startsWith("formats/")),
      [],
      file.name,
    );
  for (const file of lib)
    t.deepEqual(
      file.imports.filter((name) => name.startsWith("cli/") || name.startsWith("test/")),
      [],
      file.name,
    );
});

test("every folder of lib is a stage of the design", (t) => {
  const rooms = new Set(lib.map((file) => file.name.split("/")[1]!).filter((name) => !name.endsWith(".ts")));
  t.deepEqual(
    [...rooms].filter((room) => !stages.includes(room)),
    [],
  );
});

test("sections of pages that comments and messages name exist", (t) => {
  const headings = new Map<string, ReadonlySet<string>>();
  const headingsOf = (page: string): ReadonlySet<string> => {
    const text = readFileSync(path.join(root, page), "utf8");
    return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.replaceAll("`", "").toLowerCase()));
  };
  const named = [...lib, ...formats, ...cli].flatMap(({ name, text }) =>
    [...text.replaceAll(/\n(?:\/\/| \*) /g, " ").matchAll(/(docs\/[a-z-]+\.md), "([^"]+)"/g)].map(
      ([, page, section]) => ({ name, page: page!, section: section! }),
    ),
  );
  t.true(named.length > 40);
  for (const { name, page, section } of named) {
    if (!headings.has(page)) headings.set(page, headingsOf(page));
    t.true(headings.get(page)!.has(section.toLowerCase()), `${name}: ${page}, "${section}"`);
  }
});

test("files that pages and comments name exist", (t) => {
  const tree = ["lib", "formats", "cli", "bench", "test", ".ci"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(folder, name.split(path.sep).join("/")),
    ),
  );
  const pages = readdirSync(path.join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  const texts = [
    ...["README.md", "CONTRIBUTING.md", ...pages].map((name) => ({
      name,
      text: readFileSync(path.join(root, name), "utf8"),
    })),
    ...[...lib, ...formats, ...cli].map(({ name, text }) => ({
      name,
      text: [...text.matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].join("\n"),
    })),
  ];
  const named = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/(?<![\w*$>{,./-])((?:[\w.-]+\/)*[\w][\w.-]*\.(?:ts|mjs))\b/g)].map(([, file]) => ({
      name,
      file: file!,
    })),
  );
  t.true(named.length > 200);
  const ends = new Set(tree.flatMap((file) => file.split("/").map((_, i, parts) => parts.slice(i).join("/"))));
  t.deepEqual(
    named
      .filter(({ file }) => !ends.has(file.replace(/^(?:\.{1,2}\/)+/, "")))
      .map(({ name, file }) => `${name}: ${file}`),
    [],
  );
});

test("every source file opens by saying what it is", (t) => {
  for (const file of [...lib, ...formats, ...cli]) {
    t.regex(file.text.replace(/^#!.*\n/, ""), /^\/\//, file.name);
  }
});

test("the library neither prints nor reads clocks, chance, files or the environment", (t) => {
  // Random numbers are only for salts of hash tables, which no output depends on.
  const salt = "formats/bytes/salt.ts";
  for (const file of [...lib, ...formats]) {
    t.notRegex(
      file.name === salt ? file.text.replace("Math.random()", "") : file.text,
      /\bconsole\.|\bDate\.now\b|new Date\(|Math\.random|\bprocess\.(?:env|argv|exit|exitCode|cwd|std\w+|hrtime|cpuUsage|platform|on)\b|from "node:(fs|process|os|child_process)"/,
      file.name,
    );
  }
});

test("sources end with one newline and have neither tabs nor carriage returns", (t) => {
  for (const file of [...lib, ...formats, ...cli, ...sources("bench")]) {
    t.notRegex(file.text, /\r|\t|\n\n$|[^\n]$/, file.name);
  }
});

// ------------------------------------------------------------------------------------------------------ size and style

const tests = sources("test");
const benches = sources("bench");

/** Tables may be as long as their contents. */
const isTable = ({ name }: SourceFile): boolean => name.endsWith(".table.ts");
const linesOf = ({ text }: SourceFile): number => text.split("\n").length - 1;

const mostLines = 400;
const mostMedianLines = 150;

/** Longer files, with their limits and reasons. Best left empty. */
const longer: ReadonlyMap<string, readonly [lines: number, reason: string]> = new Map([]);

test("files are small enough to be read at once", (t) => {
  for (const file of [...lib, ...formats, ...cli, ...tests, ...benches].filter((one) => !isTable(one))) {
    const [most, reason] = longer.get(file.name) ?? [mostLines, ""];
    t.true(linesOf(file) <= most, `${file.name} has ${linesOf(file)} lines; at most ${most} ${reason}`);
  }
  for (const name of longer.keys()) {
    const file = [...lib, ...formats, ...cli, ...tests, ...benches].find((one) => one.name === name);
    t.true(file !== undefined && linesOf(file) > mostLines, `${name} needs no exception`);
  }
  const lengths = [...lib, ...formats, ...cli]
    .filter((one) => !isTable(one))
    .map(linesOf)
    .toSorted((a, b) => a - b);
  const median = lengths[lengths.length >> 1]!;
  t.true(median <= mostMedianLines, `the median is ${median} lines`);
});

/** The files for which `fault` has a message, with that message. */
function faulty(files: readonly SourceFile[], fault: RegExp): readonly string[] {
  return files.flatMap(({ name, text }) => {
    const found = fault.exec(text);
    return found === null ? [] : [`${name}: ${found[0]}`];
  });
}

test("nothing is put off, left out or singled out", (t) => {
  const others = tests.filter(({ name }) => name !== "test/architecture.test.ts");
  t.deepEqual(faulty([...lib, ...formats, ...cli, ...others, ...benches], /\b(TODO|FIXME|HACK)\b/), []);
  t.deepEqual(faulty(others, /\btest\.(serial\.)?(only|todo|failing)\b/), []);
  // Tests that need a tool are skipped without it, with the reason in the title (testWith); no other test is skipped,
  // and none passes instead.
  const rest = others.filter(({ name }) => name !== "test/tools.ts");
  t.deepEqual(faulty(rest, /\btest\.skip\b|\bt\.skip\b|\bt\.pass\(["'`]/), []);
});

/**
 * Classes are for readers and writers of bytes, and for rows of which a report has a million. Except for errors,
 * everything else is functions.
 */
const classes: ReadonlyMap<string, string> = new Map([
  ["ByteReader", "a cursor over bytes"],
  ["ByteWriter", "bytes that grow"],
  ["CodeWriter", "instructions one after the other, chained"],
  ["Folder", "an initialiser's bytes while they are folded"],
  ["ViewedContribution", "what a file says of a name, with a symbol that is made when it is asked for"],
  ["ViewedSection", "a section likewise, whose bytes may have to be put together"],
  ["ViewedSymbol", "a symbol whose facts are read off columns one at a time"],
]);

test("functions over classes, and nothing inherits but errors", (t) => {
  for (const file of [...lib, ...formats, ...cli]) {
    for (const [, name, parent] of file.text.matchAll(
      /^\s*(?:export )?(?:abstract )?class (\w+)(?: extends (\w+))?/gm,
    )) {
      t.true(parent === "Error" || (parent === undefined && classes.has(name!)), `${file.name}: class ${name}`);
    }
  }
});

/** Module-scope variables that are assigned: only memos of values computed from tables. */
const memos: readonly string[] = ["lib/isa/rows/all.table.ts"];

test("modules have no state of their own, no default export and no enum", (t) => {
  const all = [...lib, ...formats, ...cli];
  const stateless = all.filter(({ name }) => !memos.includes(name));
  t.deepEqual(faulty(stateless, /^(export )?(let|var) .*/m), []);
  t.deepEqual(faulty(all, /^export default|^(export )?(const )?enum /m), []);
});

test("tests mirror the tree: a folder of test/ is one of what it tests, or named here", (t) => {
  const places = new Set(["cli", "formats", ...stages, "programs", "oracle", "hardware"]);
  const folders = new Set(
    tests
      .map(({ name }) => name.split("/"))
      .filter(({ length }) => length > 2)
      .map(([, folder]) => folder!),
  );
  t.deepEqual(
    [...folders].filter((folder) => !places.has(folder)),
    [],
  );
});

/** For each file, the names that others import from it; `*` for an import of the whole. */
function importedNames(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, text } of files) {
    const add = (specifier: string, names: readonly string[]): void => {
      const target = path.posix.join(path.posix.dirname(name), specifier).replace(/^dist\//, "");
      const known = found.get(target) ?? new Set();
      for (const one of names) known.add(one);
      found.set(target, known);
    };
    for (const match of text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g)) {
      const listed = match[1]!.split(",").map((one) =>
        one
          .trim()
          .replace(/^type /, "")
          .replace(/ as .*/s, ""),
      );
      add(match[2]!, listed);
    }
    for (const match of text.matchAll(/(?:\* from|\* as \w+ from|import\(\s*)\s*"(\.[^"]+)"/g)) add(match[1]!, ["*"]);
  }
  return found;
}

test("a function or constant that a file exports is used in another one", (t) => {
  const users = [...lib, ...formats, ...cli, ...sources("test"), ...sources("bench")];
  const used = importedNames(users);
  const unused = [...lib, ...formats, ...cli].flatMap(({ name, text }) => {
    const names = used.get(name.replace(/ts$/, "js"));
    if (names?.has("*") === true) return [];
    const exported = [...text.matchAll(/^export (?:async )?(?:function\*?|const|let) (\w+)/gm)].map(([, one]) => one!);
    return exported.filter((one) => names?.has(one) !== true).map((one) => `${name} ${one}`);
  });
  t.deepEqual(unused, []);
});
