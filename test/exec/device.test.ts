// The Device: memory in buffers, kernels by name, and a RangeError for every mistake of the caller.

import test from "ava";
import type { DeviceArgument } from "../../lib/exec/device/arguments.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { Device } from "../../lib/exec/device/interface.js";
import { loadText } from "./pipeline.js";

const image = loadText(`.version 8.5
.target sm_80
.address_size 64
.visible .const .u32 factor = 3;
.visible .entry k(.param .u64 out, .param .u32 n, .param .f64 d, .param .align 4 .b8 raw[8])
{
  .reg .u64 %p; .reg .u32 %n, %f, %r; .reg .f64 %d;
  ld.param.u64 %p, [out];
  ld.param.u32 %n, [n];
  ld.param.f64 %d, [d];
  ld.param.u32 %r, [raw+4];
  ld.const.u32 %f, [factor];
  mul.lo.u32 %n, %n, %f;
  st.global.u32 [%p], %n;
  st.global.u32 [%p+4], %r;
  st.global.f64 [%p+8], %d;
  ret;
}
`).image;

const raw = Uint8Array.of(0, 0, 0, 0, 7, 0, 0, 0);
const u32 = (value: number) => ({ u32: value });
const f64 = (value: number) => ({ type: "f64", value }) as const;
const run = (device: Device, ...args: readonly DeviceArgument[]) => device.launch("k", { grid: 1, block: 1, args });

test("arguments arrive with their types, and what was written is read", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  device.write(device.symbol("factor"), Uint32Array.of(5));
  const result = await run(device, out, u32(4), f64(-0.5), raw);
  t.is(result.fault, undefined);
  t.is(result.threadInstructions, 10);
  t.deepEqual(device.read(out, new Uint32Array(2)), Uint32Array.of(20, 7));
  t.deepEqual(device.read(out, new Float64Array(1), 8), Float64Array.of(-0.5));
});

test("a launch keeps the options of its call, even if the caller changes the object later", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  const options = { grid: 1, block: 1, args: [out, u32(4), f64(1), raw], sanitize: true, maxInstructions: Infinity };
  const first = device.launch("k", options);
  Object.assign(options, { sanitize: false, maxInstructions: 1 });
  const second = device.launch("k", options);
  t.is((await first).fault, undefined);
  t.deepEqual((await first).findings, []);
  t.is((await second).fault?.kind, "instruction-limit");
  t.is((await second).findings, undefined);
});

test("two devices of one image share nothing", (t) => {
  const [one, two] = [openDevice(image), openDevice(image)];
  const [a, b] = [one.alloc(4), two.alloc(4)];
  t.is(a.address, b.address);
  one.write(a, Uint8Array.of(9), 1);
  one.write(one.symbol("factor"), Uint32Array.of(8));
  t.deepEqual([...one.read(a, new Uint8Array(4))], [0, 9, 0, 0]);
  t.deepEqual([...two.read(b, new Uint8Array(4))], [0, 0, 0, 0]);
  t.deepEqual([...two.read(two.symbol("factor"), new Uint32Array(1))], [3]);
});

test("mistakes of the caller throw RangeError and say what is wrong", async (t) => {
  const device = openDevice(image, { memoryBytes: 4096 });
  const out = device.alloc(16);
  const wrong: readonly (readonly [work: () => unknown, says: RegExp])[] = [
    [() => device.alloc(-1), /-1/],
    [() => device.alloc(4096), /4096 bytes/],
    [() => device.read(out, new Uint8Array(17)), /17 bytes/],
    [() => device.read(out, new Uint8Array(1), -1), /offset -1/],
    [() => device.write(out, raw, 9), /8 bytes at offset 9/],
    [() => device.free({ ...out, address: (out.address + 4) as typeof out.address }), /not allocated/],
    [() => device.symbol("nosuch"), /nosuch/],
    [() => device.symbol("facto"), /did you mean 'factor'/],
    [() => device.part(out, 8, 9), /9 bytes at offset 8/],
    [() => device.fill(device.part(out, 0, 3), { type: "u16", value: 1 }), /3 bytes/],
    [() => device.fill(out, { type: "u16", value: 70000 }), /70000 does not fit/],
    [() => device.copy(device.part(out, 8), out), /16 bytes at offset 0/],
    [() => device.read(device.part(out, 0, 6), Float32Array), /6 bytes/],
  ];
  for (const [work, message] of wrong) t.throws(work, { instanceOf: RangeError, message });

  const launches: readonly (readonly [launch: Promise<unknown>, says: RegExp])[] = [
    [device.launch("nosuch", { grid: 1, block: 1 }), /nosuch/],
    [device.launch("k", { grid: 0, block: 1, args: [out, u32(1), f64(1), raw] }), /grid: .*, not 0/],
    [device.launch("k", { grid: 1, block: [33, 32], args: [out, u32(1), f64(1), raw] }), /1056 threads/],
    [device.launch("k", { grid: 1, block: [1, 1, 65], args: [out, u32(1), f64(1), raw] }), /1024 x 1024 x 64/],
    [device.launch("k", { grid: [1, 65536], block: 1, args: [out, u32(1), f64(1), raw] }), /65535/],
    [device.launch("k", { grid: 3, block: 1, cluster: 2, args: [out, u32(1), f64(1), raw] }), /clusters of 2 x 1 x 1/],
    [device.launch("K", { grid: 1, block: 1 }), /no kernel 'K'; did you mean 'k'\?/],
    [device.launch("k", { grid: 1.5, block: 1, args: [out, u32(1), f64(1), raw] }), /1\.5/],
    [device.launch("k", { grid: 1, block: 1, sharedBytes: -1, args: [out, u32(1), f64(1), raw] }), /sharedBytes/],
    [run(device, out), /4 parameters.*1 argument is given: k\(\.u64 out, \.u32 n, \.f64 d, \.b8 raw\[8\]\)/],
    [run(device, out, { type: "u64", value: 1 }, f64(1), raw), /parameter 1.*4 bytes.*8/],
    [run(device, out, u32(2 ** 32), f64(1), raw), /4294967296 does not fit \.u32/],
    [run(device, out, u32(1.5), f64(1), raw), /1\.5 does not fit/],
    [run(device, out, { u32: 1, f32: 1 }, f64(1), raw), /one type/],
    [device.launch("k", { grid: [], block: 1, args: [out, u32(1), f64(1), raw] }), /one to three numbers, not 0/],
    [device.launch("k", { grid: 1, block: [1, 1, 1, 1], args: [out, u32(1), f64(1), raw] }), /not 4/],
  ];
  for (const [launch, message] of launches) await t.throwsAsync(launch, { instanceOf: RangeError, message });
});

test("images are part of a device's memory", (t) => {
  const device = openDevice(image, { memoryBytes: 4096 });
  const before = device.memory.allocatedBytes;
  const texels = device.image({ kind: "2d", format: "u16", channels: 2, width: 16, height: 8 });
  t.is(device.memory.allocatedBytes, before + 512);
  t.throws(() => device.alloc(3600 - before), { instanceOf: RangeError });
  device.free(texels);
  t.deepEqual([device.memory.allocatedBytes, device.memory.peakBytes], [before, before + 512]);
});

test("freed memory is not accessible", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  device.free(out);
  t.throws(() => device.read(out, new Uint8Array(1)), { instanceOf: RangeError });
  t.is((await run(device, out, u32(1), f64(1), raw)).fault?.kind, "illegal-address");
});

const limited = loadText(`.version 8.5
.target sm_90
.address_size 64
.visible .entry exact() .reqntid 8, 2 { ret; }
.visible .entry most() .maxntid 64 { ret; }
.visible .entry clustered() .reqnctapercluster 2 { ret; }
`).image;

test("a kernel's launch directives are enforced, and available from the API", async (t) => {
  const device = openDevice(limited);
  t.is((await device.launch("exact", { grid: 1, block: [8, 2] })).fault, undefined);
  await t.throwsAsync(device.launch("exact", { grid: 1, block: 16 }), { instanceOf: RangeError, message: /8 x 2 x 1/ });
  await t.throwsAsync(device.launch("most", { grid: 1, block: 65 }), { instanceOf: RangeError, message: /at most 64/ });
  await t.throwsAsync(device.launch("clustered", { grid: 3, block: 1 }), { message: /clusters of 2 x 1 x 1/ });
  t.like(device.kernel("exact"), { maxThreadsPerBlock: 16, requiredBlockDim: [8, 2, 1], parameters: [] });
  t.like(device.kernel("most"), { maxThreadsPerBlock: 64, requiredBlockDim: undefined });
  t.deepEqual(openDevice(image).kernel("k").parameters, [
    { name: "out", size: 8, offset: 0 },
    { name: "n", size: 4, offset: 8 },
    { name: "d", size: 8, offset: 16 },
    { name: "raw", size: 8, offset: 24 },
  ]);
  t.deepEqual(device.kernels, ["exact", "most", "clustered"]);
});

test("launches that are not awaited run one after the other", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  const first = run(device, out, u32(1), f64(1), raw);
  const second = run(device, out, u32(2), f64(2), raw);
  const event = await device.record();
  t.is(event.launches, 2);
  t.is(device.read(out, Uint32Array)[0], 6);
  const [a, b] = await Promise.all([first, second]);
  t.is(event.warpInstructions, a.warpInstructions + b.warpInstructions);
});

test("a refused launch does not block the next", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  const wrong = run(device, out);
  const right = run(device, out, u32(7), f64(1), raw);
  await t.throwsAsync(wrong);
  await right;
  t.is(device.read(out, Uint32Array)[0], 21);
});

test("a signal aborted before the launch stops it before its first instruction", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  const launch = { grid: 1, block: 1, args: [out, u32(4), f64(0), raw], signal: AbortSignal.abort() };
  const { fault, warpInstructions } = await device.launch("k", launch);
  t.is(fault?.kind, "interrupted");
  t.is(warpInstructions, 0);
  t.is(device.read(out, new Uint32Array(1))[0], 0);
});

test("many short launches let the event loop run", async (t) => {
  const device = openDevice(image);
  const args = [device.alloc(16), u32(4), f64(0), raw];
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  let launches = 0;
  for (; launches < 1000; launches++) {
    const { fault } = await device.launch("k", { grid: 1, block: 1, args, signal: controller.signal });
    if (fault?.kind === "interrupted") break;
  }
  t.true(launches < 1000);
});
