// C++ variables by name in a kernel compiled by nvcc -G (testdata/debug): in registers, local, shared, global and
// constant memory.

import { readFileSync } from "node:fs";
import test from "ava";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { startDebugger, type Debugging } from "./client.js";

const read = (name: string): string =>
  readFileSync(new URL(`../../../testdata/debug/${name}`, import.meta.url), "utf8");
const files = { "variables.ptx": read("variables.ptx"), "variables.cu": read("variables.cu") };

/** Points (2n, 2n + 1); `first` is (1, 2), `range` from 0 to 4. */
const launch = {
  program: "variables.ptx",
  launch: {
    buffers: { points: { type: "f32", length: 64, fill: "iota" } },
    launches: [
      {
        kernel: "shapes",
        grid: [1, 1, 1],
        block: [32, 1, 1],
        args: [
          { buffer: "points" },
          { s32: 16 },
          { bytes: "0000803f00000040" },
          { bytes: "00000000000000000000000000001040" },
        ],
      },
    ],
    outputs: ["points"],
  },
};

/** "name: type = value", and the first four members of those that are expanded by name. */
async function listed(d: Debugging, variables: readonly DebugProtocol.Variable[], ...open: readonly string[]) {
  const lines: string[] = [];
  for (const { name, type, value, variablesReference } of variables) {
    lines.push(`${name}: ${type} = ${value}`);
    if (!open.includes(name)) continue;
    const { body } = await d.client.variablesRequest({ variablesReference, start: 0, count: 4 });
    lines.push(...body.variables.map((each) => `  ${each.name}: ${each.type} = ${each.value}`));
  }
  return lines;
}

/** Each expression with its value or the message of its error. */
async function evaluated(d: Debugging, ...expressions: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const entries: [string, string][] = [];
  for (const each of expressions) entries.push([each, await d.evaluate(each).catch((e: Error) => e.message)]);
  return Object.fromEntries(entries);
}

test("variables of a -G kernel, their blocks, members, elements, and what pointers point to", async (t) => {
  const d = await startDebugger(t, files);
  await d.launch(launch);
  await d.break("variables.cu", { line: 49, condition: "letter == 'd'" });
  t.is((await d.start()).reason, "breakpoint");
  t.deepEqual(await d.stack(1), ["shapes (kernel):49"]);
  const item =
    "{Shape = {kind = Big (7), tags = {3, 4, 7}}, at = {x = 1, y = 2}, next = 0x800200000018 (local), flag = 5, rest = 17, bits = {value = 1.5, bits = 1069547520}}";
  const scope = await d.scope(1, "Variables");
  t.deepEqual(await listed(d, scope, "item", "tile", "point", "shared"), [
    "t: float = 12",
    `item: Item = ${item}`,
    "  Shape: Shape = {kind = Big (7), tags = {3, 4, 7}}",
    "  at: Point = {x = 1, y = 2}",
    "  next: Item * = 0x800200000018 (local)",
    "  flag: unsigned int = 5",
    "t (line 30): int = 3",
    "isLow: bool = true",
    "letter: unsigned char = 100 'd'",
    "middle: double = 2",
    "sign: Sign = Sign::Minus (-1)",
    "point: Point & = {x = 6, y = 7}",
    "  x: float = 6",
    "  y: float = 7",
    "shared: Point * = 0x800100000418 (shared)",
    "  x: float = 6",
    "  y: float = 7",
    "tile: Point[32] = {{x = 0, y = 1}, {x = 2, y = 3}, {x = 4, y = 5}, {x = 6, y = 7}, {x = 8, y = 9}, {x = 10, y = 11}, {x = 12, y = 13}, {x = 14, y = 15}, …}",
    "  [0]: Point = {x = 0, y = 1}",
    "  [1]: Point = {x = 2, y = 3}",
    "  [2]: Point = {x = 4, y = 5}",
    "  [3]: Point = {x = 6, y = 7}",
    "points: Point * = 0x1000010100 (global)",
    "n: int = 16",
    "first: Point = {x = 1, y = 2}",
    "range: Range<double> = {low = 0, high = 4}",
  ]);
  t.deepEqual(await listed(d, await d.scope(1, "Global variables")), [
    "counter: int = 5",
    "table: float[2][3] = {{1, 2, 3}, {4, 5, 6}}",
    "world::origin: Point = {x = 0.5, y = -0.5}",
  ]);
  const values = {
    t: "12",
    "item.kind": "Big (7)",
    "item.next->at.y": "2",
    "item.tags[2] * 2": "14",
    "item.rest": "17",
    "points[5].x": "10",
    "(*shared).y": "7",
    "shared[-1]": "{x = 4, y = 5}",
    "*(points + 1)": "{x = 2, y = 3}",
    "&tile[3] == shared": "true",
    "&item.tags": "0x80020000001c (local)",
    "range.high * 2": "8",
    "(f32*)tile": "{0, 1, 2, 3, 4, 5, 6, 7, …}",
    "table[1][2]": "6",
    "world::origin.y": "-0.5",
    "origin.x": "0.5",
    "letter@4": "101 'e'",
    "sign@20": "Sign::Plus (1)",
    "item.tags[3]": "item.tags ends before [3]",
    "item.nothing": "Item has no 'nothing'",
    "item + 1": "item is not a number",
    "t.x": "'.x' takes a structure",
    "item.%r1": "the name of a member is expected before '%r1'",
    i: "there is no variable, parameter or buffer 'i'",
  };
  t.deepEqual(await evaluated(d, ...Object.keys(values)), values);
});

test("variables of a -G kernel in loops, members and calls can be set and watched", async (t) => {
  const d = await startDebugger(t, files);
  await d.launch(launch);
  // A loop's variable moves from one register to another, and blocks end.
  await d.break("variables.cu", { line: 37, condition: "i == 2" }, { line: 48, condition: "%tid.x == 1" });
  await d.break("variables.ptx", { line: 204, condition: "i == 2 && n == 16" });
  t.is((await d.start()).text, "the condition cannot be evaluated: i is optimised out");
  t.true((await listed(d, await d.scope(1, "Variables"))).includes("i: int = optimised out"));
  await d.go();
  t.deepEqual(await evaluated(d, "i", "square", "item.tags[1]"), { i: "2", square: "4", "item.tags[1]": "1" });
  await d.go();
  t.deepEqual(
    await evaluated(d, "item.kind = 0", "item.kind", "letter = 65", "item.bits.value = 3", "item.bits.bits"),
    {
      "item.kind = 0": "Small (0)",
      "item.kind": "Small (0)",
      "letter = 65": "65 'A'",
      "item.bits.value = 3": "3",
      "item.bits.bits": "1077936128",
    },
  );
  t.deepEqual(await evaluated(d, "item.flag = 1", "first = 1"), {
    "item.flag = 1": "this cannot be set: registers and single values in memory can",
    "first = 1": "this cannot be set: registers and single values in memory can",
  });
  const [frame] = (await d.client.stackTraceRequest({ threadId: 1 })).body.stackFrames;
  const { scopes } = (await d.client.scopesRequest({ frameId: frame!.id })).body;
  const { variablesReference } = scopes.find(({ name }) => name === "Variables")!;
  const set = async (name: string, value: string) =>
    (await d.client.setVariableRequest({ variablesReference, name, value })).body;
  t.like(await set("sign", "Plus"), { value: "Sign::Plus (1)", type: "Sign" });
  t.like(await set("isLow", "false"), { value: "false", type: "bool" });
  await t.throwsAsync(set("sign", "Both"), { message: "'Both' is not a value of Sign" });

  // In a member function, members of the object are visible by name.
  await d.break("variables.cu");
  await d.stopAfter(() => d.client.stepInRequest({ threadId: 1 }));
  t.deepEqual(await d.stack(1), ["Item::sum(float):14", "shapes (kernel):48"]);
  for (let i = 0; i < 4; i++)
    await d.stopAfter(() => d.client.stepInRequest({ threadId: 1, granularity: "instruction" }));
  t.deepEqual(await evaluated(d, "scale", "at.x + at.y", "this->kind", "flag"), {
    scale: "2",
    "at.x + at.y": "3",
    "this->kind": "Small (0)",
    flag: "5",
  });

  // Each call of a recursion has variables of its own.
  await d.break("variables.cu", { line: 24, condition: "n == 2" });
  await d.go();
  t.deepEqual(await listed(d, await d.scope(1, "Variables")), ["part: long long = 1", "n: int = 2"]);
  const { stackFrames } = (await d.client.stackTraceRequest({ threadId: 1 })).body;
  const inFrames = stackFrames.slice(1, 4).map(async ({ id }) => {
    const { result } = (await d.client.evaluateRequest({ expression: "n", frameId: id, context: "watch" })).body;
    return result;
  });
  t.deepEqual(await Promise.all(inFrames), ["3", "4", "16"]);
  const { dataId } = (await d.client.dataBreakpointInfoRequest({ name: "counter" })).body;
  t.regex((await d.client.dataBreakpointInfoRequest({ name: "n" })).body.description, /registers are not watched/);
  await d.client.setDataBreakpointsRequest({ breakpoints: [{ dataId: dataId!, accessType: "write" }] });
  await d.break("variables.cu");
  t.regex((await d.go()).text!, /^counter: 5 -> /);
});
