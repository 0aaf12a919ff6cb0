// Tensor maps: the driver's limits, from a program and with their place in a specification.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import {
  encodeTensorMap,
  FIELD,
  type TensorMap,
  TENSOR_MAP_BYTES,
  type TensorMapProblem,
  tensorMapProblem,
} from "../../lib/load/tensor-map.js";

const plain: TensorMap = { type: "f16", dims: [64, 32], box: [32, 8] };
const image: TensorMap = {
  mode: "im2col",
  type: "f16",
  dims: [32, 7, 5, 2],
  lowerCorner: [-1, -1],
  upperCorner: [0, -1],
  channelsPerPixel: 16,
  pixelsPerColumn: 16,
};

test("maps within the limits", (t) => {
  const maps: readonly TensorMap[] = [
    plain,
    image,
    { ...plain, strides: [256], swizzle: "64B", oobFill: "nan", elementStrides: [1, 8] },
    { type: "u8", dims: [256], box: [256] },
    { type: "u16", dims: [8, 16, 4], strides: [16, 256], box: [8, 8, 2], interleave: "16B" },
  ];
  for (const map of maps) t.is(tensorMapProblem(map, 0, 2 ** 20), undefined);
});

const wrong: readonly (readonly [member: TensorMapProblem["member"], map: TensorMap, offset?: number])[] = [
  ["type", { ...plain, type: "b16" }],
  ["dims", { ...plain, dims: [] }],
  ["dims", { ...plain, dims: [1, 1, 1, 1, 1, 1] }],
  ["dims", { ...plain, dims: [0, 32] }],
  ["dims", { ...plain, dims: [63, 32] }],
  ["dims", { ...plain, dims: [4096, 4096] }],
  ["strides", { ...plain, strides: [130] }],
  ["strides", { ...plain, strides: [128, 128] }],
  ["box", { ...plain, box: [32] }],
  ["box", { ...plain, box: [32, 257] }],
  ["box", { ...plain, box: [4, 8] }],
  ["box", { ...plain, box: [32, 8], swizzle: "32B" }],
  ["elementStrides", { ...plain, elementStrides: [1, 9] }],
  ["interleave", { ...plain, interleave: "16B" }],
  ["oobFill", { ...plain, type: "s32", box: [32, 8], oobFill: "nan" }],
  ["offset", plain, 8],
  ["box", { ...image, box: [1] }],
  ["lowerCorner", { ...image, lowerCorner: [-129, 0] }],
  ["upperCorner", { ...image, upperCorner: [0] }],
  ["channelsPerPixel", { ...image, channelsPerPixel: 4 }],
  ["pixelsPerColumn", { ...plain, pixelsPerColumn: 4 }],
];

for (const [i, [member, map, offset = 0]] of wrong.entries())
  test(`limit ${i}: ${member}`, (t) => {
    t.is(tensorMapProblem(map, offset, 2 ** 20)?.member, member);
  });

test("the 128 bytes of a map", (t) => {
  const bytes = encodeTensorMap({ ...plain, swizzle: "64B" }, 0x10_0000_0040);
  t.is(bytes.length, TENSOR_MAP_BYTES);
  const view = new DataView(bytes.buffer);
  t.is(view.getBigUint64(FIELD.address, true), 0x10_0000_0040n);
  t.deepEqual([bytes[FIELD.rank], bytes[FIELD.type], bytes[FIELD.swizzle]], [1, 6, 2]);
  t.is(view.getUint32(FIELD.extents, true), 63);
  t.is(view.getBigUint64(FIELD.strides, true), 128n);
  t.is(view.getUint16(FIELD.box + 2, true), 8);
});

/** What is reported of a specification with these tensor maps and this argument: line, and words. */
function faultsOf(maps: string, argument = '{ "tensorMap": "m" }'): readonly string[] {
  const text = `{ "buffers": { "a": { "type": "u16", "length": 2048 } },
"tensorMaps": { "m":
${maps} },
"launches": [ { "kernel": "k", "grid": [1], "block": [1], "dependent": true, "args": [
${argument} ] } ] }`;
  const sink = createSink();
  readLaunchSpec({ name: "spec.json", bytes: Buffer.from(text) }, sink);
  return sink.all.map(({ place, message }) => `${place?.kind === "text" ? place.line : 0}: ${message}`);
}

test("a specification's maps are reported at their place", (t) => {
  t.deepEqual(faultsOf('{ "buffer": "a", "type": "u16", "dims": [64, 32], "box": [8, 8] }'), []);
  t.deepEqual(
    faultsOf('{ "buffer": "b", "type": "u16", "dims": [64, 32], "box": [8, 8] }')[0],
    "3: there is no buffer 'b'",
  );
  t.deepEqual(
    faultsOf('{ "buffer": "a", "type": "u16", "dims": [64, 32], "box": [8, 8], "swizzle": "96B" }')[0],
    "3: there is no swizzle '96B'",
  );
  t.regex(
    faultsOf('{ "buffer": "a", "type": "u16", "dims": [64, 64], "box": [8, 8] }')[0]!,
    /^3: .*8192 bytes; its buffer has 4096/,
  );
  t.regex(
    faultsOf('{ "buffer": "a", "type": "u16", "dims": [64, 32] }')[0]!,
    /^3: tensor map 'm': a box must have an extent/,
  );
  t.regex(faultsOf('{ "buffer": "a", "type": "u16", "box": [8] }')[0]!, /^3: tensor map 'm' has no dims/);
  t.is(
    faultsOf('{ "buffer": "a", "type": "u16", "dims": [64], "box": [8] }', '{ "tensorMap": "n" }')[0],
    "5: there is no tensorMap 'n'",
  );
});
