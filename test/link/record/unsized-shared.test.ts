// Shared variables that one module leaves unsized, and modules with warnings.

import test from "ava";
import { readObject } from "../../../lib/object/file/read.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { LinkedImage } from "../../../lib/object/object.js";
import { finishLink, resolveLink } from "../../../lib/link/link.js";
import { type BothOptions, fileOf, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { type LinkOutput, exceedsLimits } from "../../../lib/link/state/results.js";

const { agree, testRecord } = withRecord(import.meta.url);

const lenient = { allowUndefined: () => true };

const use = (kernel: string, ...names: readonly string[]): string =>
  `.visible .entry ${kernel}() { .reg .u32 %r; ${names.map((name) => `ld.shared.u32 %r, [${name}];`).join(" ")} ret; }`;

test("dynamic shared memory of one module is another's variable; an undefined variable has its bytes", (t) => {
  const programs: readonly (readonly string[])[] = [
    [`.extern .shared .u32 x[];\n${use("k", "x")}`, `.visible .shared .u32 x[7];\n${use("k2", "x+8")}`],
    [`.extern .shared .align 16 .b8 x[];\n${use("k", "x")}`, `.weak .shared .f32 x[7];\n${use("k2", "x+8")}`],
    [
      `.extern .shared .align 8 .u32 x[3];\n${use("k", "x")}`,
      `.extern .shared .align 16 .u32 x[3];\n.extern .shared .u32 y[2];\n.visible .shared .u32 z[2];\n` +
        `${use("k2", "x+8", "z")}\n${use("k3", "y+4", "z")}`,
    ],
  ];
  const options: readonly BothOptions[] = [
    {},
    lenient,
    { ...lenient, gcSections: true },
    { relocatable: true },
    { ...lenient, wholeProgram: true },
    { ...lenient, asText: true },
  ];
  for (const bodies of programs)
    for (const order of [bodies, bodies.toReversed()])
      for (const each of options)
        t.true(agree(t, order.map((body, i) => fileOf(moduleText(body, "sm_90"), i)), order.join("\n"), each)); // prettier-ignore
});

test("an undefined variable counts once, though another module declares it as dynamic memory", (t) => {
  const bodies = [
    `.extern .shared .align 16 .u32 x[];\n${use("k", "x")}`,
    `.extern .shared .u32 x[3];\n${use("k2", "x")}`,
  ];
  const linked = finishLink(resolveLink(bodies.map((body, i) => fileOf(moduleText(body), i)), lenient)!, lenient); // prettier-ignore
  t.false(linked === undefined || exceedsLimits(linked));
  const image = readObject(Buffer.concat((linked as LinkOutput).image), "a", createSink()) as LinkedImage;
  t.deepEqual(
    image.kernels.map(({ sharedBytes }) => sharedBytes),
    [12, 12],
  );
});

test("diagnostics of merged PTX: conflicting declarations, targets, names of --defsym", (t) => {
  const bodies = [
    ".visible .global .u32 a[4];\n.visible .func (.param .b32 r) f(.param .b32 x) { ret; }\n.visible .global .u32 B[8];",
    ".extern .global .align 16 .u32 a[4];\n.extern .func (.param .b32 r) f(.param .b64 x);\n.extern .func g();\n.visible .entry k() { call g; ret; }",
    ".extern .global .u32 A;\n.visible .entry k2() { .reg .u64 %r; mov.u64 %r, A; ret; }",
  ];
  const options: readonly BothOptions[] = [
    {},
    { arch: "sm_90" },
    { arch: "sm_75" },
    { leader: 1 },
    { define: [{ name: "A", base: "B", offset: 8n }] },
    { define: [{ name: "A", base: "B", offset: 0n }, { name: "g", base: "f", offset: 0n }] }, // prettier-ignore
  ];
  for (const targets of [["sm_80", "sm_80", "sm_80"], ["sm_80", "sm_90", "sm_75"], ["sm_90a", "sm_80", "sm_90"]]) // prettier-ignore
    for (const each of options)
      t.true(agree(t, bodies.map((body, i) => fileOf(moduleText(body, targets[i]), i)), targets.join(), { ...each, asText: true })); // prettier-ignore
});

testRecord();
