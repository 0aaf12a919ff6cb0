// ptxkit run, by CONTRACT.md: outputs, faults with status 3, and errors in specifications.

import path from "node:path";
import test from "ava";
import { ptxkit, type Answer } from "./surroundings.js";

const module = `.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 counter = 5;
.global .u32 hidden = 6;
.visible .entry fill(.param .u64 p, .param .u32 v)
{
  .reg .b64 %p; .reg .b32 %v; .reg .b32 %t;
  ld.param.u64 %p, [p];
  ld.param.u32 %v, [v];
  mov.u32 %t, %tid.x;
  mad.wide.u32 %p, %t, 4, %p;
  st.global.u32 [%p], %v;
  st.global.u32 [counter], %v;
  ret;
}
.visible .entry nothing() { ret; }
.visible .entry wild() {
  .reg .b64 %p;
  mov.b64 %p, 64;
  st.global.u32 [%p], 1;
  ret;
}
.visible .entry odd() {
  .reg .b64 %p;
  mov.u64 %p, counter;
  st.global.u16 [%p+1], 1;
  ret;
}
.visible .entry stop() {
  trap;
}
.visible .entry stuck() {
  .reg .pred %p; .reg .b32 %t;
  mov.u32 %t, %tid.x;
  setp.ne.u32 %p, %t, 0;
  @%p bra OTHER;
  barrier.sync 1, 64;
  ret;
OTHER:
  barrier.sync 2, 64;
  ret;
}
.visible .entry forever() {
L: bra L;
}
.func deep() { call deep; ret; }
.visible .entry recurse() { call deep; ret; }
`;

const run = (line: string, files: Record<string, string | Uint8Array> = {}): Promise<Answer> =>
  ptxkit(["run", "m.ptx", ...line.split(" ")], { files: { "m.ptx": module, ...files } });

const documentOf = ({ out }: Answer): any => JSON.parse(out); // eslint-disable-line @typescript-eslint/no-explicit-any

test("--json is one document with the launches, the outputs and what was printed", async (t) => {
  const answer = await run("-k fill -g 1 -b 2 -a u32[3]=iota -a u32=7 --json");
  t.is(answer.status, 0, answer.err);
  t.is(answer.err, "");
  t.deepEqual(documentOf(answer), {
    launches: [{ kernel: "fill", grid: [1, 1, 1], block: [2, 1, 1], warpInstructions: 7, threadInstructions: 14 }],
    outputs: { arg0: { type: "u32", length: 3, hex: "070000000700000002000000", values: [7, 7, 2] } },
    printf: "",
    memory: { peakBytes: 20, allocatedBytes: 20 },
  });
});

test("--gpu help lists the models", async (t) => {
  const { status, out } = await ptxkit(["run", "--gpu", "help"]);
  t.is(status, 0);
  t.regex(out, /^ +h200 +H200-SXM-141GB +sm_90 +132 +1980 +66\.9 +60 +4800 /m);
});

test("--gpu adds cycles, and changes nothing else in the results", async (t) => {
  const plain = documentOf(await run("-k fill -g 1 -b 2 -a u32[3]=iota -a u32=7 --json"));
  const timed = documentOf(await run("-k fill -g 1 -b 2 -a u32[3]=iota -a u32=7 --json --gpu a100"));
  t.true(timed.launches[0].cycles > 0);
  t.like(timed.launches[0], plain.launches[0]);
  t.deepEqual(timed.outputs, plain.outputs);
});

test("floats are printed with enough digits to tell any two apart", async (t) => {
  const digits: readonly (readonly [type: string, given: string, shown: string])[] = [
    ["f32", "0.1", "0\\.1"],
    ["f32", "16777217", "16777216"],
    ["f64", "0.30000000000000004", "0\\.30000000000000004"],
    ["s32", "-3", "-3"],
  ];
  for (const [type, value, wanted] of digits) {
    const shown = await run(`-k fill -g 1 -b 1 -a ${type}[3]=${value} -a u32=0`);
    t.is(shown.status, 0, shown.err);
    t.regex(shown.out, new RegExp(`^arg0  ${type}\\[3\\]\n.* ${wanted}\n`));
  }
});

const spec = JSON.stringify({
  buffers: { x: { type: "u32", length: 2, fill: 1 } },
  symbols: { hidden: { type: "u32", data: [9] } },
  launches: [{ kernel: "fill", grid: [1], block: [1], args: [{ buffer: "x", offset: 4 }, { u32: 3 }] }],
  outputs: ["x", "symbol:counter", "symbol:hidden@m.ptx"],
});

test("a specification writes symbols and names its outputs, statics by their module too", async (t) => {
  const answer = await run("--launch s.json --json", { "s.json": spec });
  t.is(answer.status, 0, answer.err);
  t.deepEqual(documentOf(answer).outputs, {
    x: { type: "u32", length: 2, hex: "0100000003000000", values: [1, 3] },
    "symbol:counter": { type: "u32", length: 1, hex: "03000000", values: [3] },
    "symbol:hidden@m.ptx": { type: "u32", length: 1, hex: "09000000", values: [9] },
  });
});

test("--out writes NAME.npy, and symbol.NAME.npy for a symbol", async (t) => {
  const answer = await run("--launch s.json --out results", { "s.json": spec });
  t.is(answer.status, 0, answer.err);
  t.deepEqual([...answer.written.keys()].sort(), [
    "results/symbol.counter.npy",
    "results/symbol.hidden@m.ptx.npy",
    "results/x.npy",
  ]);
});

test("elements are read from files and written to files unchanged", async (t) => {
  const elements = Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0);
  const answer = await run("-k fill -g 1 -b 1 -a u32@x.bin -a u32=9 --out results --out-format raw", {
    "x.bin": elements,
  });
  t.is(answer.status, 0, answer.err);
  t.deepEqual([...answer.written.get("results/arg0.bin")!], [9, 0, 0, 0, 2, 0, 0, 0]);

  const odd = await run("-k fill -g 1 -b 1 -a u64@x.bin -a u32=9", { "x.bin": elements.subarray(1) });
  t.is(odd.status, 2);
  t.regex(odd.err, /7 bytes are not a whole number of \.u64 elements/);

  const named = { ...(JSON.parse(spec) as object), buffers: { x: { type: "u32", file: "x.bin" } } };
  const asked = await run("--launch s.json --json", {
    "s.json": JSON.stringify(named),
    [path.resolve("x.bin")]: elements,
  });
  t.is(asked.status, 0, asked.err);
  t.is(documentOf(asked).outputs.x.hex, "0100000003000000");
});

const lineOf = (text: string): number => module.split("\n").indexOf(text) + 1;

/** A kernel that faults: its launch, and the JSON document. */
const faults: readonly (readonly [line: string, fault: Readonly<Record<string, unknown>>])[] = [
  [
    "-k wild -g 1 -b 3,2",
    {
      kind: "illegal-address",
      block: [0, 0, 0],
      thread: [0, 0, 0],
      line: lineOf("  st.global.u32 [%p], 1;"),
      address: 64,
    },
  ],
  [
    "-k odd -g 1 -b 1",
    { kind: "misaligned-address", block: [0, 0, 0], thread: [0, 0, 0], line: lineOf("  st.global.u16 [%p+1], 1;") },
  ],
  ["-k stop -g 2 -b 1", { kind: "trap", block: [0, 0, 0], thread: [0, 0, 0], line: lineOf("  trap;") }],
  ["-k stuck -g 1 -b 32", { kind: "deadlock", block: [0, 0, 0], line: lineOf("  barrier.sync 1, 64;") }],
  ["-k forever -g 1 -b 1 --max-instructions 100", { kind: "instruction-limit", line: lineOf("L: bra L;") }],
  ["-k recurse -g 1 -b 1", { kind: "stack-overflow", line: lineOf(".func deep() { call deep; ret; }") }],
];

for (const [line, fault] of faults) {
  test(`${fault["kind"]}: status 3, the fault in the document and as a diagnostic`, async (t) => {
    const answer = await run(`${line} --json`);
    t.is(answer.status, 3, answer.err);
    const document = documentOf(answer);
    const kernel = line.split(" ")[1]!;
    t.like(document.fault, { kernel, ...fault, ...(fault["line"] === undefined ? {} : { file: "m.ptx" }) });
    t.is(typeof document.fault.message, "string");
    t.is(document.launches.length, 1);
    const place = fault["line"] === undefined ? "ptxkit" : `m\\.ptx:${fault["line"] as number}:\\d+`;
    t.regex(answer.err, new RegExp(`^${place}: error: .*\\(kernel ${kernel}.*\\) \\[${fault["kind"] as string}\\]\n`));
  });
}

test("an argument whose type is not its parameter's is refused", async (t) => {
  const answer = await run("-k fill -g 1 -b 1 -a u32[3]=0 -a f32=7");
  t.is(answer.status, 1);
  t.regex(
    answer.err,
    /^ptxkit: error: parameter 1 of kernel 'fill' is a \.u32 of 4 bytes; the argument is a \.f32 of 4/,
  );
});

/** Wrong specifications, and the places of their errors. */
const wrong: readonly (readonly [json: string, says: RegExp])[] = [
  ["{", /^s\.json:1:\d+: error: /],
  [`{"launches":[{"kernel":"none","grid":[1],"block":[1]}]}`, /^s\.json:1:24: error: there is no kernel 'none'/],
  [`{"launches":[{"kernel":"fill","grid":[1],"block":[1]}]}`, /^s\.json:1:\d+: error: .*fill.*2 parameters/],
  [
    `{"buffers":{"x":{"type":"u32","length":1}},"launches":[{"kernel":"fill","grid":[1],"block":[1],"args":[{"buffer":"x"},{"f32":1}]}]}`,
    /^s\.json:1:119: error: parameter 1 of kernel 'fill' is a \.u32 of 4 bytes; the argument is a \.f32 of 4/,
  ],
  [`{"launches":[],"outputs":["symbol:none"]}`, /^s\.json:1:27: error: .*none/],
  [`{"launches":[],"symbols":{"none":{"type":"u8","data":[1]}}}`, /^s\.json:1:\d+: error: .*none/],
  [`{"launches":[{"kernel":"nothing","grid":[1],"block":[2000]}]}`, /^s\.json:1:\d+: error: .*1024/],
];

for (const [json, says] of wrong) {
  test(`the specification ${json} is status 1 with its place`, async (t) => {
    const answer = await run("--launch s.json --out results", { "s.json": json });
    t.is(answer.status, 1);
    t.regex(answer.err, says);
    t.is(answer.written.size, 0);
  });
}

test("a finding of --sanitize names the column of its .loc", async (t) => {
  const text = `.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 p) {
  .reg .b64 %p;
  ld.param.u64 %p, [p];
  .loc 1 11 30
  st.global.u32 [%p+4], 1;
  ret;
}
`;
  const line = "run k.ptx -k k -g 1 -b 1 -a u32[1]=0 --sanitize --json";
  const { status, out, err } = await ptxkit(line.split(" "), { files: { "k.ptx": text } });
  t.is(status, 3);
  t.regex(err, /^k\.cu:11:30: error: .* \[out-of-bounds\]$/m);
  t.like(JSON.parse(out).findings[0], { file: "k.cu", line: 11, column: 30, ptx: { line: 9, column: 3 } });
});
