// Kernels that launch kernels: order, errors, faults, limits, host threads. testdata/programs/nested-* has programs
// compiled by nvcc.

import test from "ava";
import type { Device, DeviceLaunch } from "../../lib/exec/device/interface.js";
import { linkSources } from "../../lib/link/link-sources.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { Fault } from "../../lib/exec/state/result.js";

const functions = `
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
.extern .func (.param .b32 r) __cudaCDP2GetLastError();
.extern .func (.param .b32 r) __cudaCDP2MemsetAsync(.param .b64 p, .param .b32 v, .param .b64 n, .param .b64 s);
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
`;

/** Launches a kernel with one 32-bit parameter from PTX, as nvcc does it; %error gets the error. */
const launch = (
  kernel: string,
  value: string,
  { grid = "1", block = "1", stream = "0", shared = "0" }: Readonly<Record<string, string>> = {},
): string => `{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 r; .reg .b64 %buffer, %f;
  mov.u64 %f, ${kernel}; st.param.b64 [f], %f; st.param.b32 [g], ${grid}; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
  st.param.b32 [b], ${block}; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], ${shared};
  call.uni (r), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %buffer, [r]; st.u32 [%buffer], ${value};
  { .param .b64 p; .param .b64 t; .param .b32 e; st.param.b64 [p], %buffer; st.param.b64 [t], ${stream};
    call.uni (e), __cudaCDP2LaunchDeviceV2, (p, t); ld.param.b32 %error, [e]; } }`;

/** A module with a log of words, and a kernel that appends its parameter. */
const module = (body: string): string => `.version 8.0
.target sm_90
.address_size 64
${functions}
.visible .global .u32 count; .visible .global .u32 log[64]; .global .align 1 .b8 text[4] = {37, 117, 32, 0};
.func put(.param .b32 v) { .reg .b32 %v, %at; .reg .b64 %to, %a; .reg .pred %p;
  ld.param.b32 %v, [v]; atom.global.add.u32 %at, [count], 1; setp.ge.u32 %p, %at, 64; @%p ret;
  mul.wide.u32 %to, %at, 4; mov.u64 %a, log; add.u64 %to, %to, %a; st.global.u32 [%to], %v; ret; }
.visible .entry note(.param .u32 v) { .reg .b32 %v; .reg .b64 %f, %a; .local .align 8 .b32 args[2];
  ld.param.u32 %v, [v]; { .param .b32 x; st.param.b32 [x], %v; call.uni put, (x); }
  st.local.u32 [args], %v; mov.u64 %f, text; cvta.global.u64 %f, %f; mov.u64 %a, args; cvta.local.u64 %a, %a;
  { .param .b64 p0; .param .b64 p1; .param .b32 r; st.param.b64 [p0], %f; st.param.b64 [p1], %a; call.uni (r), vprintf, (p0, p1); }
  ret; }
${body}`;

const kernel = (name: string, body: string): string =>
  `.visible .entry ${name}(.param .u32 v) { .reg .b32 %v, %w, %error; .reg .b64 %g; .reg .pred %p; ld.param.u32 %v, [v]; ${body} ret; }`;

const put = (value: string): string => `{ .param .b32 x; st.param.b32 [x], ${value}; call.uni put, (x); }`;

async function run(
  body: string,
  shape: Partial<DeviceLaunch> & { readonly threads?: number } = {},
): Promise<{
  readonly log: readonly number[];
  readonly printf: string;
  readonly fault: Fault | undefined;
  readonly nested: number | undefined;
}> {
  const { threads = 1, ...rest } = shape;
  const device: Device = openDevice(linkSources({ "m.ptx": module(body) }), { threads });
  try {
    const result = await device.launch("start", { grid: 1, block: 1, args: [{ u32: 7 }], ...rest });
    const [count] = device.read(device.symbol("count"), Uint32Array);
    const log = [...device.read(device.symbol("log"), Uint32Array)].slice(0, count);
    return { log, printf: result.printf, fault: result.fault, nested: result.nestedLaunches };
  } finally {
    await device.close();
  }
}

test("child grids run after the parent, and its tail launches after all grids that these launch", async (t) => {
  const body = `${kernel("middle", `${launch("note", "11")} ${launch("note", "12", { stream: "3" })} ${put("10")}`)}
    ${kernel("start", `${launch("note", "30", { stream: "3" })} ${launch("middle", "0")} ${launch("note", "20", { stream: "4" })} ${put("%v")}`)}`;
  for (const engine of ["reference", "fast"] as const)
    t.deepEqual(await run(body, { engine }), {
      log: [7, 10, 11, 12, 20, 30],
      printf: "11 12 20 30 ",
      fault: undefined,
      nested: 5,
    });
});

test("children of several blocks run in the order of blocks, on any number of threads", async (t) => {
  const spin = "mov.u32 %w, 0; again: add.u32 %w, %w, 1; setp.lt.u32 %p, %w, 30000; @%p bra again;";
  const body = kernel("start", `${spin} mov.u32 %v, %ctaid.x; ${launch("note", "%v")}`);
  for (const threads of [1, 2]) {
    const { log, nested } = await run(body, { grid: 40, threads, engine: "reference" });
    t.deepEqual(log, [...Array(40).keys()]);
    t.is(nested, 40);
  }
});

test("the older forms of launches", async (t) => {
  const body = kernel(
    "start",
    `{ .param .b64 a; .param .b64 n; .param .b64 r; st.param.b64 [a], 4; st.param.b64 [n], 4; call.uni (r), cudaGetParameterBuffer, (a, n);
       ld.param.b64 %g, [r]; } st.u32 [%g], 99;
     { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 t; .param .b32 r; .reg .b64 %f;
       mov.u64 %f, note; st.param.b64 [f], %f; st.param.b64 [p], %g; st.param.b32 [g], 2; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
       st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0; st.param.b64 [t], 0;
       call.uni (r), cudaLaunchDevice, (f, p, g, b, s, t); ld.param.b32 %error, [r]; } ${put("%error")}`,
  );
  t.deepEqual((await run(body)).log, [0, 99, 99]);
});

test("an impossible launch returns an error to its thread, once", async (t) => {
  const error = `{ .param .b32 r; call.uni (r), __cudaCDP2GetLastError; ld.param.b32 %error, [r]; } ${put("%error")}`;
  const body = kernel(
    "start",
    [
      `${launch("note", "1", { block: "2000" })} ${put("%error")} ${error} ${error}`,
      `${launch("note", "1", { grid: "0" })} ${put("%error")}`,
      `${launch("note", "1", { stream: "77" })} ${put("%error")}`,
      `${launch("note", "1", { shared: "0x7fffffff" })} ${put("%error")} ${error} ${error}`,
    ].join("\n"),
  );
  t.deepEqual(await run(body), { log: [9, 9, 0, 9, 400, 9, 9, 0], printf: "", fault: undefined, nested: undefined });
});

test("a fault in a child ends the whole launch, and names the launching kernel", async (t) => {
  const body = `${kernel("bad", "mov.u64 %g, 0; st.global.u32 [%g], 1;")} ${kernel("start", `${launch("bad", "1")} ${launch("note", "5")}`)}`;
  const { log, fault } = await run(body, { grid: 2 });
  t.deepEqual(log, []);
  t.like(fault, { kind: "illegal-address", kernel: "bad" });
  t.deepEqual(fault!.details, ["launched by block (0, 0, 0) of start"]);
});

test("fills and copies run in the order of launches, and fault outside of memory", async (t) => {
  const fill = (
    address: string,
    value: number,
  ): string => `{ .param .b64 p; .param .b32 v; .param .b64 n; .param .b64 s; .param .b32 r; .reg .b64 %at;
    ${address} st.param.b64 [p], %at; st.param.b32 [v], ${value}; st.param.b64 [n], 4; st.param.b64 [s], 0;
    call.uni (r), __cudaCDP2MemsetAsync, (p, v, n, s); }`;
  const counter = "mov.u64 %at, count; cvta.global.u64 %at, %at;";
  const good = kernel("start", `${put("1")} ${launch("note", "2")} ${fill(counter, 0)} ${launch("note", "3")}`);
  t.deepEqual((await run(good)).log, [3]);
  const { fault } = await run(kernel("start", fill("mov.u64 %at, 64;", 1)));
  t.like(fault, { kind: "illegal-address", kernel: "start", address: 64 });
  t.regex(fault!.message, /cudaMemsetAsync of 4 bytes at 0x40/);
});

test("a kernel that launches itself endlessly ends with the limit", async (t) => {
  const body = kernel("start", `add.u32 %v, %v, 1; ${launch("start", "%v", { stream: "3" })}`);
  const { fault } = await run(body, { maxInstructions: 5000 });
  t.is(fault?.kind, "instruction-limit");
});
