// `npm run oracle:libdevice -- LIBDEVICE` runs all functions of libdevice in ptxkit, on edge values and random ones,
// and compares them with exact values (reference.py) within the error that the CUDA guide documents. `--record FILE`
// writes a sample for libdevice.test.ts. `--against FILE` also runs the PTX that another compiler made of libdevice,
// and reports different bits.

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";
import { bounds, type Bound } from "./bounds.table.js";
import { rowsOf } from "./inputs.js";
import { compileLibrary, openLibrary, type Row } from "./run.js";
import { signaturesOf, type Signature, type Slot } from "./signature.js";

const [path = "/usr/local/cuda/nvvm/libdevice/libdevice.10.bc", ...rest] = process.argv.slice(2);
const option = (name: string): string | undefined => rest[rest.indexOf(name) + 1 || rest.length];
const count = Number(option("--count") ?? 200);
const only = option("--only")?.split(",");
const seed = Number(option("--seed") ?? 1);

const bytes = readFileSync(path);
const module = readBitcode({ name: path, bytes }, createSink())!;
const signatures = signaturesOf(module).filter(({ name }) => only?.includes(name) ?? true);
const library = openLibrary(compileLibrary(bytes, signatures, {}), signatures);
const against = option("--against");
const other = against === undefined ? undefined : openLibrary(readFileSync(against, "utf8"), signatures);

const script = new URL("../../../../test/nvvm/libdevice/reference.py", import.meta.url).pathname;
const python = spawn("python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();

type Errors = readonly (readonly [ulp: number, absolute: number] | null)[];

async function errorsOf(
  name: string,
  rows: readonly Row[],
  got: readonly (readonly bigint[])[],
): Promise<readonly Errors[]> {
  const text = (values: readonly unknown[]): unknown => values.map((v) => (Array.isArray(v) ? text(v) : String(v)));
  python.stdin.write(`${JSON.stringify({ name, rows: rows.map(text), got: got.map(text) })}\n`);
  const answer = await answers.next();
  if (answer.done === true) throw new Error(`${name}: the reference has ended`);
  return JSON.parse(answer.value) as readonly Errors[];
}

const view = new DataView(new ArrayBuffer(8));

function numberOf(value: bigint, slot: Slot): number {
  view.setBigUint64(0, value);
  if (slot === "f32") return view.getFloat32(4);
  return slot === "f64" ? view.getFloat64(0) : Number(BigInt.asIntN(slot === "i64" ? 64 : 32, value));
}

function boundOf({ name, parameters }: Signature, row: Row): Bound | undefined {
  const known = bounds[name.slice("__nv_".length)] ?? 0;
  if (typeof known === "number") return { ulp: known };
  return known(...row.map((value, i) => (typeof value === "bigint" ? numberOf(value, parameters[i]!) : 0)));
}

const hex = (value: bigint | readonly bigint[]): unknown =>
  typeof value === "bigint" ? value.toString(16) : value.map(hex);

let failures = 0;
const record: string[] = [];
for (const signature of signatures) {
  const rows = rowsOf(signature, count, seed);
  const got = await library.run(signature, rows);
  if (other !== undefined) {
    const theirs = await other.run(signature, rows);
    const differ = rows.flatMap((_, r) => (String(got[r]) === String(theirs[r]) ? [] : [r]));
    failures += differ.length;
    for (const r of differ.slice(0, 3))
      console.log(
        `  ${signature.name}(${JSON.stringify(rows[r]!.map(hex))}) = ${got[r]!.map(hex).join(" ")}, theirs ${theirs[r]!.map(hex).join(" ")}`,
      );
    console.log(`${signature.name}: ${rows.length} compared, ${differ.length} differ`);
    continue;
  }
  const errors = await errorsOf(signature.name, rows, got);
  let worst = 0;
  let worstAbsolute = 0;
  let checked = 0;
  let wrong = 0;
  const good: number[] = [];
  errors.forEach((each, r) => {
    const bound = boundOf(signature, rows[r]!);
    const bad = each.some((error) => {
      if (error === null || bound === undefined) return false;
      checked++;
      if (bound.ulp !== undefined) worst = Math.max(worst, error[0]);
      else worstAbsolute = Math.max(worstAbsolute, error[1]);
      // The guide's bounds are relative to a correctly rounded reference, which itself differs by up to half a unit.
      return bound.ulp === undefined ? error[1] > bound.absolute! : error[0] > bound.ulp + 0.5;
    });
    if (!bad) good.push(r);
    else if (wrong++ < 3)
      console.log(
        `  ${signature.name}(${JSON.stringify(rows[r]!.map(hex))}) = ${got[r]!.map(hex).join(" ")}: ${JSON.stringify(each)}`,
      );
  });
  failures += wrong;
  console.log(
    `${signature.name}: ${checked} checked, ${wrong} wrong, ${worst.toPrecision(3)} ulp, ${worstAbsolute.toPrecision(3)}`,
  );
  const step = Math.max(1, Math.floor(good.length / 6));
  const sample = good.filter((_, i) => i % step === 0).map((r) => [rows[r]!.map(hex), got[r]!.map(hex)]);
  record.push(`${JSON.stringify(signature.name)}: ${JSON.stringify(sample)}`);
}
python.stdin.end();
const file = option("--record");
if (file !== undefined) writeFileSync(file, `{\n${record.join(",\n")}\n}\n`);
console.log(`${signatures.length} functions, ${failures} values beyond their bound`);
process.exitCode = failures > 0 ? 1 : 0;
