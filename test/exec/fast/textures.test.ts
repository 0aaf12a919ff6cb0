// In a kernel with texture fetches, all other code is still compiled.

import test from "ava";
import { createLaunch } from "../../../lib/exec/launch/launch.js";
import { createInstructionText } from "../../../lib/exec/machine/instruction-text.js";
import { createPrograms } from "../../../lib/exec/program/programs.js";
import { loadText } from "../pipeline.js";

test("a loop around a fetch is compiled, and computes what the interpreter does", async (t) => {
  const run = async (engine: "fast" | "reference") => {
    const process = loadText(`.version 8.0\n.target sm_90\n.address_size 64
.global .texref picture; .global .f32 sums[64];
.visible .entry k() {
  .reg .b64 %at; .reg .b32 %t, %i; .reg .f32 %x, %s, %f<5>; .reg .pred %p;
  mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 4; mov.u64 %at, %at; mov.u32 %i, 0; mov.f32 %s, 0f00000000;
again:
  cvt.rn.f32.u32 %x, %i; mul.f32 %x, %x, 0f3E800000;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%x}];
  fma.rn.f32 %s, %f1, %x, %s;
  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 50; @%p bra again;
  .reg .b64 %base; mov.u64 %base, sums; add.s64 %at, %at, %base; st.global.f32 [%at], %s;
  ret; }`);
    const { images } = process;
    const image = images.createImage({ kind: "1d", format: "f32", channels: 1, width: 8 });
    for (let i = 0; i < 8; i++) image.storage.view.setFloat32(4 * i, i * i, true);
    images.bind("picture", images.createTexture({ kind: "image", image }, { filter: "linear" }));
    const programs = createPrograms(process, { hotAfter: 0 });
    const kernel = process.kernels.get("k")!;
    const shape = { grid: [1, 1, 1], block: [64, 1, 1], sharedBytes: 0, parameters: new Uint8Array() } as const;
    const result = await createLaunch(process, kernel, shape, { programs, engine }).run();
    const { address } = process.variables.find(({ name }) => name === "sums")!;
    const { view, base } = process.memory.find(address, 256)!;
    const sums = Array.from({ length: 64 }, (_, i) => view.getUint32(address - base + 4 * i, true));
    return { result, sums, hasCode: programs.programOf(kernel.function).fast?.hasCode === true };
  };
  const [fast, reference] = [await run("fast"), await run("reference")];
  t.true(fast.hasCode);
  t.false(reference.hasCode);
  t.deepEqual(fast.sums, reference.sums);
  t.deepEqual(fast.result, reference.result);
});

test("a fetch shows the name of its texture", (t) => {
  const process = loadText(`.version 8.0\n.target sm_90\n.address_size 64
.global .f32 other; .global .texref first; .global .texref picture;
.visible .entry k() {
  .reg .f32 %x, %f<5>;
  mov.f32 %x, 0f00000000;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%x}];
  ret; }`);
  const text = createInstructionText(process)(process.kernels.get("k")!.function, 1);
  t.is(text, "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%x}];");
});
