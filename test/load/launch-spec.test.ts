// The launch specification: what is read, and where each fault is reported.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { writeNpy } from "../../formats/npy/index.js";

function read(text: string, files: Readonly<Record<string, Uint8Array>> = {}) {
  const sink = createSink();
  const spec = readLaunchSpec({ name: "spec.json", bytes: new TextEncoder().encode(text) }, sink, {
    readFile: (name) => {
      const bytes = files[name];
      if (bytes === undefined) throw new Error(`cannot read ${name}`);
      return bytes;
    },
  });
  const faults = sink.all.map(
    (d) => `${d.place?.kind === "text" ? `${d.place.line}:${d.place.column}` : "?"} ${d.message}`,
  );
  return { spec, faults };
}

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("hex");

test("the contract's own example is read", (t) => {
  const npy = writeNpy({ type: "f4", shape: [2], data: new Uint8Array(new Float32Array([1, -1]).buffer) });
  const { spec, faults } = read(
    `{
      "buffers": {
        "x": { "type": "f32", "length": 4, "fill": "iota" },
        "y": { "type": "f32", "data": [1, 2.5, "NaN", "-Infinity"] },
        "raw": { "type": "u8", "hex": "00ff10" },
        "a": { "file": "a.npy" }
      },
      "symbols": { "scale": { "type": "f32", "data": [3] } },
      "launches": [ { "kernel": "saxpy", "grid": [4, 1, 1], "block": [256], "sharedBytes": 16, "cooperative": true, "dependent": true,
        "args": [ { "u32": 1024 }, { "f32": 2 }, { "buffer": "x" }, { "buffer": "y", "offset": 4 },
                  { "u64": "18446744073709551615" }, { "bytes": "0100000002000000" } ] } ],
      "outputs": ["y", "symbol:counter"]
    }`,
    { "a.npy": npy },
  );
  t.deepEqual(faults, []);
  t.is(hex(spec?.buffers.get("x")?.bytes), "000000000000803f0000004000004040");
  t.is(hex(spec?.buffers.get("y")?.bytes), "0000803f000020400000c07f000080ff");
  t.is(spec?.buffers.get("a")?.type.name, "f32");
  const launch = spec!.launches[0]!;
  t.deepEqual([launch.grid, launch.block, launch.sharedBytes], [[4, 1, 1], [256, 1, 1], 16]);
  t.deepEqual([launch.cooperative, launch.dependent], [true, true]);
  t.deepEqual(
    launch.arguments.map((arg) =>
      "bytes" in arg ? hex(arg.bytes) : arg.kind === "buffer" ? `${arg.buffer}+${arg.offset}` : arg.name,
    ),
    ["00040000", "00000040", "x+0", "y+4", "ffffffffffffffff", "0100000002000000"],
  );
  t.deepEqual(
    spec!.outputs.map(({ kind, target }) => [kind, target]),
    [
      ["buffer", "y"],
      ["symbol", "counter"],
    ],
  );
});

const faulty: readonly (readonly [name: string, text: string, fault: RegExp])[] = [
  ["broken JSON", '{ "launches": [ }', /^1:\d+ this is not JSON/],
  ["a comment", '{ // no\n "launches": [] }', /^1:3 this is not JSON/],
  [
    "a dependency that is none",
    '{ "launches": [ { "kernel": "k", "grid": [1], "block": [1], "dependent": 1 } ] }',
    /dependent.* true or false/,
  ],
  ["an unknown member", '{ "launch": [] }', /^1:3 the specification has an unknown member 'launch'/],
  [
    "an unknown type",
    '{ "buffers": { "x": { "type": "f33", "length": 1 } }, "launches": [] }',
    /there is no type 'f33'/,
  ],
  [
    "a value out of range",
    '{ "buffers": { "x": { "type": "u8", "data": [256] } }, "launches": [] }',
    /^1:\d+ 256 does not fit \.u8/,
  ],
  [
    "a fraction for an integer",
    '{ "buffers": { "x": { "type": "u8", "data": [1.5] } }, "launches": [] }',
    /'1.5' is not a whole number/,
  ],
  [
    "two sources of data",
    '{ "buffers": { "x": { "type": "u8", "data": [1], "hex": "00" } }, "launches": [] }',
    /both 'data' and 'hex'/,
  ],
  [
    "a wrong length",
    '{ "buffers": { "x": { "type": "u8", "data": [1], "length": 2 } }, "launches": [] }',
    /1 elements, but length says 2/,
  ],
  ["an unreadable file", '{ "buffers": { "x": { "file": "no.npy" } }, "launches": [] }', /cannot read no\.npy/],
  ["a huge block", '{ "launches": [ { "kernel": "k", "grid": [1], "block": [1024, 2] } ] }', /at most 1024 threads/],
  ["an empty grid", '{ "launches": [ { "kernel": "k", "grid": [0], "block": [1] } ] }', /whole number from 1/],
  [
    "an unknown buffer",
    '{ "launches": [ { "kernel": "k", "grid": [1], "block": [1], "args": [ { "buffer": "z" } ] } ] }',
    /there is no buffer 'z'/,
  ],
  [
    "a huge buffer",
    '{ "buffers": { "x": { "type": "u8", "length": 4294967297 } }, "launches": [] }',
    /whole number from 0 to/,
  ],
  ["deep nesting", "[".repeat(100_000), /nests deeper/],
  ["no launches", "{}", /has no launches/],
];

for (const [name, text, fault] of faulty) {
  test(`${name} is reported at its place`, (t) => {
    const { spec, faults } = read(text);
    t.is(spec, undefined);
    t.true(
      faults.some((message) => fault.test(message)),
      faults.join("\n"),
    );
  });
}
