// Values of libdevice's functions that `npm run oracle:libdevice -- --record` has checked. If a libdevice is installed,
// some of its functions are compiled from bitcode, linked and run, and must give the same bits.

import { readFileSync } from "node:fs";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";
import { compileLibrary, openLibrary, type Row } from "./run.js";
import { signaturesOf } from "./signature.js";
import { hasLibdevice, libdevice, testWith } from "../../tools.js";

const record = new URL("../../../../testdata/nvvm/libdevice.json", import.meta.url);

type Hex = string | readonly Hex[];
/** Arguments and results by function name, in hexadecimal. */
type Recorded = Readonly<Record<string, readonly (readonly [arguments: readonly Hex[], results: readonly string[]])[]>>;

/** One function of each family: polynomials, tables, slow paths, loops, pointers, conversions, intrinsics. */
const sample = [
  "sinf", "tan", "powf", "pow", "exp", "logf", "lgamma", "tgammaf", "erfinv", "j1f", "yn", "fmod", "remquof", "sincospi",
  "normf", "frexp", "modff", "double2ll_rd", "float2half_rn", "byte_perm", "mul64hi", "fast_powf", "fast_tanhf", "drcp_ru",
].map((name) => `__nv_${name}`); // prettier-ignore

const bitsOf = (value: Hex): bigint => BigInt(`0x${value as string}`);
const rowOf = (values: readonly Hex[]): Row =>
  values.map((value) => (typeof value === "string" ? bitsOf(value) : value.map(bitsOf)));

testWith(hasLibdevice)("recorded values of libdevice", async (t) => {
  const bytes = readFileSync(libdevice!);
  const recorded = JSON.parse(readFileSync(record, "utf8")) as Recorded;
  const signatures = signaturesOf(readBitcode({ name: libdevice!, bytes }, createSink())!);
  t.deepEqual(
    Object.keys(recorded).toSorted(),
    signatures.map(({ name }) => name),
  );
  const chosen = signatures.filter(({ name }) => sample.includes(name));
  t.is(chosen.length, sample.length);
  const library = openLibrary(compileLibrary(bytes, chosen, {}), chosen);
  for (const signature of chosen) {
    const rows = recorded[signature.name]!;
    t.true(rows.length > 0, signature.name);
    const got = await library.run(
      signature,
      rows.map(([values]) => rowOf(values)),
    );
    t.deepEqual(
      got.map((results) => results.map((bits) => bits.toString(16))),
      rows.map(([, results]) => [...results]),
      signature.name,
    );
  }
});
