// `-r` in groupings of all kinds, nested ones too. Each case is a smallest program for which two groupings once
// differed, found by random walks.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Files, and groups of files and groups, each of which -r joins first. */
type Grouping = readonly (string | Grouping)[];

/** The output or map of `link HOW` of the files in these groups, as text, because comparing strings is fast. */
async function linked(given: Files, grouping: Grouping, how: string, what = "out"): Promise<string | undefined> {
  const joined: Record<string, Uint8Array> = {};
  const join = async (group: Grouping): Promise<readonly string[]> =>
    Promise.all(
      group.map(async (each) => {
        if (typeof each === "string") return each;
        const name = `joined${Object.keys(joined).length}`;
        joined[name] = new Uint8Array();
        joined[name] = (await written(await join(each), "-r"))!;
        return name;
      }),
    );
  const written = async (names: readonly string[], options: string): Promise<Uint8Array | undefined> => {
    const line = `link ${options} ${names.join(" ")} -o out`;
    return (await ptxkit(line.split(/ +/), { files: { ...given, ...joined } })).written.get(
      options === "-r" ? "out" : what,
    );
  };
  const output = await written(await join(grouping), how);
  return output && Buffer.from(output).toString("latin1");
}

test("shared memory that -r has split is joined again where the link order needs no parts", async (t) => {
  const files = {
    "a.ptx": moduleText(".extern .shared .u32 wide; .extern .shared .b8 byte;"),
    // A weak variable is first in shared memory, wherever it is declared.
    "b.ptx": moduleText(".visible .shared .b8 byte; .weak .shared .u32 wide;"),
    "c.ptx": moduleText(`.visible .entry k() { .reg .u64 %q; .shared .u32 own; mov.u64 %q, own; ret; }
      .weak .shared .u32 wide;`),
  };
  const all = ["a.ptx", "b.ptx", "c.ptx"];
  for (const how of ["-r", "", "-r --emit ptx"]) {
    const expected = await linked(files, all, how);
    t.truthy(expected, how);
    for (const grouping of [
      ["a.ptx", ["b.ptx", "c.ptx"]],
      [["a.ptx", ["b.ptx"]], "c.ptx"],
      [[["a.ptx", "b.ptx"], "c.ptx"]],
    ])
      t.is(await linked(files, grouping, how), expected, `${how} ${JSON.stringify(grouping)}`);
  }
});

/** A module with another .target option. */
const spare = moduleText(".visible .global .u32 other = 5;", "sm_80, texmode_unified");

test("--gc-sections: a module of -r that is removed whole leaves no trace, even of definitions that others declare", async (t) => {
  const files = {
    "a.ptx": moduleText(".extern .const .u32 v[]; .visible .entry k() { .reg .u64 %q; mov.u64 %q, v; ret; }"),
    "b.ptx": moduleText('.file 1 "b.cu"\n.weak .const .u32 v[4] = {2};').replace("8.5", "8.7"),
    "c.ptx": moduleText(".visible .const .u32 v[4] = {3};"),
    "spare.ptx": spare,
  };
  for (const rest of [["c.ptx"], ["c.ptx", "spare.ptx"]])
    for (const how of ["--gc-sections", "--emit ptx --gc-sections"]) {
      const expected = await linked(files, ["a.ptx", "b.ptx", ...rest], how);
      t.truthy(expected, how);
      t.false(expected!.includes("b.cu"), how);
      t.is(await linked(files, [["a.ptx", "b.ptx"], ...rest], how), expected, how);
      t.is(await linked(files, [[["a.ptx", "b.ptx"], ...rest]], how), expected, how);
    }
});

test("--gc-sections: references from dead code leave no trace, joined before or not", async (t) => {
  const files = {
    // Dead code is the first to name what other modules define and what none defines, the latter with the strictest
    // alignment.
    "a.ptx":
      moduleText(`.extern .func last(); .extern .global .u32 y; .extern .shared .align 32 .b8 dynamic[]; .extern .shared .b8 more[];
      .func dead() { .reg .u64 %q; mov.u64 %q, y; mov.u64 %q, more; mov.u64 %q, dynamic; call last; ret; }
      .visible .entry k() { ret; }`),
    "b.ptx": moduleText(`.extern .shared .align 16 .b8 more[]; .extern .shared .b8 dynamic[];
      .visible .global .u32 x; .visible .global .u32 y; .visible .func first() { ret; } .visible .func last() { ret; }
      .visible .entry l() { .reg .u64 %q; mov.u64 %q, x; mov.u64 %q, y; mov.u64 %q, dynamic; mov.u64 %q, more; call first; call last; ret; }`),
    "c.ptx": moduleText(".common .global .u32 z; .visible .entry m() { .reg .u64 %q; mov.u64 %q, z; ret; }"),
    // Another module declares all that this one does.
    "d.ptx": moduleText(".common .global .align 16 .u32 z[4];"),
    "spare.ptx": spare,
  };
  const all = ["a.ptx", "b.ptx", "c.ptx", "d.ptx"];
  for (const rest of [[], ["spare.ptx"]])
    for (const how of [
      "--gc-sections",
      "--gc-sections --no-keep-exports",
      "--emit ptx --gc-sections",
      "-r --gc-sections",
    ]) {
      const expected = await linked(files, [...all, ...rest], how);
      t.truthy(expected, how);
      for (const grouping of [
        [[...all, ...rest]],
        [["a.ptx", "b.ptx"], "c.ptx", "d.ptx", ...rest],
        [["a.ptx"], ["b.ptx", ["c.ptx", "d.ptx"]], ...rest],
      ])
        t.is(await linked(files, grouping, how), expected, `${how} ${JSON.stringify(grouping)}`);
    }
});

test("--gc-sections: shared variables of one size are ordered without regard to dead functions, joined before or not", async (t) => {
  // Without the dead function the next one is first, and its variable precedes the static one.
  const dead = ".visible .func dead() { .reg .u64 %q; ret; }";
  const rest = `.shared .u32 one;
    .visible .func live() { .reg .u64 %q; .shared .u32 own; mov.u64 %q, own; mov.u64 %q, one; ret; }
    .visible .entry k() { call live; ret; } .visible .entry l() { call live; ret; }`;
  const files = {
    "a.ptx": moduleText(`${dead} ${rest}`),
    "b.ptx": moduleText(".visible .entry m() { ret; }"),
    "gone.ptx": moduleText(rest),
    "spare.ptx": spare,
  };
  const collect = "--gc-sections --no-keep-exports --strip-debug";
  for (const rest of [["b.ptx"], ["b.ptx", "spare.ptx"]]) {
    const sharedIn = async (grouping: Grouping, how: string): Promise<readonly string[]> => {
      const map = (await linked(files, grouping, `${how} --map map.txt`, "map.txt"))!;
      const names = map.split("\n").flatMap((line) => /\.shared .* (one|\(own\))$/.exec(line)?.[1] ?? []);
      // After them, kernel by kernel.
      return names.slice(0, 2);
    };
    t.deepEqual(await sharedIn(["gone.ptx", ...rest], ""), ["one", "(own)"]);
    t.deepEqual(await sharedIn(["a.ptx", ...rest], ""), ["(own)", "one"]);
    t.deepEqual(await sharedIn(["a.ptx", ...rest], collect), ["one", "(own)"]);
    for (const how of [collect, `${collect} --emit ptx`, `-r ${collect}`]) {
      const expected = await linked(files, ["a.ptx", ...rest], how);
      t.truthy(expected, how);
      for (const grouping of [[["a.ptx", ...rest]], [["a.ptx", "b.ptx"], ...rest.slice(1)], [[["a.ptx"], ...rest]]])
        t.is(await linked(files, grouping, how), expected, `${how} ${JSON.stringify(grouping)}`);
    }
  }
});

test("-r --gc-sections keeps declarations that need no definition, and every externally visible reference", async (t) => {
  const files = {
    "a.ptx": moduleText(`.extern .func helper(); .extern .shared .align 32 .b8 dynamic[]; .weak .global .texref tex;
      .func dead() { .reg .u64 %q; mov.u64 %q, dynamic; call helper; ret; } .visible .entry k() { ret; }`),
    "b.ptx": moduleText(`.extern .func helper(); .extern .shared .b8 dynamic[]; .extern .global .texref tex;
      .visible .entry l() { .reg .u64 %q; mov.u64 %q, dynamic; mov.u64 %q, tex; call helper; ret; }`),
    "c.ptx": moduleText(".visible .func helper() { ret; }"),
    "spare.ptx": spare,
  };
  for (const rest of [["c.ptx"], ["c.ptx", "spare.ptx"]])
    for (const how of ["--gc-sections", "--gc-sections --emit ptx"]) {
      const joined = Buffer.from((await linked(files, ["a.ptx"], "-r --gc-sections"))!, "latin1");
      const expected = await linked(files, ["a.ptx", "b.ptx", ...rest], how);
      t.truthy(expected, how);
      t.is(await linked({ ...files, joined }, ["joined", "b.ptx", ...rest], how), expected, how);
    }
});

test("-r --gc-sections keeps what a later link checks against the definition of a symbol that is .common so far", async (t) => {
  const files = {
    "a.ptx": moduleText(".extern .global .u32 v[4]; .visible .entry k() { .reg .u64 %q; mov.u64 %q, v; ret; }"),
    "b.ptx": moduleText(".common .global .u32 v[2];"),
    "c.ptx": moduleText(".common .global .u32 v[4];"),
    "spare.ptx": spare,
  };
  for (const rest of [[], ["spare.ptx"]]) {
    const all = ["a.ptx", "b.ptx", ...rest];
    t.is(await linked(files, all, ""), undefined);
    const joined = Buffer.from((await linked(files, [all], "-r --gc-sections"))!, "latin1");
    t.is(await linked({ ...files, joined }, ["joined"], ""), undefined);
    t.is(await linked({ ...files, joined }, ["joined", "c.ptx"], ""), await linked(files, [...all, "c.ptx"], ""));
  }
});

test("a map equals that of a single link, but for padding left by definitions that lost within -r", async (t) => {
  const files = {
    "a.ptx": moduleText(".weak .const .u32 v = 1; .const .u64 w = 5; .visible .entry k() { ret; }"),
    "b.ptx": moduleText(".weak .const .u32 v = 2; .const .align 16 .u32 x = 3;"),
  };
  const rowsOf = async (grouping: Grouping) => {
    const map = JSON.parse(
      Buffer.from((await linked(files, grouping, "--map map.json", "map.json"))!, "latin1").toString(),
    ) as {
      readonly memories: readonly {
        readonly section: string;
        readonly entries: readonly { readonly kind: string; readonly offset: number; readonly size: number }[];
      }[];
    };
    const { entries } = map.memories.find(({ section }) => section === ".nv.constant3")!;
    return entries.map(({ kind, offset, size }) => `${offset} ${size} ${kind}`);
  };
  const rows = await rowsOf(["a.ptx", "b.ptx"]);
  t.true(rows.some((row) => row.endsWith("dead")));
  for (const grouping of [[["a.ptx", "b.ptx"]], [[["a.ptx"], "b.ptx"]]])
    t.deepEqual(
      await rowsOf(grouping),
      rows.map((row) => row.replace("dead", "padding")),
    );
});

test("a map aligns dynamic shared memory to 16 bytes, joined or not: objects do not record a module's alignment", async (t) => {
  const moduleOf = (kernel: string, align: number): string =>
    moduleText(`.extern .shared .align ${align} .b8 dynamic[];
      .visible .entry ${kernel}() { .reg .u64 %q; .shared .b8 own; mov.u64 %q, own; mov.u64 %q, dynamic; ret; }`);
  const files = { "a.ptx": moduleOf("k", 4), "b.ptx": moduleOf("l", 32) };
  for (const grouping of [["a.ptx", "b.ptx"], [["a.ptx", "b.ptx"]]]) {
    const map = await linked(files, grouping, "--map map.txt", "map.txt");
    const rows = map!.split("\n").filter((line) => line.includes("dynamic:"));
    t.deepEqual(
      rows.map((row) => row.trim().split(/ +/).slice(0, 3).join(" ")),
      ["16 0 16", "16 0 16"],
    );
  }
});

test("-r keeps one of several declarations, with its type, to check a later definition against", async (t) => {
  const files = {
    "a.ptx": moduleText(".extern .global .b32 x; .visible .entry k() { .reg .u64 %q; mov.u64 %q, x; ret; }"),
    "b.ptx": moduleText(".extern .global .u32 x; .visible .entry l() { .reg .u64 %q; mov.u64 %q, x; ret; }"),
    "c.ptx": moduleText(".visible .global .f32 x;"),
    "spare.ptx": spare,
  };
  for (const rest of [["c.ptx"], ["c.ptx", "spare.ptx"]]) {
    const joined = Buffer.from((await linked(files, ["a.ptx", "b.ptx"], "-r"))!, "latin1");
    const { status, err } = await ptxkit(["link", "joined", ...rest, "-o", "out"], { files: { ...files, joined } });
    t.is(status, 0, err);
    t.regex(err, /'x' is of type \.u32 here and \.f32 there/);
  }
});
