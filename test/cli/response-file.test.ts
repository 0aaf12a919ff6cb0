// Response files: words, quotes, nesting, files that include themselves.

import fc from "fast-check";
import test from "ava";
import { Option } from "commander";
import { optionWords } from "../../cli/inputs/placed-inputs.js";
import { splitWords } from "../../cli/options/response-file.js";
import { goodModule, ptxkit } from "./surroundings.js";

test("words are separated by blanks; quotes and backslashes as in GNU ld", (t) => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", []],
    [" \t\r\n ", []],
    ["a b\tc\nd\r\ne", ["a", "b", "c", "d", "e"]],
    [`"a b" 'c d'`, ["a b", "c d"]],
    [`a"b c"d`, ["ab cd"]],
    [`""  ''`, ["", ""]],
    [`"it's" 'say "x"'`, ["it's", 'say "x"']],
    ["a\\ b", ["a b"]],
    ["C:\\\\x", ["C:\\x"]],
    [`"a\\"b"`, ['a"b']],
    [`'a\\'b'`, ["a'b"]],
    ["\\", ["\\"]],
    ["# not a comment", ["#", "not", "a", "comment"]],
  ];
  for (const [text, words] of cases) t.deepEqual(splitWords(text), words, JSON.stringify(text));
});

test("an open quote is an error", (t) => {
  for (const text of ['"', "a 'b", `"it's`, `a "b\\"`]) t.is(splitWords(text), undefined, text);
});

test("words written with backslashes or in quotes are read back unchanged", (t) => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.boolean(), (words, quoted) => {
      const escape = (word: string): string =>
        quoted ? `"${word.replace(/["\\]/g, "\\$&")}"` : word === "" ? "''" : word.replace(/[\s"'\\]/g, "\\$&");
      t.deepEqual(splitWords(words.map(escape).join("\n")), words);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("link takes inputs and options from response files, nested ones too", async (t) => {
  const files = {
    "a b.ptx": goodModule,
    "all.rsp": "-o 'the image' @inner.rsp",
    "inner.rsp": '"a b.ptx"\n--arch=sm_86',
  };
  const answer = await ptxkit(["link", "@all.rsp"], { files });
  t.is(answer.status, 0, answer.err);
  t.deepEqual([...answer.written.keys()], ["the image"]);
});

test("response files that include themselves, missing files, open quotes: status 2, with the file's name", async (t) => {
  const files = {
    "self.rsp": "@self.rsp",
    "a.rsp": "x @b.rsp",
    "b.rsp": "@a.rsp",
    "open.rsp": "'x",
    "gone.rsp": "@none",
  };
  const cases = [
    ["@self.rsp", /self\.rsp includes itself/],
    ["@a.rsp", /a\.rsp includes itself/],
    ["@open.rsp", /quote.*open\.rsp/],
    ["@gone.rsp", /cannot read none/],
    ["@", /cannot read @/],
  ] as const;
  for (const [word, says] of cases) {
    const answer = await ptxkit(["link", word, "-o", "out"], { files });
    t.is(answer.status, 2, word);
    t.regex(answer.err, says);
  }
});

test("response files that multiply are limited", async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`${i}.rsp`, i === 29 ? "a b c d e f g h" : `@${i + 1}.rsp `.repeat(8)]),
  );
  const answer = await ptxkit(["link", "@0.rsp", "-o", "out"], { files });
  t.is(answer.status, 2);
  t.regex(answer.err, /more than 2100000 words/);
});

test("options are parsed part by part, each with its values", (t) => {
  const options = [new Option("-u, --undefined <name>"), new Option("-s, --strip-all"), new Option("-l <name>")];
  const pairs = Array.from({ length: 9000 }, (_, i) => ["-u", `name${i}`, "-sl", "m", "input", `--undefined=a${i}`]);
  for (let shift = 0; shift < 6; shift++) {
    const words = [...Array.from({ length: shift }, () => "-s"), ...pairs.flat(), "--", "-u", "x"];
    const parts = [...optionWords(words, options)];
    t.true(parts.length > 5);
    t.deepEqual(
      parts.flat(),
      words.slice(0, -3).filter((word) => word !== "input"),
    );
    for (const part of parts) t.regex(part[0]!, /^-/);
  }
});

test("an unknown option among thousands of words is reported", async (t) => {
  const many = Array.from({ length: 6000 }, (_, i) => `-u name${i}`).join("\n");
  const files = { "a.ptx": goodModule, "all.rsp": `${many}\n--nothing-known\n${many}` };
  const answer = await ptxkit(["link", "a.ptx", "@all.rsp", "-o", "image"], { files });
  t.is(answer.status, 2);
  t.regex(answer.err, /unknown option '--nothing-known'/);
  const right = await ptxkit(["link", "a.ptx", "@all.rsp"], { files: { ...files, "all.rsp": `${many} -so image` } });
  t.is(right.status, 0, right.err);
  t.deepEqual([...right.written.keys()], ["image"]);
});

test("only the first ten thousand words of a list are looked up as files", async (t) => {
  const list = Array.from({ length: 10_003 }, (_, i) => `gone${i}`).join("\n");
  const answer = await ptxkit(["link", "@list", "-o", "image", "--diagnostics", "json"], { files: { list } });
  t.is(answer.status, 2);
  const { diagnostics } = JSON.parse(answer.err) as { readonly diagnostics: readonly { readonly message: string }[] };
  t.is(diagnostics.length, 10_001);
  t.is(diagnostics.at(-1)!.message, "3 more inputs were not read, from gone10000 on: 10000 inputs cannot be read");
  const text = await ptxkit(["link", "@list", "-o", "image"], { files: { list } });
  t.is([...text.err.matchAll(/error: cannot read/g)].length, 20);
  t.regex(text.err, /9981 more errors not shown/);
});

test("-optf of nvlink names a response file, not an output called ptf", async (t) => {
  const files = {
    "a.ptx": ".version 8.5\n.target sm_80\n.address_size 64\n",
    "in.txt": "a.ptx -o out",
    "outer.txt": "-optf in.txt",
  };
  for (const words of [["-optf", "in.txt"], ["-optf=in.txt"], ["--options-file", "in.txt"], ["@outer.txt"]]) {
    const { status, err, written } = await ptxkit(["link", ...words], { files });
    t.is(status, 0, err);
    t.deepEqual([...written.keys()], ["out"]);
  }
  const { status, err } = await ptxkit(["link", "a.ptx", "-optf"], { files });
  t.is(status, 2);
  t.is(err, "ptxkit: error: option '-optf' names no file [command-line]\nhelp: write @FILE\n");
});
