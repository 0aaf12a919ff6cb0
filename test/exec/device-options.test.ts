// Arguments of the library's device and linker: every option needs its exact name, and every argument a type that its
// parameter accepts. Anything else throws a RangeError that says what to write.

import test from "ava";
import type { DeviceArgument } from "../../lib/exec/device/arguments.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { DeviceLaunch } from "../../lib/exec/device/interface.js";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { emitPtx, linkRelocatable } from "../../lib/link/link-objects.js";
import { timedOn } from "../../lib/report/timed.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { linkSources } from "../../lib/link/link-sources.js";
import { loadText } from "./pipeline.js";

const image = loadText(`.version 8.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .f32 x, .param .u32 n, .param .b32 bits, .param .align 8 .b8 raw[8])
{
  ret;
}
`).image;

const device = openDevice(image);
const out = device.alloc(16);
const good: readonly DeviceArgument[] = [out, { f32: 1 }, { u32: 1 }, { b32: 1 }, { u64: 1 }];

/** Launches with one argument replaced. */
const launch = (index: number, argument: unknown): Promise<unknown> =>
  device.launch("k", { grid: 1, block: 1, args: good.with(index, argument as DeviceArgument) });

const refused: readonly (readonly [index: number, argument: unknown, message: RegExp])[] = [
  [0, 7, /^argument 0 of 'k': the number 7 is not a valid argument; a number says its type: \{ u64: 7 \}$/],
  [1, 7n, /the number 7 is not a valid argument; .* \{ f32: 7 \}$/],
  [0, new Float32Array(4), /argument 0 of 'k': a Float32Array is not a valid argument; .*device\.alloc\(array\)/],
  [0, [1, 2], /an Array is not a valid argument; .*device\.alloc\(array\)/],
  [1, null, /argument 1 of 'k': null is not a valid argument; there are buffers/],
  [1, undefined, /undefined is not a valid argument/],
  [1, "2.5", /the text '2\.5' is not a valid argument/],
  [1, true, /true is not a valid argument/],
  [1, { f23: 1 }, /no element type 'f23'; did you mean 'f32'\?/],
  [1, { f32: "1" }, /\.f32 is a number or a bigint, not the text '1'/],
  [1, {}, /one type/],
  [1, { s32: 3 }, /parameter 1 of kernel 'k' is a \.f32 of 4 bytes; the argument is a \.s32 of 4: k\(/],
  [1, { f64: 3 }, /is a \.f32 of 4 bytes; the argument is a \.f64 of 8/],
  [2, { f32: 1 }, /parameter 2 of kernel 'k' is a \.u32 of 4 bytes; the argument is a \.f32 of 4/],
  [0, { f64: 1 }, /parameter 0 of kernel 'k' is a \.u64 of 8 bytes; the argument is a \.f64 of 8/],
];

for (const [index, argument, message] of refused) {
  test(`refused: ${message.source}`, (t) =>
    t.throwsAsync(launch(index, argument), { instanceOf: RangeError, message }));
}

test("integers of either sign, bits and bytes are accepted, and bits accept any value of their size", async (t) => {
  for (const [index, argument] of [
    [1, { b32: 0x3f800000 }],
    [1, Uint8Array.of(0, 0, 0, 0)],
    [2, { s32: -1 }],
    [3, { f32: 1 }],
    [3, { s32: -1 }],
    [4, { f64: 1 }],
  ] as const)
    await t.notThrowsAsync(launch(index, argument));
});

test("a misspelt option is found wherever options are accepted", async (t) => {
  const wrong = { instanceOf: RangeError } as const;
  const shape = { grid: 1, block: 1 };
  await t.throwsAsync(device.launch("k", { ...shape, blocks: 1 } as DeviceLaunch), {
    ...wrong,
    message: "launch has no option 'blocks'; did you mean 'block'?",
  });
  await t.throwsAsync(device.launch("k", { ...shape, argumentList: [] } as DeviceLaunch), {
    ...wrong,
    message: /^launch has no option 'argumentList'; there are grid, block, cluster, args/,
  });
  await t.throwsAsync(device.launch("k", undefined as never), {
    ...wrong,
    message: /object of options.*not undefined/,
  });
  await t.throwsAsync(device.launch("k", { block: 1 } as DeviceLaunch), {
    ...wrong,
    message: /^grid: .*not undefined/,
  });
  const works: readonly (readonly [() => unknown, RegExp])[] = [
    [() => openDevice(image, { thread: 2 } as never), /openDevice has no option 'thread'; did you mean 'threads'\?/],
    [() => linkSources({ "a.ptx": text }, { archs: "sm_90" } as never), /no option 'archs'; did you mean 'arch'\?/],
    [() => linkSources({ "a.ptx": 7 } as never), /'a\.ptx': text or a Uint8Array is expected, not the number 7/],
    [() => device.image({ kind: "2d", format: "u8", channel: 4 } as never), /did you mean 'channels'\?/],
    [() => device.texture({ imag: 1 } as never), /texture has no option 'imag'/],
    [() => device.surface({ image: 1, lvl: 1 } as never), /surface has no option 'lvl'/],
    [
      () => device.tensorMap({ buffer: out, boxs: [1] } as never),
      /tensorMap has no option 'boxs'; did you mean 'box'\?/,
    ],
  ];
  for (const [work, message] of works) t.throws(work, { ...wrong, message });
});

test("an option of another function is found, with the function", async (t) => {
  t.throws(() => openDevice(image, { sanitize: true } as never), {
    instanceOf: RangeError,
    message: "openDevice has no option 'sanitize'; it is an option of launch",
  });
  await t.throwsAsync(device.launch("k", { grid: 1, block: 1, threads: 2 } as DeviceLaunch), {
    instanceOf: RangeError,
    message: "launch has no option 'threads'; it is an option of openDevice",
  });
});

const text = ".version 8.5\n.target sm_80\n.visible .global .u32 a;\n";
const sink = createSink();
const wrongValues: readonly (readonly [work: () => unknown, message: string])[] = [
  [
    () => openDevice(image, { time: "h200" as never }),
    "openDevice, option 'time': a function is expected, not the text 'h200'",
  ],
  [
    () => openDevice(image, { memoryBytes: -1 }),
    "openDevice, option 'memoryBytes': a whole number that is not negative is expected, not the number -1",
  ],
  [() => timedOn({} as never), 'timedOn: a model, such as findGpu("h200"), is expected, not an Object'],
  [() => timedOn("h200" as never), "timedOn: a model, such as findGpu(\"h200\"), is expected, not the text 'h200'"],
  [
    () => timedOn(findGpu("h200"), { cold: true } as never),
    "timedOn has no option 'cold'; there are warm, events, kernels",
  ],
  [
    () => linkSources({ "a.ptx": text }, { gcSections: "yes" as never }),
    "linkSources, option 'gcSections': true or false is expected, not the text 'yes'",
  ],
  [
    () => linkSources({ "a.ptx": text }, { roots: { keepExport: true } as never }),
    "linkSources, option 'roots' has no option 'keepExport'; did you mean 'keepExports'?",
  ],
  [
    () => linkSources({ "a.ptx": text }, { nvvm: { ftz: 1 as never } }),
    "linkSources, option 'nvvm', option 'ftz': true or false is expected, not the number 1",
  ],
  [
    () => linkRelocatable([], { ptxVersion: "8.0" } as never, sink),
    "linkRelocatable has no option 'ptxVersion'; it is an option of emitPtx",
  ],
  [() => emitPtx([], { wraps: [] } as never, sink), "emitPtx has no option 'wraps'; did you mean 'wrap'?"],
  [
    () => linkSources({ "a.ptx": text }, { wrap: [7 as never] }),
    "linkSources, option 'wrap': an array of texts is expected, not an Array",
  ],
  [() => linkSources({ "a.ptx": text }, [] as never), "linkSources: an object of options is expected, not an Array"],
  [
    () => linkSources({ "a.ptx": text }, new Map([["arch", "sm_90"]]) as never),
    "linkSources: an object of options is expected, not a Map",
  ],
  [
    () => linkSources({ "a.ptx": text }, Object.create({ arch: "sm_90" }) as object),
    "linkSources, option 'arch': it is inherited; copy it to the object itself",
  ],
  [
    () => openDevice(image, new (class { get threads(): number { return 2; } })()), // prettier-ignore
    "openDevice, option 'threads': it is inherited; copy it to the object itself",
  ],
  [() => createSink({ warning: {} } as never), "createSink has no option 'warning'; did you mean 'warnings'?"],
  [
    () => createSink({ warnings: { "float-raw-bit": "off" } as never }),
    "createSink, option 'warnings' has no option 'float-raw-bit'; did you mean 'float-raw-bits'?",
  ],
  [
    () => createSink({ warnings: { "float-raw-bits": "ignore" as never } }),
    "createSink, option 'warnings', option 'float-raw-bits': 'off' or 'warning' or 'error' is expected, not the text 'ignore'",
  ],
  [
    () => inspectFile({ name: "a", bytes: new Uint8Array(4) }, { view: [] } as never, sink),
    "inspectFile has no option 'view'; did you mean 'views'?",
  ],
];
for (const [work, message] of wrongValues)
  test(`refused: ${message}`, (t) => void t.throws(work, { instanceOf: RangeError, message }));

test("a launch refuses values that its options cannot have", async (t) => {
  const wrong = [
    [{ engine: "fsat" }, "launch, option 'engine': 'fast' or 'reference' is expected, not the text 'fsat'"],
    [{ sanitize: "yes" }, "launch, option 'sanitize': true or false is expected, not the text 'yes'"],
    [{ args: out }, "launch, option 'args': an array is expected, not an Object"],
    [
      { maxInstructions: Number.NaN },
      "launch, option 'maxInstructions': a whole number that is not negative is expected, not the number NaN",
    ],
  ] as const;
  for (const [options, message] of wrong)
    await t.throwsAsync(device.launch("k", { grid: 1, block: 1, ...options } as DeviceLaunch), {
      instanceOf: RangeError,
      message,
    });
});

test("memory is made of a number of bytes, or as a copy of a typed array", (t) => {
  const wrong: readonly (readonly [work: () => unknown, message: RegExp])[] = [
    [
      () => device.alloc([1, 2] as never),
      /alloc: a typed array, as Float32Array\.of\(1, 2\), is expected, not an Array/,
    ],
    [() => device.alloc("16" as never), /not the text '16'/],
    [() => device.alloc(1.5), /alloc, bytes: .*not 1\.5/],
    [() => device.write(out, [1] as never), /write: a typed array.*not an Array/],
    [() => device.read(out, [] as never), /read: a typed array.*not an Array/],
    [
      () => device.fill(out, 7 as never),
      /fill: a number with its type, \{ f32: 2\.5 \}, is expected, not the number 7/,
    ],
  ];
  for (const [work, message] of wrong) t.throws(work, { instanceOf: RangeError, message });
});

const texels = { format: "u8", channels: 1, width: 8 } as const;
const wrongObjects: readonly (readonly [work: () => unknown, message: RegExp])[] = [
  [() => openDevice("a.img" as never), /openDevice: a linked image, as linkSources returns it, .* the text 'a\.img'/],
  [() => linkSources([text] as never), /linkSources: an object \{ "name\.ptx": text or bytes \} .* an Array/],
  [() => device.free(7 as never), /free: a buffer or an image of the device is expected, not the number 7/],
  [() => device.part(3 as never, 0), /part: a buffer, as device\.alloc returns it, is expected, not the number 3/],
  [() => device.write("out" as never, new Uint8Array(3)), /write: a buffer or an image .* the text 'out'/],
  [() => device.read("out" as never, Uint8Array), /read: a buffer or an image .* the text 'out'/],
  [() => device.copy(out, 3 as never), /copy: a buffer, .* the number 3/],
  [() => device.copy(null as never, out), /copy: a buffer, .* null/],
  [() => device.fill({ size: 4 } as never, { u8: 1 }), /fill: a buffer, .* an Object/],
  [() => device.texture({ image: out } as never), /texture, image: an image, as device\.image returns it, /],
  [() => device.texture({ buffer: 3, ...texels } as never), /texture, buffer: a buffer, .* the number 3/],
  [() => device.surface({} as never), /surface, image: an image, .* undefined/],
  [() => device.bind("x", out as never), /bind: a texture or surface of the device is expected/],
  [() => device.tensorMap({} as never), /tensorMap, buffer: a buffer, .* undefined/],
  [() => device.symbol(3 as never), /the name of a variable is expected, not the number 3/],
  [() => device.kernel({} as never), /the name of a kernel is expected, not an Object/],
  [() => device.write(out, new Uint8Array(17)), /17 bytes at offset 0 do not fit a buffer of 16 bytes/],
];
for (const [work, message] of wrongObjects)
  test(`refused: ${message.source}`, (t) => void t.throws(work, { instanceOf: RangeError, message }));
