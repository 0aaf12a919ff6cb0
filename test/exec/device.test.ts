// The Device: memory in buffers, kernels by name, and a RangeError for every mistake of the caller.

import test from "ava";
import { openDevice, type Device, type DeviceArgument } from "../../lib/exec/device.js";
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
const u32 = (value: number) => ({ type: "u32", value }) as const;
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
  ];
  for (const [work, message] of wrong) t.throws(work, { instanceOf: RangeError, message });

  const launches: readonly (readonly [launch: Promise<unknown>, says: RegExp])[] = [
    [device.launch("nosuch", { grid: 1, block: 1 }), /nosuch/],
    [device.launch("k", { grid: 0, block: 1, args: [out, u32(1), f64(1), raw] }), /grid: 0/],
    [device.launch("k", { grid: 1, block: [33, 32], args: [out, u32(1), f64(1), raw] }), /1056 threads/],
    [device.launch("k", { grid: 1.5, block: 1, args: [out, u32(1), f64(1), raw] }), /1\.5/],
    [device.launch("k", { grid: 1, block: 1, sharedBytes: -1, args: [out, u32(1), f64(1), raw] }), /sharedBytes/],
    [run(device, out), /4 parameters.*1 argument/],
    [run(device, out, { type: "u64", value: 1 }, f64(1), raw), /parameter 1.*4 bytes.*8/],
    [run(device, out, u32(2 ** 32), f64(1), raw), /4294967296 does not fit \.u32/],
    [run(device, out, u32(1.5), f64(1), raw), /1\.5 does not fit/],
  ];
  for (const [launch, message] of launches) await t.throwsAsync(launch, { instanceOf: RangeError, message });
});

test("memory that was freed is gone", async (t) => {
  const device = openDevice(image);
  const out = device.alloc(16);
  device.free(out);
  t.throws(() => device.read(out, new Uint8Array(1)), { instanceOf: RangeError });
  t.is((await run(device, out, u32(1), f64(1), raw)).fault?.kind, "illegal-address");
});
