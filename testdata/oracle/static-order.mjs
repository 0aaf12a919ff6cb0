// Records where ptxas puts the .global and .const variables of function bodies with blocks in blocks: modules of random shape
// in which each variable has its own value, and the bytes of their sections in what ptxas makes of them.
//   node testdata/oracle/static-order.mjs [SEED [COUNT]]        (needs ptxas 13.0 on the PATH)
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const [seed = 1, count = 24] = process.argv.slice(2).map(Number);
let state = seed;
/** A whole number below n (a linear congruence, from the seed). */
function below(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
}

function moduleText() {
  let value = 0;
  const lines = [".version 8.5", ".target sm_75", ".address_size 64"];
  const variable = (taken) => {
    let name = "abcdefgh"[below(8)];
    while (taken.has(name)) name += "x";
    taken.add(name);
    const space = ["global", "global", "global", "const", "shared"][below(5)];
    const type = ["u8", "u16", "u32", "u32", "u32", "u64"][below(6)];
    value++;
    lines.push(`.${space} .${type} ${name}${space === "shared" ? "" : ` = ${value}`};`);
  };
  const block = (depth) => {
    const taken = new Set();
    for (let left = 1 + below(6); left > 0; left--) {
      if (depth < 4 && below(3) === 0) {
        lines.push("{");
        block(depth + 1);
        lines.push("}");
      } else variable(taken);
    }
  };
  const taken = new Set();
  for (let i = 0; i < 2 + below(4); i++) {
    if (below(3) === 0) variable(taken);
    lines.push(`${[".func", ".visible .func", ".weak .func", ".visible .entry"][below(4)]} f${i}()`, "{");
    block(0);
    lines.push("ret;", "}");
  }
  return `${lines.join("\n")}\n`;
}

/** Sections of variables by name, as hexadecimal. */
function sectionsOf(bytes) {
  const at = Number(bytes.readBigUInt64LE(40));
  const headers = Array.from({ length: bytes.readUInt16LE(60) }, (_, i) => bytes.subarray(at + 64 * i, at + 64 * (i + 1)));
  const contents = headers.map((header) => {
    const offset = Number(header.readBigUInt64LE(24));
    return bytes.subarray(offset, offset + Number(header.readBigUInt64LE(32)));
  });
  const names = contents[bytes.readUInt16LE(62)];
  const nameOf = (header) => names.toString("latin1", header.readUInt32LE(0), names.indexOf(0, header.readUInt32LE(0)));
  const kept = new Set([".nv.global.init", ".nv.constant3"]);
  return Object.fromEntries(
    headers.flatMap((header, i) => (kept.has(nameOf(header)) ? [[nameOf(header), contents[i].toString("hex")]] : [])),
  );
}

const folder = mkdtempSync(path.join(os.tmpdir(), "order-"));
const modules = Array.from({ length: count }, () => {
  const text = moduleText();
  writeFileSync(path.join(folder, "a.ptx"), text);
  execFileSync("ptxas", ["-c", "-arch=sm_75", "a.ptx", "-o", "a.o"], { cwd: folder, stdio: "pipe" });
  return { text, sections: sectionsOf(readFileSync(path.join(folder, "a.o"))) };
});
rmSync(folder, { recursive: true });
const record = { command: `ptxas -c -arch=sm_75 (13.0), see static-order.mjs ${seed} ${count}`, modules };
const file = process.argv.length > 4 ? process.argv[4] : path.join(import.meta.dirname, "static-order.json");
writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`);
