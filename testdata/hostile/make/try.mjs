// try.mjs: runs every case of index.json against a program and tells where it does otherwise. The tests run the same
// index; this is for working with one room at a time.
//
//   node make/try.mjs [--program dist/cli/main.js] [word that the case must contain]...
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { changes } from "./elf.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
const given = words.indexOf("--program");
const program = path.resolve(given < 0 ? path.join(root, "../../dist/cli/main.js") : words.splice(given, 2)[1]);
const scratch = mkdtempSync(path.join(tmpdir(), "hostile-"));

/** The object our own `as` makes of base.ptx, made when first asked for. */
let ours;
const ourObject = () => {
  const object = path.join(scratch, "base.o");
  ours ??= spawnSync(process.execPath, [program, "as", "elf/base.ptx", "-o", object], { cwd: root });
  return readFileSync(object);
};

/** The path of a case's file: as it lies, or put together from its pieces, or our object with one change. */
const fileOf = ({ file, pieces, change }) => {
  if (!pieces && !change) return file;
  const target = path.join(scratch, file);
  mkdirSync(path.dirname(target), { recursive: true });
  if (pieces) writeFileSync(target, pieces.map(([text, times]) => text.repeat(times)).join(""));
  else writeFileSync(target, changes.find(([name]) => name === change)[1](ourObject()));
  return target;
};

/** What is wrong with the answer to a case, or nothing. */
const judge = (row) => {
  const out = path.join(scratch, "out");
  rmSync(out, { force: true });
  const command = row.command.map((word) => word.replace("$FILE", fileOf(row)).replace("$OUT", out));
  const started = performance.now();
  const run = spawnSync(process.execPath, [program, ...command], { cwd: root, encoding: "latin1", timeout: 10_000 });
  const took = Math.round(performance.now() - started);
  if (run.error) return `${run.error.code} after ${took} ms`;
  const said = run.stderr.trim().slice(0, 300);
  if (![row.status].flat().includes(run.status)) return `status ${run.status}, not ${row.status}: ${said}`;
  if (run.status !== 0 && !new RegExp(row.says, "i").test(run.stderr)) return `does not say ${row.says}: ${said}`;
  if (run.status === 0 && /error:/.test(run.stderr)) return `an error with status 0: ${said}`;
  if (run.status !== 0 && existsSync(out)) return "left an output file";
  return undefined;
};

const rows = JSON.parse(readFileSync(path.join(root, "index.json"), "utf8")).filter((row) => {
  const text = `${row.file} ${row.case ?? ""} ${row.command.join(" ")}`;
  return words.every((word) => text.includes(word));
});
let wrong = 0;
for (const row of rows) {
  const fault = judge(row);
  if (fault === undefined) continue;
  wrong++;
  console.log(`${row.command[0] ?? "-"} ${row.file} ${row.case ?? ""}\n    ${fault}`);
}
rmSync(scratch, { recursive: true });
console.log(`${rows.length - wrong} of ${rows.length} as they should be`);
process.exitCode = wrong === 0 ? 0 : 1;
