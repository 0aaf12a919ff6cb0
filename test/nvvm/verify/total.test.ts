// Verification ends without an exception, whatever the text: every planted module without each of its tokens (a sample
// has one in 24, some of each module), and oversized types and bodies.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { least, sample } from "../../sample.js";
import { diagnosticsOf, spotOf } from "./support.js";

const folder = new URL("../../../../testdata/nvvm/verify/", import.meta.url);

test("planted modules with a token deleted are refused or valid", (t) => {
  let count = 0;
  for (const name of readdirSync(folder)) {
    if (name.startsWith("type-deep")) continue;
    const tokens = readFileSync(new URL(name, folder), "utf8").match(/\s+|[%@!#]?[\w.$"-]+|./gs)!;
    const some = sample(
      [...tokens.entries()].filter(([, token]) => token.trim() !== ""),
      24,
      { name: ([index]) => `${name} ${index}` },
    );
    for (const [index] of some) {
      const text = tokens.filter((_, i) => i !== index).join("");
      t.notThrows(() => diagnosticsOf(text), text);
      count++;
    }
  }
  t.true(count > least(200), `${count}`);
});

test("a name that only a constant expression of a body has is reported", (t) => {
  const text = "define i64 @f() {\n  ret i64 ptrtoint (i32* @nowhere to i64)\n}\n";
  t.deepEqual(diagnosticsOf(text).map(spotOf), ["nvvm-undefined 2:26"]);
});

test("a 32-bit pointer is valid for shared memory only", (t) => {
  const call = (type: string): string =>
    `define void @f(${type} %p) {\n  call void asm sideeffect "prefetch [$0];", "r"(${type} %p)\n  ret void\n}\n`;
  t.deepEqual(diagnosticsOf(call("ptr addrspace(3)")), []);
  for (const type of ["ptr", "ptr addrspace(1)", "i64"])
    t.deepEqual(
      diagnosticsOf(call(type)).map(({ code }) => code),
      ["nvvm-asm"],
    );
});

test("types that contain themselves in many ways are verified in bounded time", (t) => {
  const loops = Array.from({ length: 300 }, (_, i) => `%t${i} = type { %t${(i + 1) % 300}, %t${(i * 7) % 300} }`);
  const found = diagnosticsOf(
    `${loops.join("\n")}\n@v = external global %t5\ndefine void @f(%t3* byval %p) {\n  ret void\n}\n`,
  );
  t.deepEqual(
    found.map(({ code }) => code),
    ["nvvm-type"],
  );
});

test("chains of structures are valid at any length, and a fault behind a pointer is found once", (t) => {
  const chain = Array.from({ length: 20_000 }, (_, i) => `%t${i} = type { %t${i + 1}*, i32 }`).join("\n");
  const use = "@v = external addrspace(1) global %t0\n";
  t.deepEqual(diagnosticsOf(`${chain}\n%t20000 = type { i32 }\n${use}`), []);
  t.deepEqual(diagnosticsOf(`${chain}\n%t20000 = type { x86_mmx }\n${use}`).map(spotOf), ["nvvm-type 20001:2"]);
});

test("a body of 3,000 mutually reachable blocks is verified in bounded time", (t) => {
  const blocks = Array.from(
    { length: 3000 },
    (_, i) => `b${i}:\n  switch i32 %x, label %b${(i * 31) % 2999} [ i32 1, label %b${(i * 17 + 1) % 3000} ]`,
  );
  const text = `define void @f(i32 %x) {\n  br label %b0\n${blocks.join("\n")}\n}\n`;
  t.deepEqual(diagnosticsOf(text), []);
});

test("an array may have more elements than a call may have arguments", (t) => {
  const elements = Array.from({ length: 150_000 }, (_, i) => `i8 ${i & 127}`).join(", ");
  t.deepEqual(diagnosticsOf(`@table = addrspace(4) constant [150000 x i8] [${elements}]\n`).map(spotOf), [
    "nvvm-limit 1:1",
  ]);
  t.deepEqual(diagnosticsOf(`@table = addrspace(1) constant [150000 x i8] [${elements}]\n`), []);
});

test("bodies are verified in time that does not grow with the module's types", (t) => {
  const parts = Array.from(
    { length: 4000 },
    (_, i) =>
      `%t${i} = type { i32 }\ndefine void @f${i}(%t${i}* %p) {\n  %q = getelementptr %t${i}, %t${i}* %p, i32 0\n  ret void\n}`,
  );
  const start = process.cpuUsage();
  t.deepEqual(diagnosticsOf(parts.join("\n")), []);
  const { user } = process.cpuUsage(start);
  t.true(user < 4e6, `${user / 1e6} s`);
});

test("of many undefined names the first few get a suggestion", (t) => {
  const text = Array.from(
    { length: 60 },
    (_, i) => `declare void @known${i}()\ndefine void @f${i}() {\n  call void @knowm${i}()\n  ret void\n}`,
  );
  const found = diagnosticsOf(text.join("\n")).filter(({ code }) => code === "nvvm-undefined");
  t.is(found.length, 60);
  const suggested = found.filter(({ meant }) => meant !== undefined).length;
  t.true(suggested > 0 && suggested <= 20, `${suggested}`);
});
