// A cached match and the slow path give the same instructions and the same messages.

import { sample, topFolder } from "../sample.js";
import { mutants } from "./mutants.js";
import { addressUse } from "../../lib/check/address-size.js";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import type { CheckedModule } from "../../lib/check/module.js";
import { MAX_NODES, matchCacheOf } from "../../lib/check/match-cache.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";

interface Outcome {
  readonly module: CheckedModule;
  readonly diagnostics: readonly Diagnostic[];
}

function check(bytes: Uint8Array): Outcome {
  const sink = createSink();
  const module = checkSource({ name: "m.ptx", bytes }, sink);
  return { module, diagnostics: sink.all };
}

/** The match cache for the module's platform. */
const platformOf = (module: CheckedModule) =>
  matchCacheOf({ ...module, addresses: addressUse(module.addressSize === undefined ? 64 : undefined) });

/** The results with an empty cache that may not grow, and with one that an earlier check has filled. */
function bothWays(bytes: Uint8Array): readonly [long: Outcome, short: Outcome] {
  const table = platformOf(check(bytes).module);
  table.bySpelling.clear();
  table.nodesLeft = 0;
  const long = check(bytes);
  table.nodesLeft = MAX_NODES;
  check(bytes);
  return [long, check(bytes)];
}

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const modules = sample(
  readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx")),
  48,
  { kind: topFolder },
);

test("every module of testdata, right or wrong, is the same both ways", (t) => {
  t.true(modules.length > 10);
  for (const name of modules) {
    const [long, short] = bothWays(readFileSync(path.join(testdata, name)));
    t.true(isDeepStrictEqual(long, short), name);
  }
});

test("what is wrong with mutants is said the same way", (t) => {
  for (const { bytes, label } of mutants) {
    const [long, short] = bothWays(bytes);
    t.true(isDeepStrictEqual(long, short), label);
  }
});

/** The number of cache nodes that a module's check made. */
function nodesOf(body: string): number {
  const bytes = Buffer.from(
    `.version 8.5\n.target sm_91\n.entry k() {\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %p<2>;\n${body}\n}`,
  );
  const { module } = check(bytes);
  return MAX_NODES - platformOf(module).nodesLeft;
}

test("an instruction of each kind is cached, but none with a diagnostic or one that depends on a value", (t) => {
  t.is(nodesOf("ret;"), 1);
  const known = nodesOf("add.s32 %r1, %r2, 5;");
  t.is(known, 5);
  t.is(nodesOf("add.s32 %r3, %r3, -7; add.s32 %r3, %r1, 0x7;"), known);
  t.is(nodesOf("add.s32 %d1, %r2, 5; add.s32 %r1, %r2; foo.s32 %r1, %r2;"), known);
  t.is(nodesOf("barrier.red.popc.u32 %r1, 0, 32, %p1;"), known);
  t.is(nodesOf("add.s32 %r1, %r2, %r3;"), known + 1);
  t.is(nodesOf("mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.x;"), known + 4);
  t.is(nodesOf("mov.u32 %r1, %tid.y; mov.u32 %r1, %laneid;"), known + 6);
  t.is(nodesOf("mov.u32 %r1, %tid; mov.u32 %r1, %laneid.x; mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;"), known + 6);
});
