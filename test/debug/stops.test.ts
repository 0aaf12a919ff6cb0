// Errors and client control in ptxkit debug: faults, findings, source lines, pause, restart, invalid requests.

import test from "ava";
import { startDebugger } from "./client.js";

const header = ".version 8.0\n.target sm_90\n.address_size 64\n";

/** Stores after the end of its buffer; line numbers of k.cu. */
const wild = `${header}
.visible .entry wild(.param .u64 out)
{
	.reg .b32 %r<3>; .reg .b64 %rd<4>;
	.loc 1 3 5
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	.loc 1 4 5
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r1;
	.loc 1 5 1
	ret;
}
	.file 1 "k.cu"
`;
const source = "// a kernel\n__global__ void wild(int *out) {\n    int t = threadIdx.x;\n    out[t] = t;\n}\n";

/** Two threads write one word without a barrier. */
const racy = `${header}
.visible .entry racy()
{
	.reg .b32 %r<3>;
	.shared .b32 word;
	mov.u32 %r1, %tid.x;
	st.shared.u32 [word], %r1;
	ret;
}
`;

/** Does not end. */
const endless = `${header}
.visible .global .u32 go;
.visible .entry endless()
{
	.reg .b32 %r<3>; .reg .pred %p;
again:
	ld.volatile.global.u32 %r1, [go];
	add.u32 %r2, %r2, 1;
	setp.eq.u32 %p, %r1, 0;
	@%p bra again;
	ret;
}
`;

test("a fault stops with the explained text, at its source line", async (t) => {
  const d = await startDebugger(t, { "wild.ptx": wild, "k.cu": source });
  await d.launch({ program: "wild.ptx", kernel: "wild", grid: 1, block: 32, args: ["u32[20]=0"] });
  t.like(await d.break("k.cu", 4), [{ verified: true, line: 4 }]);
  t.is((await d.start()).reason, "breakpoint");
  t.deepEqual(await d.stack(1), ["wild (kernel):4"]);
  const stop = await d.go();
  t.like(stop, { reason: "exception", description: "Fault: illegal-address" });
  const [frame] = (await d.client.stackTraceRequest({ threadId: stop.threadId! })).body.stackFrames;
  t.is(frame!.source!.path, d.file("k.cu"));
  t.is(await d.evaluate("%tid.x"), "20");
  t.is(await d.evaluate("%rd3 - (%rd1 + 4 * 19)"), "4");
  await t.throwsAsync(d.evaluate("*(u32*)%rd3"), { message: /is in no memory/ });
  const info = (await d.client.exceptionInfoRequest({ threadId: stop.threadId! })).body;
  t.is(info.exceptionId, "illegal-address");
  t.regex(
    info.details!.message!,
    /4-byte write at 0x[0-9a-f]+, directly after buffer 'arg0'.*\nnote: instruction st\.global\.u32 \[%rd3\], %r1;/s,
  );
  await d.finish(() => d.client.continueRequest({ threadId: 1 }));

  // Without the filter the kernel runs to its end, and a restart runs it again.
  await d.client.setExceptionBreakpointsRequest({ filters: [] });
  const again = await d.stopAfter(() => d.client.restartRequest({}));
  t.is(again.reason, "breakpoint");
  const exited = d.client.waitForEvent("exited");
  await d.finish(() => d.client.continueRequest({ threadId: 1 }));
  t.deepEqual((await exited).body, { exitCode: 3 });
});

test("a sanitizer finding stops where it occurs", async (t) => {
  const d = await startDebugger(t, { "racy.ptx": racy });
  await d.launch({
    program: ["racy.ptx"],
    launch: { launches: [{ kernel: "racy", grid: [1, 1, 1], block: [64, 1, 1], args: [] }] },
    sanitize: true,
  });
  const stop = await d.start();
  t.like(stop, { reason: "exception", description: "Sanitizer: race" });
  t.regex(stop.text!, /write of 4 bytes of variable 'word'.* races with a write by thread/);
  t.deepEqual(await d.stack(stop.threadId!), ["racy (kernel):10"]);
  t.regex(d.output("stderr"), /racy\.ptx:10:2: error: .*\[race\]/);
  await d.finish(() => d.client.continueRequest({ threadId: 1 }));

  // Only the results.
  await d.launch({ program: "racy.ptx", kernel: "racy", grid: 1, block: 64, sanitize: true, noDebug: true });
  await d.break("racy.ptx", 10);
  await d.finish(() => d.client.configurationDoneRequest());
});

test("pause, a variable set to end a loop, terminate", async (t) => {
  const d = await startDebugger(t, { "endless.ptx": endless });
  await d.launch({ program: "endless.ptx", kernel: "endless", grid: 1, block: 1 });
  await d.client.configurationDoneRequest();
  await t.throwsAsync(d.evaluate("go"), { message: /is running: pause it first/ });
  const stop = await d.stopAfter(() => d.client.pauseRequest({ threadId: 1 }));
  t.is(stop.reason, "pause");
  t.regex(await d.evaluate("%r2"), /^\d+/);
  await d.finish(async () => {
    await d.ask("setExpression", { expression: "go", value: "1" });
    await d.client.continueRequest({ threadId: 1 });
  });
  await d.client.restartRequest({});
  await d.finish(() => d.client.terminateRequest({}));
  await d.client.disconnectRequest({});
});

test("an error in a configuration names the member, one in a program its kind", async (t) => {
  const d = await startDebugger(t, { "bad.ptx": `${header}.visible .entry k() { add.s32 %r1, 1, 2; ret; }\n` });
  // Malformed arguments of requests do not end the session.
  await t.throwsAsync(d.ask("setDataBreakpoints", { breakpoints: [{ dataId: "x" }] }));
  await t.throwsAsync(d.ask("frobnicate", {}), { message: "ptxkit debug has no 'frobnicate'" });
  const refused = async (configuration: object) =>
    t.throwsAsync(d.client.launchRequest(configuration as never)).then((error) => error.message);
  t.regex(await refused({ kernel: "k", grid: 1, block: 1 }), /"program" is missing/);
  t.regex(
    await refused({ program: "bad.ptx", kernal: "k", grid: 1 }),
    /"kernal" is not a member of a launch configuration; did you mean "kernel"\?/,
  );
  t.regex(
    await refused({ program: "bad.ptx", kernel: "k", grid: 1, block: 1, step: "lane" }),
    /"step" is one of thread, warp, block/,
  );
  t.regex(
    await refused({ cwd: d.folder, program: "bad.ptx", kernel: "k", grid: 1, block: 1 }),
    /see the debug console/,
  );
  t.regex(d.output("stderr"), /bad\.ptx:4:31: error: /);
});
