// Texture and surface instructions on a device: geometries, offsets, halves, comparison, gathers, independent mode,
// queries, and faults. Both engines.

import test from "ava";
import { f32FromBits } from "../../../lib/base/num/bits.js";
import type { DeviceArgument } from "../../../lib/exec/device/arguments.js";
import type { Device } from "../../../lib/exec/device/interface.js";
import type { LaunchResult } from "../../../lib/exec/state/result.js";
import type { ImageDescription } from "../../../lib/load/image.js";
import { deviceOfModule } from "../kernel.js";

const engines = ["reference", "fast"] as const;

interface Made {
  readonly device: Device;
  run(...args: readonly DeviceArgument[]): Promise<LaunchResult>;
  /** Words of `out`. */
  words(count: number): readonly number[];
  floats(count: number): readonly number[];
}

/** A kernel `k(out, a, b)` with those handles in %a and %b, and declared registers f1 to f8, r1 to r8, h1 to h8. */
function made(body: string, engine: (typeof engines)[number], options = "", before = ""): Made {
  const device = deviceOfModule(
    `.version 8.0\n.target sm_90${options}\n.address_size 64\n${before}
.visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b) {
  .reg .b64 %out, %a, %b; .reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b16 %h<9>; .reg .pred %p;
  ld.param.u64 %out, [out]; ld.param.u64 %a, [a]; ld.param.u64 %b, [b];
  ${body}
  ret;
}`,
    { hotAfter: 0 },
  );
  const out = device.alloc(256);
  return {
    device,
    run: (...args) =>
      device.launch("k", { grid: 1, block: 1, engine, args: [out, args[0] ?? { u64: 0n }, args[1] ?? { u64: 0n }] }),
    words: (count) => [...device.read(out, Int32Array).subarray(0, count)],
    floats: (count) => [...device.read(out, Float32Array).subarray(0, count)],
  };
}

const store = "st.global.v4.b32 [%out], {%r1, %r2, %r3, %r4};";
const storeFloats = "st.global.v4.f32 [%out], {%f1, %f2, %f3, %f4};";
const iota = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => i);
const plane: ImageDescription = { kind: "2d", format: "f32", channels: 1, width: 4, height: 4 };

interface Fetch {
  readonly what: string;
  readonly text: string;
  readonly image: ImageDescription;
  readonly expected: readonly number[];
}

/** Images hold 0, 1, 2 and so on. */
const fetches: readonly Fetch[] = [
  {
    what: "an offset of four bits is added to the texel's number",
    text: "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {0f40200000, 0f3F000000}], {-1, 2};",
    image: plane,
    expected: [9, 0, 0, 0],
  },
  {
    what: "a sample of a picture that has one",
    text: "tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a, {0, 1, 2, 0}];",
    image: plane,
    expected: [9, 0, 0, 0],
  },
  {
    what: "a sample that is not there",
    text: "tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a, {1, 1, 2, 0}];",
    image: plane,
    expected: [0, 0, 0, 0],
  },
  {
    what: "the last layer for all beyond it",
    text: "tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {-1, 0f3F800000, 0f00000000, 0f00000000}];",
    image: { kind: "2dLayered", format: "f32", channels: 2, width: 2, height: 1, layers: 3 },
    expected: [10, 11, 0, 0],
  },
  {
    what: "no layer beyond the last by integers",
    text: "tex.a2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a, {3, 1, 0, 0}];",
    image: { kind: "2dLayered", format: "f32", channels: 2, width: 2, height: 1, layers: 3 },
    expected: [0, 0, 0, 0],
  },
  {
    what: "coordinates clamped by an integer level",
    text: "tex.level.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a, {9, -3}], 1;",
    image: { ...plane, levels: 2 },
    expected: [17, 0, 0, 0],
  },
  {
    what: "a level that is not there",
    text: "tex.level.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%a, {0, 1}], 2;",
    image: { ...plane, levels: 2 },
    expected: [0, 0, 0, 0],
  },
  {
    what: "the fourth cube of an array",
    text: "tex.acube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {7, 0f00000000, 0fBF800000, 0f00000000}];",
    image: { kind: "cubeLayered", format: "f32", channels: 1, width: 1, height: 1, layers: 4 },
    expected: [21, 0, 0, 0],
  },
  {
    what: "texels that are not less than what they are compared with",
    text: "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {0f40000000, 0f40000000}], 0f41100000;",
    image: plane,
    expected: [1, 1, 0, 0],
  },
];

for (const engine of engines)
  for (const { what, text, image, expected } of fetches)
    test(`${engine}: a fetch returns ${what}`, async (t) => {
      const { device, run, floats } = made(`${text} ${storeFloats}`, engine);
      const size = device.image(image).size / 4;
      const texture = device.texture({ image: device.image(image, iota(size)), normalized: (image.levels ?? 1) > 1 });
      const { fault } = await run(texture);
      t.is(fault?.message, undefined);
      t.deepEqual(floats(4), expected);
    });

for (const engine of engines) {
  test(`${engine}: results as halves, and the residency predicate`, async (t) => {
    const { device, run, words } = made(
      `tex.2d.v4.f16.f32 {%h1, %h2, %h3, %h4}|%p, [%a, {0f00000000, 0f00000000}];
       selp.u32 %r1, 7, 8, %p; mov.b32 %r2, {%h1, %h2};
       tex.2d.v2.f16x2.f32 {%r3, %r4}, [%a, {0f00000000, 0f00000000}]; ${store}`,
      engine,
    );
    const image = device.image({ ...plane, channels: 4 }, Float32Array.of(1, 2, -0.5, 65520));
    await run(device.texture({ image }));
    t.deepEqual(words(4), [7, 0x40003c00, 0x40003c00, 0x7c00b800]);
  });

  test(`${engine}: independent mode uses the sampler's modes and filter`, async (t) => {
    const { device, run, words, floats } = made(
      `tex.2d.v4.f32.f32 {%f1, %f5, %f5, %f5}, [picture, near, {0f3F000000, 0f3F000000}];
       tex.2d.v4.f32.f32 {%f2, %f5, %f5, %f5}, [picture, texels, {0f3F800000, 0f3F800000}];
       tex.2d.v4.f32.f32 {%f3, %f5, %f5, %f5}, [picture, near, {0fC0000000, 0f3F000000}];
       tex.2d.v4.f32.f32 {%f4, %f5, %f5, %f5}, [picture, bound, {0f3F800000, 0f3F000000}]; ${storeFloats}
       txq.force_unnormalized_coords.b32 %r1, [texels]; txq.addr_mode_1.b32 %r2, [near]; txq.filter_mode.b32 %r3, [near];
       mov.u64 %a, near; istypep.samplerref %p, %a; selp.u32 %r4, 1, 0, %p;
       st.global.v4.b32 [%out+16], {%r1, %r2, %r3, %r4};`,
      engine,
      ", texmode_independent",
      `.global .texref picture; .global .samplerref bound;
       .global .samplerref near = { addr_mode_0 = clamp_to_border, addr_mode_1 = mirror, filter_mode = nearest };
       .global .samplerref texels = { filter_mode = linear, force_unnormalized_coords = 1 };`,
    );
    const image = device.image({ ...plane, width: 2, height: 2 }, Float32Array.of(1, 2, 3, 4));
    device.bind("picture", device.texture({ image, normalized: true }));
    device.bind("bound", device.texture({ image, normalized: true, address: "wrap" }));
    const { fault } = await run();
    t.is(fault?.message, undefined);
    t.deepEqual(floats(4), [4, 2.5, 0, 3]);
    t.deepEqual(words(8).slice(4), [1, 1, 0, 1]);
    t.throws(() => device.bind("pictures", device.texture({ image })), { message: /no \.texref or \.samplerref/ });
  });

  test(`${engine}: queries`, async (t) => {
    const { device, run, words } = made(
      `txq.width.b32 %r1, [%a]; txq.height.b32 %r2, [%a]; txq.depth.b32 %r3, [%a]; txq.array_size.b32 %r4, [%a]; ${store}
       txq.level.width.b32 %r1, [%a], 1; txq.level.height.b32 %r2, [%a], 1; txq.num_mipmap_levels.b32 %r3, [%a];
       txq.normalized_coords.b32 %r4, [%a]; st.global.v4.b32 [%out+16], {%r1, %r2, %r3, %r4};
       suq.channel_order.b32 %r1, [%b]; suq.channel_data_type.b32 %r2, [%b]; suq.array_size.b32 %r3, [%b];
       istypep.surfref %p, %b; selp.u32 %r4, 1, 0, %p; st.global.v4.b32 [%out+32], {%r1, %r2, %r3, %r4};`,
      engine,
    );
    const image = device.image({
      kind: "2dLayered",
      format: "u8",
      channels: 2,
      width: 8,
      height: 6,
      layers: 5,
      levels: 2,
    });
    await run(device.texture({ image, normalized: true }), device.surface({ image, level: 1 }));
    t.deepEqual(words(12), [8, 6, 5, 5, 4, 3, 2, 1, 0x10b2, 0x10da, 5, 1]);
  });

  test(`${engine}: surfaces load, store and reduce by bytes and samples`, async (t) => {
    const { device, run, words } = made(
      `suld.b.2d.v2.b16.trap {%h1, %h2}, [%a, {4, 1}]; mov.b32 %r1, {%h1, %h2};
       suld.b.2d.b8.zero %h3, [%a, {-1, 0}]; cvt.u32.u16 %r2, %h3;
       suld.b.2d.b32.clamp %r3, [%a, {1000, 77}]; mov.u32 %r4, 0; ${store}
       sust.b.2d.v2.b32.trap [%a, {8, 0}], {%r3, %r1};
       sured.b.max.2d.u32.trap [%a, {0, 0}], -5;
       sured.p.min.2d.b32.trap [%a, {1, 0}], -7;
       sured.b.add.2d.u64.zero [%a, {16, 9}], %out;
       sust.p.2d.b32.zero [%a, {3, 1}], 99;`,
      engine,
    );
    const image = device.image(
      { kind: "2d", format: "s32", channels: 1, width: 4, height: 2 },
      Int32Array.of(1, 2, 3, 4, 5, 0x70006, 7, 8),
    );
    const { fault } = await run(device.surface({ image }));
    t.is(fault?.message, undefined);
    t.deepEqual(words(3), [0x70006, 0, 8]);
    t.deepEqual([...device.read(image, Int32Array)], [-5, -7, 8, 0x70006, 5, 0x70006, 7, 99]);
  });
}

const tex = `tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%a, {0f00000000, 0f00000000}];`;

/** Wrong handles: the argument, and the fault. */
const faults: readonly (readonly [
  what: string,
  body: string,
  of: (device: Device) => DeviceArgument,
  fault: RegExp,
])[] = [
  ["null", tex, () => ({ u64: 0n }), /^illegal-address: the handle of a texture is null/],
  [
    "foreign",
    tex,
    () => ({ u64: 0xdeadbeefdeadbeefn }),
    /^illegal-address: 0xdeadbeefdeadbeef is not the handle of a texture/,
  ],
  [
    "a buffer's address",
    tex,
    (device) => device.alloc(64),
    /^illegal-address: 0x[0-9a-f]+ is not the handle of a texture/,
  ],
  ["a surface's", tex, (device) => device.surface({ image: device.image(plane) }), /is not the handle of a texture/],
  ["a texture of another kind", tex, (device) => device.texture({ image: device.image({ kind: "1d", format: "u8", channels: 1, width: 4 }) }), /of a 1d image/], // prettier-ignore
  ["a load through a handle", "ld.u32 %r1, [%a];", (device) => device.texture({ image: device.image(plane) }), /^illegal-address: .*where no memory is allocated/], // prettier-ignore
  ["outside, trapped", "suld.b.2d.b32.trap %r1, [%a, {16, 0}];", (device) => device.surface({ image: device.image(plane) }), /^illegal-address: surface access/], // prettier-ignore
  ["crooked", "suld.b.2d.b32.zero %r1, [%a, {2, 99}];", (device) => device.surface({ image: device.image(plane) }), /^misaligned-address: surface byte 2/], // prettier-ignore
  ["released", tex, (device) => { const image = device.image(plane); const texture = device.texture({ image }); device.free(image); return texture; }, /has been freed/], // prettier-ignore
];

for (const engine of engines)
  for (const [what, body, of, fault] of faults)
    test(`${engine}: a fault: ${what}`, async (t) => {
      const { device, run } = made(body, engine);
      const result = await run(of(device));
      t.regex(`${result.fault?.kind}: ${result.fault?.message}`, fault);
    });

test("an unbound reference is a fault that names it", async (t) => {
  const { run } = made(tex.replace("%a", "picture"), "fast", "", ".global .texref picture;");
  const { fault } = await run();
  t.regex(fault!.message, /nothing is bound to the \.texref 'picture'/);
});

test("a texture of a buffer reads what kernels write there, and faults once the buffer is freed", async (t) => {
  const { device, run, words } = made(
    `tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%a, {1}]; add.u32 %r2, %r1, 5; st.global.u32 [%b+4], %r2;
     tex.1d.v4.u32.s32 {%r2, %r3, %r3, %r4}, [%a, {1}];
     tex.1d.v4.u32.s32 {%r3, %r4, %r4, %r4}, [%a, {2}]; ${store}`,
    "fast",
  );
  const buffer = device.alloc(Uint32Array.of(10, 20, 30));
  const texture = device.texture({ buffer, format: "u32", channels: 1, width: 2 });
  await run(texture, buffer);
  t.deepEqual(words(4), [20, 25, 0, 0]);
  device.free(buffer);
  const { fault } = await run(texture, { u64: 0n });
  t.regex(fault!.message, /the buffer of this texture has been freed/);
});

test("coordinates of any bits give a result in every mode", async (t) => {
  const lanes = 512;
  const device = deviceOfModule(
    `.version 8.0\n.target sm_90\n.address_size 64
.visible .entry k(.param .u64 x, .param .u64 out, .param .u64 t3, .param .u64 cube) {
  .reg .b64 %x, %out, %t3, %cube, %at; .reg .f32 %f<9>; .reg .b32 %t;
  ld.param.u64 %x, [x]; ld.param.u64 %out, [out]; ld.param.u64 %t3, [t3]; ld.param.u64 %cube, [cube];
  mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 16; add.s64 %x, %x, %at; add.s64 %out, %out, %at;
  ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%x];
  tex.level.3d.v4.f32.f32 {%f5, %f6, %f6, %f6}, [%t3, {%f1, %f2, %f3, %f3}], %f4;
  tex.cube.v4.f32.f32 {%f6, %f7, %f7, %f7}, [%cube, {%f1, %f2, %f3, %f3}];
  tex.grad.3d.v4.f32.f32 {%f7, %f8, %f8, %f8}, [%t3, {%f1, %f2, %f3, %f3}], {%f4, %f1, %f2, %f2}, {%f3, %f4, %f1, %f1};
  tld4.r.cube.v4.f32.f32 {%f8, %f1, %f1, %f1}, [%cube, {%f1, %f2, %f3, %f3}];
  st.global.v4.f32 [%out], {%f5, %f6, %f7, %f8};
  ret; }`,
  );
  // Random bits, the same on every run, after edge cases.
  let state = 1;
  const bits = Uint32Array.from({ length: 4 * lanes }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0));
  bits.set([0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 1, 0x80000000, 0x4f000000]);
  const volume = device.image(
    { kind: "3d", format: "f32", channels: 1, width: 5, height: 3, depth: 2, levels: 2 },
    iota(32).map((v) => v + 1),
  );
  const cube = device.image({ kind: "cube", format: "f32", channels: 1, width: 3, height: 3 }, iota(54));
  const [x, out] = [device.alloc(bits), device.alloc(bits.byteLength)];
  for (const address of ["clamp", "border", "wrap", "mirror"] as const) {
    const t3 = device.texture({
      image: volume,
      address,
      filter: "linear",
      normalized: true,
      mip: { filter: "linear" },
    });
    const seamless = device.texture({ image: cube, filter: "linear", normalized: true, seamless: true });
    const { fault } = await device.launch("k", { grid: 1, block: lanes, args: [x, out, t3, seamless] });
    t.is(fault, undefined);
    const results = device.read(out, Float32Array);
    t.true(results.every((value) => value >= 0 && value <= 54));
  }
  t.is(f32FromBits(bits[3]!), Math.fround(3.4028234663852886e38));
});
