// ptxkit debug as a client sees it: breakpoints, steps with diverged lanes, values, data breakpoints, and stepping
// back.

import test from "ava";
import { startDebugger } from "./client.js";
import { steps } from "./steps.js";

const files = { "steps.ptx": steps };
const launch = { program: "steps.ptx", kernel: "k", grid: 1, block: 64, args: ["f32[64]=0", "u32=16"] };

test("a line breakpoint, diverged lanes, frames, scopes, steps in and out, conditions and log points", async (t) => {
  const d = await startDebugger(t, files, true);
  await d.launch(launch);
  const set = await d.break("steps.ptx", 27, { line: 99 }, { line: 11, condition: "%tid.x ==" });
  t.like(set, [
    { verified: true, line: 28 },
    { verified: false, message: "no code is at or after this line" },
    { verified: false, message: "a value is expected at the end" },
  ]);
  const stop = await d.start();
  t.like(stop, { reason: "breakpoint", threadId: 1, hitBreakpointIds: [set[0]!.id], allThreadsStopped: true });
  t.deepEqual(await d.threads(), [
    "block (0,0,0) warp 0: lanes 0-15 at steps.ptx:28",
    "block (0,0,0) warp 0: lanes 16-31 at steps.ptx:32",
    "block (0,0,0) warp 1: lanes 0-31 at steps.ptx:20",
  ]);
  t.deepEqual(await d.stack(1), ["k (kernel):28"]);
  // Lanes of one warp, one by one and all together.
  t.deepEqual(
    await Promise.all(
      ["%r2", "%r2@7 * 2", "n", "tile[3]", "%p1", "%tid.x@40"].map((each) =>
        d.evaluate(each).catch((e: Error) => e.message),
      ),
    ),
    ["0", "14", "16", "0", "true", "a warp has the lanes 0 to 31, and no 40"],
  );
  const registers = await d.scope(1, "Registers of lane 0");
  t.like(
    registers.find(({ name }) => name === "%r1"),
    { value: "16 (0x10)", type: ".b32", evaluateName: "%r1" },
  );
  const all = await d.scope(1, "Registers of all lanes");
  t.is(all.find(({ name }) => name === "%r2")!.value, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
  t.like(await d.scope(1, "Parameters"), [
    { name: "out", type: ".param .u64" },
    { name: "n", value: "16" },
  ]);
  t.like(await d.scope(1, "Shared memory"), [{ name: "tile", type: ".shared .b32[64]", indexedVariables: 64 }]);

  // The lanes of the other branch have been waiting at the reconvergence point.
  await d.stopAfter(() => d.client.nextRequest({ threadId: 1 }));
  t.is((await d.threads())[0], "block (0,0,0) warp 0: lanes 0-31 at steps.ptx:32");
  await d.stopAfter(() => d.client.nextRequest({ threadId: 1 }));
  await d.stopAfter(() => d.client.stepInRequest({ threadId: 1 }));
  t.deepEqual(await d.stack(1), ["twice:10", "k (kernel):33"]);
  t.is(await d.evaluate("x"), "0");
  t.is(await d.evaluate("lane 20", "repl"), "looking at lane 20");
  t.like(await d.scope(1, "Parameters"), [{ name: "r" }, { name: "x", value: "2000 (0x7d0)" }]);
  await d.stopAfter(() => d.client.stepOutRequest({ threadId: 1 }));
  t.deepEqual(await d.stack(1), ["k (kernel):34"]);

  await d.break(
    "steps.ptx",
    { line: 39, condition: "%r4 > 6000", logMessage: "tid {%tid.x} stores {%r4}" },
    { line: 45, condition: "%tid.x == 40", hitCondition: "1" },
  );
  const last = await d.go();
  t.is(last.reason, "breakpoint");
  t.deepEqual(await Promise.all(["%tid.x", "%f1", "tile[40]", "%laneid"].map((each) => d.evaluate(each))), [
    "40",
    "8000",
    "8000 (0x1f40)",
    "8",
  ]);
  t.is(d.output("console"), "tid 31 stores 6200\ntid 32 stores 6400\n");
  await d.finish(() => d.client.continueRequest({ threadId: 1 }));
  t.regex(d.output("console"), /60: 12000 12200 12400 12600\nk <<<1, 64>>> 51 warp instructions/);
});

test("data and function breakpoints, set values, and stepping back by running again", async (t) => {
  const d = await startDebugger(t, files);
  await d.launch({ ...launch, stopOnEntry: true });
  t.is((await d.start()).reason, "entry");
  const info = (await d.client.dataBreakpointInfoRequest({ name: "tile[5]" })).body;
  t.is(info.description, "tile[5] (4 bytes of shared memory, block 0)");
  t.is((await d.client.dataBreakpointInfoRequest({ name: "%r1" })).body.dataId, null);
  await d.client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.dataId!, accessType: "write" }] });
  const functions = (
    await d.client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "twice" }, { name: "thrice" }] })
  ).body.breakpoints;
  t.like(functions, [
    { verified: true, line: 10 },
    { verified: false, message: "there is no function 'thrice'" },
  ]);
  t.is((await d.go()).reason, "function breakpoint");
  await d.client.setFunctionBreakpointsRequest({ breakpoints: [] });
  // Half of lane 5's argument.
  t.is(await d.evaluate("%r0@5 = 25", "repl"), "25 (0x19)");
  const changed = await d.stopAfter(() => d.client.stepInRequest({ threadId: 1, granularity: "instruction" }));
  t.is(changed.reason, "step");
  const stored = await d.go();
  t.like(stored, {
    reason: "data breakpoint",
    threadId: 1,
    text: "tile[5]: 0 -> 100, by block (0,0,0), thread (5,0,0)",
  });
  t.deepEqual(await d.stack(1), ["k (kernel):40"]);

  const back = await d.stopAfter(() => d.client.stepBackRequest({ threadId: 1 }));
  t.is(back.reason, "step");
  t.deepEqual(
    [await d.stack(1), await d.evaluate("tile[5]"), await d.evaluate("%r4@5")],
    [["k (kernel):39"], "0", "100 (0x64)"],
  );
  await d.break("steps.ptx", 22);
  await d.stopAfter(() => d.client.reverseContinueRequest({ threadId: 1 }));
  t.deepEqual(await d.stack(1), ["k (kernel):22"]);
  await d.break("steps.ptx");

  // Memory as bytes, and code as addresses.
  const tile = (await d.client.evaluateRequest({ expression: "tile", context: "watch" })).body.memoryReference!;
  const data = Buffer.from("2a000000", "hex").toString("base64");
  await d.ask("writeMemory", { memoryReference: tile, offset: 8, data });
  t.like(await d.ask("readMemory", { memoryReference: tile, offset: 8, count: 4 }), { data });
  t.is(await d.evaluate("tile[2]"), "42 (0x2a)");
  const [frame] = (await d.client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  const code = (
    await d.client.disassembleRequest({
      memoryReference: frame!.instructionPointerReference!,
      instructionOffset: -1,
      instructionCount: 2,
    })
  ).body!.instructions;
  t.deepEqual(
    code.map(({ instruction, line }) => `${line}: ${instruction}`),
    ["21: ld.param.u32 %r1, [n];", "22: mov.u32 %r2, %tid.x;"],
  );
  await d.ask("setInstructionBreakpoints", {
    breakpoints: [{ instructionReference: code[1]!.address, offset: 3 }],
  });
  await d.client.setDataBreakpointsRequest({ breakpoints: [] });
  const parted = await d.go();
  t.is(parted.reason, "instruction breakpoint");
  t.deepEqual([await d.stack(parted.threadId!), await d.stack(1)], [["k (kernel):25"], ["k (kernel):28"]]);
  await d.ask("setInstructionBreakpoints", { breakpoints: [] });
  await d.finish(() => d.client.continueRequest({ threadId: 1 }));
});
