// Images, textures and surfaces of a launch specification: what is read, and where each fault is reported.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";

const launch = '{ "kernel": "k", "grid": [1], "block": [1], "args": [] }';
const image = '"i": { "kind": "2d", "format": "u8", "channels": 2, "width": 4, "height": 2 }';

/** The specification with these members on a line each, from line 2 on, and the faults as LINE:COLUMN MESSAGE. */
function read(members: readonly string[], tail = `"launches": [${launch}]`) {
  const sink = createSink();
  const text = ["{", ...members.map((member) => `${member},`), tail, "}"].join("\n");
  const spec = readLaunchSpec({ name: "spec.json", bytes: new TextEncoder().encode(text) }, sink);
  const faults = sink.all.map(
    (d) => `${d.place?.kind === "text" ? `${d.place.line}:${d.place.column}` : "?"} ${d.message}`,
  );
  return { spec, faults };
}

test("images have every level in their contents; textures and surfaces name them", (t) => {
  const { spec, faults } = read(
    [
      '"buffers": { "b": { "type": "u32", "length": 64 } }',
      `"images": { ${image},
        "m": { "kind": "2d", "format": "f32", "channels": 1, "width": 4, "height": 2, "levels": 3, "fill": "iota" },
        "c": { "kind": "cubeLayered", "format": "s16", "channels": 4, "width": 2, "height": 2, "layers": 2 } }`,
      `"textures": { "t": { "image": "m", "address": ["wrap"], "normalized": true, "border": [1, 2, 3, "NaN"], "filter": "linear",
        "read": "element", "srgb": false, "seamless": true, "mip": { "filter": "linear", "bias": -0.5, "max": 1 }, "maxAnisotropy": 4 },
        "p": { "buffer": "b", "format": "f32", "channels": 2, "width": 3, "height": 4, "pitch": 64 } }`,
      '"surfaces": { "s": { "image": "m", "level": 2 } }',
    ],
    `"launches": [{ "kernel": "k", "grid": [1], "block": [1], "args": [{ "texture": "t" }, { "surface": "s" }] }], "outputs": ["image:m"]`,
  );
  t.deepEqual(faults, []);
  t.is(spec!.images.get("m")!.bytes.length, 4 * (8 + 2 + 1));
  t.is(spec!.images.get("c")!.bytes.length, 8 * 4 * 6 * 2);
  t.deepEqual(spec!.textures.get("t")!.sampling, {
    address: ["wrap"],
    border: [1, 2, 3, NaN],
    filter: "linear",
    read: "element",
    normalized: true,
    srgb: false,
    seamless: true,
    mip: { filter: "linear", bias: -0.5, max: 1 },
    maxAnisotropy: 4,
  });
  t.like(spec!.textures.get("p")!.memory, { kind: "buffer", buffer: "b" });
  t.like(spec!.surfaces.get("s"), { image: "m", level: 2 });
  t.like(spec!.launches[0]!.arguments[0], { kind: "texture", name: "t" });
  t.like(spec!.outputs[0], { kind: "image", target: "m" });
});

const imageFaults: readonly (readonly [member: string, fault: string])[] = [
  ['"kind": "4d", "format": "u8", "channels": 1, "width": 4', "there is no kind '4d'"],
  ['"kind": "1d", "format": "bf16", "channels": 1, "width": 4', "there is no format 'bf16'"],
  ['"kind": "1d", "format": "u8", "channels": 3, "width": 4', "channels must be 1, 2 or 4"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 0', "width must be a whole number from 1 to 131072"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 2.5', "width must be a whole number"],
  ['"kind": "2d", "format": "u8", "channels": 1, "width": 4', "a 2d image has a height"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "layers": 2', "a 1d image has no layers"],
  ['"kind": "cube", "format": "u8", "channels": 1, "width": 4, "height": 5', "height must be 4"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "levels": 4', "levels must be a whole number from 1 to 3"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "hex": "0011"', "has 4 elements of .u8 (4 bytes)"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "hex": "00", "fill": 1', "has both 'fill' and 'hex'"],
  ['"kind": "1d", "format": "u8", "channels": 1', "has no width"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "gather": 1', "gather must be true or false"],
  ['"kind": "1d", "format": "u8", "channels": 1, "width": 4, "widht": 4', "has an unknown member 'widht'"],
  [
    '"kind": "3d", "format": "f32", "channels": 4, "width": 16384, "height": 16384, "depth": 16384',
    "bytes are too many",
  ],
];

for (const [members, fault] of imageFaults)
  test(`an image is refused at its place: ${members}`, (t) => {
    const { spec, faults } = read([`"images": { "x": { ${members} } }`]);
    t.is(spec, undefined);
    t.is(faults.length, 1);
    t.regex(faults[0]!, /^2:\d+ /);
    t.true(faults[0]!.includes(fault), faults[0]);
  });

const textureFaults: readonly (readonly [member: string, fault: string])[] = [
  ['"image": "nosuch"', "there is no image 'nosuch'"],
  ['"image": "i", "buffer": "b"', "one 'image' or one 'buffer'"],
  ["", "one 'image' or one 'buffer'"],
  ['"image": "i", "width": 4', "an image has its own width"],
  ['"image": "i", "address": "repeat"', "address must be one of wrap, clamp, mirror, border"],
  ['"image": "i", "address": ["wrap", "wrap", "wrap", "wrap"]', "at most three modes"],
  ['"image": "i", "filter": "cubic"', "filter must be one of point, linear"],
  ['"image": "i", "read": "float"', "read must be one of element, normalized"],
  ['"image": "i", "border": [1, 2]', "border must be a list of 4 numbers"],
  ['"image": "i", "normalized": "yes"', "normalized must be true or false"],
  ['"image": "i", "mip": { "filter": "none" }', "filter must be one of point, linear"],
  ['"image": "i", "mip": { "lod": 1 }', "mip has an unknown member 'lod'"],
  ['"image": "m"', 'needs "normalized": true'],
  ['"buffer": "nosuch", "format": "u8", "channels": 1, "width": 1', "there is no buffer 'nosuch'"],
  ['"buffer": "b", "format": "u8", "channels": 1', "has no width"],
  ['"buffer": "b", "format": "u8", "channels": 1, "width": 65', "reads 65 bytes; its buffer has 64"],
  ['"buffer": "b", "format": "u8", "channels": 1, "width": 8, "pitch": 8', "only memory with a height has a pitch"],
  ['"buffer": "b", "format": "u8", "channels": 1, "width": 8, "height": 2, "pitch": 7', "at least 8 bytes"],
];

for (const [members, fault] of textureFaults)
  test(`a texture is refused at its place: ${members}`, (t) => {
    const mipped = '"m": { "kind": "1d", "format": "u8", "channels": 1, "width": 2, "levels": 2 }';
    const { spec, faults } = read([
      '"buffers": { "b": { "type": "u8", "length": 64 } }',
      `"images": { ${image}, ${mipped} }`,
      `"textures": { "x": { ${members} } }`,
    ]);
    t.is(spec, undefined);
    t.is(faults.length, 1);
    t.regex(faults[0]!, /^4:\d+ /);
    t.true(faults[0]!.includes(fault), faults[0]);
  });

test("unknown names of arguments, surfaces and outputs are reported", (t) => {
  const { faults } = read(
    [`"images": { ${image} }`, '"surfaces": { "s": { "image": "j" }, "l": { "image": "i", "level": 1 } }'],
    '"launches": [{ "kernel": "k", "grid": [1], "block": [1], "args": [{ "texture": "t" }, { "surface": "z" }] }], "outputs": ["image:j"]',
  );
  t.deepEqual(faults, [
    "3:31 there is no image 'j'",
    "3:68 level must be a whole number from 0 to 0",
    "4:80 there is no texture 't'",
    "4:100 there is no surface 'z'",
    "4:123 there is no image 'j'",
  ]);
});
