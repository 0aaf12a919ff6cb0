// Reports of --gc-sections: place, text and JSON.

import test from "ava";
import { splitNames } from "../../cli/commands/link-live.js";
import { ptxkit } from "./surroundings.js";

const head = ".version 8.5\n.target sm_80\n.address_size 64\n";
const files = {
  "a.ptx": `${head}.extern .func _Z4helpi();\n.visible .entry k()\n{\n  call _Z4helpi;\n  ret;\n}\n.global .u32 dead[4] = {1};\n.weak .func w() { ret; }\n`,
  "b.ptx": `${head}.global .u32 leaf = 5;\n.global .u64 table[2] = {0, leaf};\n.visible .func _Z4helpi()\n{\n  .reg .b64 %d;\n  mov.u64 %d, table;\n  ret;\n}\n.weak .func w() { ret; }\n`,
};
const link = (...words: readonly string[]) => ptxkit(["link", "a.ptx", "b.ptx", ...words], { files });

test("--print-gc-sections lists what was removed, with its module, size and reason", async (t) => {
  const { status, out, err } = await link("--gc-sections", "--print-gc-sections", "-o", "out");
  t.is(status, 0, err);
  t.is(err, "");
  t.is(
    out.replaceAll(/\d+ bytes: no root reaches it$/gm, "N bytes: no root reaches it"),
    "a.ptx:10: removed 'dead', a .global variable, N bytes: no root reaches it\n" +
      "a.ptx:11: removed 'w', a function, N bytes: no root reaches it\n" +
      "b.ptx:12: removed 'w', a function, 37 bytes: lost to the definition at a.ptx:11\n",
  );
});

test("--why-live shows the chain of references from a root to the symbol", async (t) => {
  const { status, out } = await link("--why-live", "leaf", "-o", "out");
  t.is(status, 0);
  t.is(
    out,
    "b.ptx:4: 'leaf', a .global variable, is live\n" +
      ">>> referred to by 'table' at b.ptx:5\n" +
      ">>> referred to by '_Z4helpi' (help(int)) at b.ptx:9\n" +
      ">>> referred to by 'k' at a.ptx:7\n" +
      ">>> 'k' is a root: a kernel\n",
  );
});

test("--why-live reports a symbol that is removed or does not exist", async (t) => {
  const kept = await link("--why-live", "dead", "--why-live", "tabel", "-o", "out");
  t.is(
    kept.out,
    "a.ptx:10: 'dead', a .global variable, is kept: nothing is dropped without --gc-sections\n" +
      ">>> no root reaches it\n" +
      "no symbol 'tabel' in the inputs\n" +
      ">>> did you mean 'table'?\n",
  );
  const gone = await link("--gc-sections", "--why-live", "d*", "-o", "out");
  t.is(gone.out, "a.ptx:10: 'dead', a .global variable, is not live\n>>> no root reaches it\n");
});

test("--json makes one document of all reports", async (t) => {
  const { out } = await link(
    ...["--gc-sections", "--print-gc-sections", "--why-live", "help(int)", "--json", "-o", "out"],
  );
  const { removed, whyLive } = JSON.parse(out);
  t.deepEqual(
    removed.map(({ name, file, line, reason, lostTo }: Record<string, unknown>) => [name, file, line, reason, lostTo]),
    [
      ["dead", "a.ptx", 10, "unreached", undefined],
      ["w", "a.ptx", 11, "unreached", undefined],
      ["w", "b.ptx", 12, "lost", { file: "a.ptx", line: 11 }],
    ],
  );
  t.deepEqual(whyLive, [
    {
      name: "_Z4helpi",
      demangled: "help(int)",
      live: true,
      root: "a kernel",
      chain: [
        { name: "k", what: "a kernel", file: "a.ptx", line: 5 },
        {
          name: "_Z4helpi",
          demangled: "help(int)",
          what: "a function",
          file: "b.ptx",
          line: 6,
          reference: { file: "a.ptx", line: 7 },
        },
      ],
    },
  ]);
});

test("where the image goes to standard output, reports go to standard error", async (t) => {
  const { out, err } = await link("--gc-sections", "--print-gc-sections", "-o", "-");
  t.regex(err, /removed 'dead'/);
  t.notRegex(out, /removed/);
});

test("a comma inside a C++ name does not split a list of names", async (t) => {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["j,k", ["j", "k"]],
    ["k(char*, int),j", ["k(char*, int)", "j"]],
    ["f<int, g<2, 3>>(a, b),j", ["f<int, g<2, 3>>(a, b)", "j"]],
    ["operator<,j", ["operator<", "j"]],
    ["A::operator->,j", ["A::operator->", "j"]],
    ["k),j", ["k)", "j"]],
    ["", [""]],
  ];
  for (const [list, names] of lists) t.deepEqual(splitNames(list), names);
  const { status, err } = await link("--gc-sections", "--kernels-used=k(char*, int),k", "-o", "out");
  t.is(status, 1);
  t.true(err.startsWith("ptxkit: error: --kernels-used=k(char*, int) names no kernel of the inputs"), err);
  t.is(err.split("error:").length, 2);
});
