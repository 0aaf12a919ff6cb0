// Records which registers ptxas takes in each conversion between scalar types: for each opcode that there is, the declared types
// of destinations and of sources, special registers among them. It takes any of the one with any of the other (asserted here).
//   node testdata/check/cvt-registers.mjs        (needs ptxas 13.0 on the PATH; half a minute)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const integers = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];
const floats = ["f16", "bf16", "f32", "f64"];
const types = [...integers, ...floats];
export const registers = ["b8", "b16", "b32", "b64", "f16", "f32", "f64", "f16x2", ...integers];
export const specials = ["%tid.x", "%clock64"];
export const head = ".version 9.0\n.target sm_90\n.address_size 64\n";
export const kernel = (name, opcode, d, a) =>
  `.entry ${name}() { .reg .${d} %d; ${a.startsWith("%") ? "" : `.reg .${a} %a; `}${opcode} %d, ${a.startsWith("%") ? a : "%a"}; ret; }\n`;

const opcodes = types.flatMap((d) =>
  types.flatMap((a) => ["", ".rn", ".rzi", ".rn.ftz", ".ftz", ".rn.relu"].map((modifiers) => `cvt${modifiers}.${d}.${a}`)),
);

/** Whether ptxas takes each kernel of one module. */
function accepted(kernels) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "cvt-"));
  writeFileSync(path.join(folder, "a.ptx"), head + kernels.join(""));
  const { stderr } = spawnSync("ptxas", ["-arch=sm_90", "a.ptx", "-o", "a.o"], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  rmSync(folder, { recursive: true });
  const wrong = new Set([...stderr.matchAll(/line (\d+); error/g)].map(([, line]) => Number(line) - 4));
  return kernels.map((_, i) => !wrong.has(i));
}

function lineOf(opcode) {
  const sources = [...registers, ...specials];
  const pairs = registers.flatMap((d) => sources.map((a) => [d, a]));
  const answers = accepted(pairs.map(([d, a], i) => kernel(`k${i}`, opcode, d, a)));
  const taken = pairs.filter((_, i) => answers[i]);
  const [ds, as] = [0, 1].map((side) => [...new Set(taken.map((pair) => pair[side]))]);
  assert.equal(taken.length, ds.length * as.length, opcode);
  return taken.length === 0 ? [] : [`${opcode}: ${ds.join(" ")}: ${as.join(" ")}`];
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(path.join(import.meta.dirname, "cvt-registers.txt"), `${opcodes.flatMap(lineOf).join("\n")}\n`);
