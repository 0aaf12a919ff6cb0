// Every overloaded intrinsic with unusual types gives an error, or PTX that our checker accepts and that computes all
// its values.

import test from "ava";
import { checkSource } from "../../../lib/check/check.js";
import { createSink } from "../../../lib/diag/sink.js";
import { intrinsicRows } from "../../../lib/nvvm/intrinsics.table.js";
import { findIntrinsic } from "../../../lib/nvvm/intrinsics/find.js";
import { namesOf } from "../../../lib/nvvm/intrinsics/pattern.js";
import type { IntrinsicRow } from "../../../lib/nvvm/intrinsics/row.js";
import { parseSignature, type TypeRule } from "../../../lib/nvvm/intrinsics/signature.js";
import { sample } from "../../sample.js";
import { compile } from "../support.js";

/** IR types, and their spelling in overloaded names. */
const shapes: readonly (readonly [type: string, suffix: string])[] = [
  ["i1", "i1"],
  ["i3", "i3"],
  ["i24", "i24"],
  ["i65", "i65"],
  ["i128", "i128"],
  ["i200", "i200"],
  ["half", "f16"],
  ["bfloat", "bf16"],
  ["float", "f32"],
  ["double", "f64"],
  ["fp128", "f128"],
  ["<3 x i7>", "v3i7"],
  ["<2 x half>", "v2f16"],
  ["<3 x double>", "v3f64"],
  ["ptr", "p0"],
  ["<2 x ptr>", "v2p0"],
  ["[2 x i32]", "a2i32"],
  ["{ i32, float }", "sl_i32f32s"],
];

const usual: Readonly<Record<string, string>> = { I: "i32", J: "i32", F: "float", G: "float", V: "i32", W: "i32", P: "ptr", Q: "ptr", N: "i32", S: "ptr", T: "ptr", X: "<4 x i32>", Y: "<4 x float>", U: "<4 x i32>", Z: "<2 x i32>" }; // prettier-ignore

const floats: Readonly<Record<string, string>> = { f16: "half", bf16: "bfloat", f32: "float", f64: "double" };

const elementOf = (type: string): string => /^<\d+ x (.*)>$/.exec(type)?.[1] ?? type;

/** A rule of the table as an IR type. */
function typeOf(rule: string, bound: Readonly<Record<string, string>>): string {
  const variable = /^([IJFGVWPQNSTXYUZ])(?:\.(.*))?$/.exec(rule);
  if (variable !== null) {
    const own = bound[variable[1]!]!;
    const element = variable[2];
    if (element === undefined) return own;
    if (element === "element") return elementOf(own);
    return elementOf(own) === own ? typeOf(element, bound) : own.replace(elementOf(own), typeOf(element, bound));
  }
  const vector = /^v(\d+)(.*)$/.exec(rule);
  if (vector !== null) return `<${vector[1]} x ${typeOf(vector[2]!, bound)}>`;
  const pointer = /^ptr(\d*)$/.exec(rule);
  if (pointer !== null) return pointer[1] === "" ? "ptr" : `ptr addrspace(${pointer[1]})`;
  return floats[rule] ?? rule.replace(/^[sub](\d+)$/, "i$1");
}

const constantOf = (type: string): string =>
  type === "metadata" ? "!{}" : type in { float: 1, double: 1 } ? "1.0" : "1";

/** A module with one call of the intrinsic. */
function moduleOf(row: IntrinsicRow, bound: Readonly<Record<string, string>>, suffix: string): string {
  const name = `llvm.${namesOf(row)[0]!}${row.name.endsWith("*") ? `.${suffix}` : ""}`;
  const { results, parameters } = findIntrinsic(name)?.signature ?? parseSignature(row.type);
  const list = ({ text }: TypeRule): string => typeOf(text, bound);
  const types = parameters.map(list);
  const returned = results.map(list);
  const result = returned.length === 0 ? "void" : returned.length === 1 ? returned[0]! : `{ ${returned.join(", ")} }`;
  const isGiven = parameters.map(({ constant }, i) => !constant && types[i] !== "metadata");
  const taken = types.flatMap((type, i) => (isGiven[i]! ? [`${type} %p${i}`] : []));
  const given = types.map((type, i) => `${type} ${isGiven[i]! ? `%p${i}` : constantOf(type)}`);
  const call = `call ${result} @${name}(${given.join(", ")})`;
  const last = result === "void" ? `  ${call}\n  ret void` : `  %r = ${call}\n  ret ${result} %r`;
  return `declare ${result} @${name}(${types.join(", ")})\ndefine ${result} @f(${taken.join(", ")}) {\n${last}\n}\n`;
}

const overloaded = intrinsicRows().filter(({ type }) => /\b[IJFGVWPQNSTXYUZ]\b/.test(type));

/** "refused", "right" for valid PTX, or the problem of the generated PTX. */
function verdictOn(text: string): string {
  const { found, source } = compile(text, { arch: "sm_100a" });
  if (found.some(({ severity }) => severity === "error")) return "refused";
  const sink = createSink();
  checkSource(source, sink);
  return sink.all.find(({ severity }) => severity === "error")?.message ?? "right";
}

for (const row of sample(overloaded, 8, { name: ({ name }) => name })) {
  test(row.name, (t) => {
    const letters = new Set(row.type.match(/\b[IJFGVWPQNSTXYUZ]\b/g));
    const wrong: string[] = [];
    let refused = 0;
    for (const letter of letters)
      for (const [type, suffix] of shapes) {
        const text = moduleOf(row, { ...usual, [letter]: type }, suffix);
        const verdict = verdictOn(text);
        if (verdict === "refused") refused++;
        else if (verdict !== "right") wrong.push(`${verdict}:\n${text}`);
      }
    t.deepEqual(wrong, []);
    if (!letters.has("V")) t.true(refused > 0);
  });
}

/** Types that no row has as a parameter. */
const strange = ["[3 x i5]", "i77"] as const;

test("a parameter or result of a type outside the row is an error, for every row", (t) => {
  const silent = sample(intrinsicRows(), 8, { name: ({ name }) => name }).flatMap((row) => {
    const name = `llvm.${namesOf(row)[0]!}`;
    const { results, parameters } = findIntrinsic(name)!.signature;
    const types = parameters.map(({ text }) => typeOf(text, usual));
    const returned = results.map(({ text }) => typeOf(text, usual));
    const result = returned.length === 0 ? "void" : returned.length === 1 ? returned[0]! : `{ ${returned.join(", ")} }`;
    const fixed = parameters.flatMap(({ text }, i) => (/^[A-Z]/.test(text) ? [] : [i]));
    const wrong = strange.flatMap((type) => [
      ...fixed.map((i) => `declare ${result} @${name}(${types.with(i, type).join(", ")})`),
      ...(/^[A-Z]/.test(results[0]?.text ?? "") ? [] : [`declare ${type} @${name}(${types.join(", ")})`]),
    ]);
    return wrong.filter((line) => !compile(`${line}\n`).found.some(({ code }) => code === "nvvm-intrinsic"));
  });
  t.deepEqual(silent, []);
});
