import test from "ava";
import { findVariable, qualified, variableBytes } from "../../lib/load/load.js";
import { packParameters } from "../../lib/load/parameters.js";
import { windowBase } from "../../lib/load/address-space.js";
import { loadSources } from "../exec/pipeline.js";

const module = (name: string, body: string) => ({
  name,
  bytes: Buffer.from(`.version 8.5\n.target sm_80\n.address_size 64\n${body}\n`),
});
const bytesAt = (view: Uint8Array, offset: number): bigint =>
  new DataView(view.buffer, view.byteOffset).getBigUint64(offset, true);

const bytesOf = (...values: readonly Uint8Array[]) => values.map((bytes) => ({ bytes }));

test("initialisers hold the addresses of their symbols after layout", (t) => {
  const process = loadSources([
    module(
      "a.ptx",
      `.func f() { ret; }
       .const .u32 c[4]; .global .u32 x[4];
       .global .u64 pointers[4] = { x, generic(c) + 8, c + 4, f };`,
    ),
  ]);
  const variable = findVariable(process, "pointers");
  t.true(typeof variable === "object");
  if (typeof variable !== "object") return;
  const bytes = variableBytes(process, variable);
  const x = findVariable(process, "x");
  t.is(bytesAt(bytes, 0), BigInt(typeof x === "object" ? x.address : 0));
  t.is(bytesAt(bytes, 8), BigInt(windowBase("const", process.space) + 8));
  t.is(bytesAt(bytes, 16), 4n);
  t.is(process.functionAt(Number(bytesAt(bytes, 24)))?.name, "f");
});

test("statics of one name are told apart by their module", (t) => {
  const process = loadSources([module("a.ptx", ".global .u32 n = 1;"), module("b.ptx", ".global .u32 n = 2;")]);
  t.is(findVariable(process, "n"), "ambiguous");
  t.is(findVariable(process, "nothing"), undefined);
  const found = findVariable(process, "n@b.ptx");
  t.true(typeof found === "object" && variableBytes(process, found)[0] === 2);
  t.deepEqual(process.variables.map(qualified).sort(), ["n@a.ptx", "n@b.ptx"]);
});

test("arguments are stored at the offsets that the kernel declares", (t) => {
  const process = loadSources([
    module("a.ptx", ".entry k(.param .u8 a, .param .align 16 .b8 s[20], .param .u64 b) { ret; }"),
  ]);
  const kernel = process.kernels.get("k")!;
  const packed = packParameters(
    kernel,
    bytesOf(Uint8Array.of(1), new Uint8Array(20).fill(2), new Uint8Array(8).fill(3)),
  );
  t.true(packed.ok);
  if (!packed.ok) return;
  t.is(packed.bytes.length, 48);
  t.deepEqual(
    [...packed.bytes.entries()].filter(([, byte]) => byte !== 0).map(([i]) => i),
    [0, ...Array.from({ length: 20 }, (_, i) => 16 + i), ...Array.from({ length: 8 }, (_, i) => 40 + i)],
  );
});

test("arguments that do not fit are refused with the reason", (t) => {
  const kernel = loadSources([module("a.ptx", ".entry k(.param .u32 a, .param .u64 b) { ret; }")]).kernels.get("k")!;
  t.deepEqual(packParameters(kernel, bytesOf(new Uint8Array(4))), {
    ok: false,
    message: "kernel 'k' has 2 parameters, but 1 argument is given: k(.u32 a, .u64 b)",
  });
  t.deepEqual(packParameters(kernel, bytesOf(new Uint8Array(4), new Uint8Array(4))), {
    ok: false,
    index: 1,
    message: "parameter 1 of kernel 'k' is a .u64 of 8 bytes; the argument has 4: k(.u32 a, .u64 b)",
  });
});
