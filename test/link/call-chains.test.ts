// --print-call-graph: calls, the deepest chain from each kernel, and cycles.

import test from "ava";
import { rounds } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import { findCallGraph } from "../../lib/link/reports/call-chains.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import type { Linked } from "../../lib/link/model/linked.js";
import { ptxkit } from "../cli/surroundings.js";
import { moduleText, objectOf } from "./build.js";

function callGraphOf(...bodies: readonly string[]) {
  const objects = bodies.map((body, i) => objectOf(`m${i}.ptx`, moduleText(body)));
  const sink = createSink();
  let linked: Linked | undefined;
  linkObjects(objects, { onLinked: (all) => (linked = all) }, sink);
  const { functions, kernels, circles } = findCallGraph(linked!);
  return { functions: [...functions], kernels: [...kernels], circles };
}

const frame = (bytes: number): string => `.local .b8 own[${bytes}];`;

test("a chain adds up the frames of its functions, and the deepest one counts", (t) => {
  const { functions, kernels, circles } = callGraphOf(
    `.extern .func f(); .extern .func g();
     .visible .entry k() { ${frame(1)} call f; call g; ret; }`,
    `.func low() { ${frame(100)} ret; }
     .visible .func f() { ${frame(10)} ret; }
     .visible .func g() { ${frame(2)} call low; ret; }`,
  );
  t.deepEqual(
    functions.map(({ name, kind, file, frame: own, calls }) => ({ name, kind, file, own, calls })),
    [
      ["k", "kernel", "m0.ptx", 1, ["f", "g"]] as const,
      ["low", "function", "m1.ptx", 100, []] as const,
      ["f", "function", "m1.ptx", 10, []] as const,
      ["g", "function", "m1.ptx", 2, ["low"]] as const,
    ].map(([name, kind, file, own, calls]) => {
      return { name, kind, file, own, calls: calls.map((callee) => ({ name: callee, how: "direct" as const })) };
    }),
  );
  t.like(kernels[0], { name: "k", deepest: 103 });
  t.deepEqual(kernels[0]!.chain, ["k", "g", "low"]);
  t.deepEqual(circles, []);
});

test("an indirect call reaches functions of its prototype whose address is taken", (t) => {
  const { functions, kernels } = callGraphOf(
    `.visible .func one(.param .u32 x) { ${frame(8)} ret; }
     .visible .func two(.param .u32 x) { ${frame(16)} ret; }
     .visible .func other(.param .u64 x) { ${frame(32)} ret; }
     .visible .func unused(.param .u32 x) { ${frame(64)} ret; }
     .visible .global .u64 table[3] = {one, two, other};
     .visible .entry k() {
       .reg .u64 %f; .param .u32 x;
       ld.global.u64 %f, [table]; st.param.u32 [x], 1;
       p: .callprototype _ (.param .u32 x);
       call %f, (x), p; ret;
     }`,
  );
  t.deepEqual(functions.find(({ name }) => name === "k")!.calls, [
    { name: "one", how: "indirect" },
    { name: "two", how: "indirect" },
  ]);
  t.deepEqual(kernels[0]!.chain, ["k", "two"]);
  t.is(kernels[0]!.deepest, 4 + 16);
});

test("cycles are reported as such, once, and the depth of what leads into them is unknown", (t) => {
  const { kernels, circles } = callGraphOf(
    `.visible .func a(); .visible .func b(); .visible .func c();
     .visible .func a() { call b; ret; }
     .visible .func b() { call c; call a; ret; }
     .visible .func c() { call a; ret; }
     .visible .func self() { call self; ret; }
     .visible .entry k() { call a; ret; }
     .visible .entry j() { call self; ret; }
     .visible .entry free() { ret; }`,
  );
  t.deepEqual([...circles].sort(), [
    ["a", "b", "a"],
    ["self", "self"],
  ]);
  t.deepEqual(
    kernels.map(({ name, deepest }) => [name, deepest]),
    [
      ["k", undefined],
      ["j", undefined],
      ["free", 0],
    ],
  );
});

test("a long chain is followed to its end", (t) => {
  const count = rounds(20_000, 4);
  const functions = Array.from({ length: count }, (_, i) =>
    i === 0 ? ".func f0() { ret; }" : `.func f${i}() { call f${i - 1}; ret; }`,
  );
  const { kernels } = callGraphOf(`${functions.join("\n")}\n.visible .entry k() { call f${count - 1}; ret; }`);
  t.is(kernels[0]!.chain.length, count + 1);
  t.is(kernels[0]!.deepest, 0);
});

test("the program prints it, and reports that an object has none", async (t) => {
  const files = { "a.ptx": moduleText(".func f() { ret; }\n.visible .entry k() { call f; ret; }") };
  const { status, out } = await ptxkit(["link", "a.ptx", "-o", "out", "--print-call-graph"], { files });
  t.is(status, 0);
  t.regex(out, /^ +0 +kernel +a\.ptx:5 +k +f$/m);
  t.regex(out, /^ +0 +k +k > f$/m);
  const json = await ptxkit(["link", "a.ptx", "-o", "out", "--print-call-graph", "--json"], { files });
  t.deepEqual(Object.keys(JSON.parse(json.out) as object), ["callGraph"]);
  t.is((await ptxkit(["link", "-r", "a.ptx", "-o", "out", "--print-call-graph"], { files })).status, 2);
});
