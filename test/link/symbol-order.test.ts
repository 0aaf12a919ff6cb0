// --symbol-ordering-file and --sort-section: variables and functions in a requested order.

import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText } from "./build.js";

const files = {
  "a.ptx": moduleText(`
    .visible .global .u8 a0 = 1;
    .visible .global .u32 a2 = 3;
    .visible .global .u64 p = generic(a2);
    .visible .const .u32 c0 = 4;
    .visible .const .u32 c1 = 5;
    .visible .global .u8 z0[3];
    .common .global .u64 shared_name;
    .weak .global .u32 w = 6;
    .visible .func f() { ret; }
    .visible .func g() { ret; }`),
  "b.ptx": moduleText(`
    .extern .global .u8 a0;
    .extern .global .u64 p;
    .extern .const .u32 c1;
    .weak .global .u32 w = 7;
    .visible .global .u16 b0 = 8;
    .visible .global .u64 z1;
    .visible .entry k(.param .u64 out) {
      .reg .u64 %rd, %q; .reg .u32 %a, %b, %c, %d; ld.param.u64 %rd, [out];
      ld.global.u8 %a, [a0]; ld.global.u64 %q, [p]; ld.u32 %b, [%q]; ld.const.u32 %c, [c1]; ld.global.u32 %d, [w];
      st.global.v4.u32 [%rd], {%a, %b, %c, %d}; ret; }`),
  order: "# what is used together\nb0\na2\n\nz1\nshared_name\nc1\nk\ng\nw\n",
};
const line = ["link", "a.ptx", "b.ptx", "-o", "out", "--map", "map", "--map-format", "json"];

interface Map {
  readonly memories: readonly {
    readonly space: string;
    readonly entries: readonly { readonly kind: string; readonly name?: string; readonly offset: number }[];
  }[];
}

async function link(more: readonly string[], added: Readonly<Record<string, string>> = {}) {
  const all = { ...files, ...added };
  const { status, written, err } = await ptxkit([...line, ...more], { files: all });
  const image = { ...all, out: written.get("out")! };
  const map = written.has("map") ? (JSON.parse(Buffer.from(written.get("map")!).toString()) as Map) : undefined;
  const namesIn = (space: string): string =>
    (map?.memories.find((each) => each.space === space)?.entries ?? [])
      .flatMap(({ kind, name }) => (kind === "padding" ? [] : [`${kind === "dead" ? "dead " : ""}${name}`]))
      .join(" ");
  return { status, err, image, namesIn };
}

const results = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> =>
  (await ptxkit(["run", "out", "-k", "k", "-g", "1", "-b", "1", "-a", "u32[4]=0"], { files })).out;

test("listed symbols come first, across modules and .common ones, too; the rest keep their order", async (t) => {
  const { status, err, image, namesIn } = await link(["--symbol-ordering-file", "order"]);
  t.is(status, 0, err);
  t.is(err, "");
  t.is(namesIn("global-init"), "b0 a2 w p a0");
  t.is(namesIn("global"), "z1 shared_name z0");
  t.is(namesIn("const"), "c1 c0");
  t.regex(await results(image), /0: 1 3 5 6\n/);
  t.is((await ptxkit(["inspect", "out", "--verify"], { files: image })).status, 0);
  const sections = (await ptxkit(["inspect", "out", "--sections"], { files: image })).out;
  t.deepEqual(
    [...sections.matchAll(/ PROGBITS .* \.text\.(\w+)/g)].map(([, name]) => name),
    ["k", "g", "f"],
  );
});

test("without an order the same modules are laid out as given, with lost definitions", async (t) => {
  const { namesIn } = await link([]);
  t.is(namesIn("global-init").split(" ").toSorted().join(" "), "a0 a2 b0 dead p w w");
});

test("--sort-section sorts variables by name or by alignment, after those that are listed", async (t) => {
  const byName = await link(["--sort-section", "name"]);
  t.is(byName.namesIn("global-init"), "a0 a2 b0 p w");
  t.is(byName.namesIn("global"), "shared_name z0 z1");
  const byAlignment = await link(["--sort-section=alignment"]);
  t.is(byAlignment.namesIn("global-init").split(" ")[0], "p");
  t.deepEqual(byAlignment.namesIn("global-init").split(" ").slice(-2), ["b0", "a0"]);
  t.is(byAlignment.namesIn("global").split(" ").at(-1), "z0");
  const both = await link(["--sort-section", "name", "--symbol-ordering-file", "order"]);
  t.is(both.namesIn("global-init"), "b0 a2 w a0 p");
  for (const { image } of [byName, byAlignment, both]) {
    t.regex(await results(image), /0: 1 3 5 6\n/);
    t.is((await ptxkit(["inspect", "out", "--verify"], { files: image })).status, 0);
  }
});

test("unknown names of an order are reported with their line, and so are shared variables", async (t) => {
  const { status, err } = await link(["--symbol-ordering-file", "names"], {
    names: "a2\nnobody\ns\n",
    "a.ptx": `${files["a.ptx"]}\n.visible .shared .u32 s;\n`,
  });
  t.is(status, 0);
  t.deepEqual(
    [...err.matchAll(/warning\S*: .*names (\w+),/g)].map(([, name]) => name),
    ["nobody", "s"],
  );
  t.regex(err, /names:2/);
});

test("orders apply to images only, and one at a time", async (t) => {
  for (const more of [["-r"], ["--emit", "ptx"], ["--reverse-sections"], ["--shuffle-sections", "1"]])
    t.is(
      (await ptxkit(["link", "a.ptx", "b.ptx", "-o", "out", "--sort-section", "name", ...more], { files })).status,
      2,
    );
  t.is((await link(["--symbol-ordering-file", "nowhere"])).status, 2);
});

test("the output of -r is ordered like its parts: bytes of lost definitions go, those beside a single variable, too", async (t) => {
  const objects: Record<string, Uint8Array> = {};
  for (const [name, body] of [
    ["a", ".visible .global .u32 a0 = 1;\n.weak .global .align 16 .u64 w = 2;\n.weak .global .u64 p = generic(a0);"],
    // Of two definitions the second is used; of three the first, whose bytes contain an address.
    ["b", ".weak .global .align 16 .u64 w = 3;\n.visible .global .u16 b0 = 4;"],
    [
      "c",
      ".extern .global .u32 a0;\n.weak .global .u64 p = a0;\n.weak .const .u32 v = 5;\n.global .u64 q = generic(a0)+2;\n.global .u8 c0 = 6;",
    ],
    ["d", ".weak .const .u32 v = 7;\n.visible .const .u16 d0 = 8;\n.visible .entry k() { ret; }"],
  ] as const) {
    const made = await ptxkit(["as", `${name}.ptx`, "-o", "out"], { files: { [`${name}.ptx`]: moduleText(body) } });
    t.is(made.status, 0, made.err);
    objects[`${name}.o`] = made.written.get("out")!;
  }
  const linked = async (line: string, given: Readonly<Record<string, Uint8Array>>) => {
    const { status, err, written } = await ptxkit(`link ${line} -o out`.split(" "), {
      files: { ...given, order: "b0\nd0\nq\n" },
    });
    t.is(status, 0, err);
    return written.get("out")!;
  };
  for (const [grouped, line] of [
    ["a.o b.o", "joined c.o d.o"],
    ["b.o c.o d.o", "a.o joined"],
    ["a.o b.o c.o d.o", "joined"],
  ] as const) {
    const all = { ...objects, joined: await linked(`-r ${grouped}`, objects) };
    for (const order of [
      "--sort-section name",
      "--sort-section alignment",
      "--symbol-ordering-file order",
      "--reverse-sections",
    ])
      t.deepEqual(
        await linked(`${order} ${line}`, all),
        await linked(`${order} a.o b.o c.o d.o`, all),
        `${order} ${line}`,
      );
  }
});

test("of very many unknown names the first are reported singly and the rest together", async (t) => {
  const order = Array.from({ length: 10_003 }, (_, i) => `none${i}`).join("\n");
  const { status, err } = await ptxkit([...line, "--symbol-ordering-file", "order", "--diagnostics", "json"], {
    files: { ...files, order },
  });
  t.is(status, 0);
  t.true(err.includes("the order names none9999, and"));
  t.true(err.includes("of the order's names from none10000 on, 3 more are neither functions"));
  t.false(err.includes("the order names none10000, and"));
});
