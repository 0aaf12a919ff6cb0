// A fault in code that was inlined names the calls that it was inlined at (nvcc -lineinfo).

import test from "ava";
import { inlinedInto } from "../../lib/isa/inlined.js";
import { runBody } from "./kernel.js";

test("a fault in inlined code lists its call sites, innermost first", async (t) => {
  const body = `
    .loc 1 7 3
    .loc 1 3 3, function_name outer, inlined_at 1 7 3
    .loc 2 1 71, function_name inner, inlined_at 1 3 3
    mov.u64 %at, 0; ld.global.u32 %t, [%at];
    .loc 1 8 1`;
  const { result } = await runBody(body, {
    before: '.file 1 "a.cu"\n.file 2 "a.h"\n.section .debug_str {\nouter: .b8 111, 0\ninner: .b8 105, 0\n}',
  });
  t.like(result.fault, { kind: "illegal-address", file: "a.h", line: 1 });
  t.deepEqual(result.fault?.details, ["inlined at a.cu:3", "inlined at a.cu:7"]);
});

test("a call site is found at the nearest enclosing place that has the position", (t) => {
  const at = (line: number, call?: number) => ({
    ...{ file: 1, line, column: 0 },
    ...(call === undefined ? {} : { inlinedAt: { file: 1, line: call, column: 0 } }),
  });
  t.deepEqual([...inlinedInto([at(4), at(3, 4), at(2, 3), at(4, 2), at(1, 4), at(5, 9), at(6, 6)])], [-1, 0, 1, 2, 3, -1, -1]); // prettier-ignore
});
