// The checker's verdicts on modules of PTX 1.0 to 8.5, compared with those of ptxas (recorded by
// testdata/check/versions.mjs). docs/versions.md has the reasons for intended differences.

import { readFileSync } from "node:fs";
import test from "ava";
import { isAll, sample } from "../sample.js";
import { check } from "./support.js";

const folder = new URL("../../../testdata/check/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const texts = read("versions.txt")
  .split("\n")
  .filter((line) => line !== "");
const { modules, verdicts } = JSON.parse(read("versions.json")) as {
  readonly modules: readonly string[];
  /** For each text a letter for each module: + accepted, - refused. */
  readonly verdicts: readonly string[];
};

/** Patterns of texts for which the checker differs from ptxas on purpose: the last table of docs/versions.md. */
const explained: readonly RegExp[] = [
  /^\.extern (\.func|\.(global|const|const\[0\]|local) \.[bu]32 \w\[\])/,
  /rcp\.f64/,
  /(ld|st)\.\w+\.u32 (%r1?,)?\s*(g|%rd|g\+4)(,\s*%r)?;/,
  /tex\.[12]d\S* .*\[t,(\{%i1(,%i2)?\}|\{%f1,%f2\}|%w1)\]/,
  /^\.reg \.u32 %z; .*(call \(r\), f|callprototype)/,
  /^\.entry k\d?( \(.*?\))? \{ (\{ )?\.param/,
  /@@DWARF \.section \.debug_info\\n/,
  /const\[ 3 \]/,
];

/** A letter for each module. */
const judge = (text: string): string =>
  modules
    .map((module) => {
      const [version, target] = module.split(" ");
      const { errors } = check(`.version ${version}\n.target ${target}\n${text.replaceAll("\\n", "\n")}\n`);
      return errors.length === 0 ? "+" : "-";
    })
    .join("");

const explanationOf = (text: string): number => explained.findIndex((pattern) => pattern.test(text));

test("modules of every version are accepted and refused as ptxas does", (t) => {
  t.is(verdicts.length, texts.length);
  const some = sample([...texts.entries()], 4, {
    name: ([, text]) => text,
    kind: ([, text]) => `${explanationOf(text)}`,
  });
  const differing = some.flatMap(([i, text]) => {
    const ours = judge(text);
    return ours === verdicts[i] ? [] : [{ text, ptxas: verdicts[i], ours }];
  });
  t.deepEqual(
    differing.filter(({ text }) => !explained.some((pattern) => pattern.test(text))),
    [],
  );
  // Few texts have an explanation, and each explanation is needed.
  t.true(differing.length < texts.length / 8);
  const idle = explained.filter((pattern) => !differing.some(({ text }) => pattern.test(text)));
  if (isAll) t.deepEqual(idle, []);
});
