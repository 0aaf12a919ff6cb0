// Images on several host threads: all blocks write to one image through surfaces, and textures are found by handle and
// by name.

import test from "ava";
import { createCrewWith } from "./crew.js";

test("blocks on three threads write one image and read one texture", async (t) => {
  const crew = await createCrewWith(
    `.global .surfref canvas; .global .texref picture;
.visible .entry paint(.param .u64 canvas2) {
  .reg .b32 %x, %y, %r<5>; .reg .b64 %s; .reg .b32 %bytes;
  ld.param.u64 %s, [canvas2]; mov.u32 %x, %tid.x; mov.u32 %y, %ctaid.x; shl.b32 %bytes, %x, 2;
  tex.2d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [picture, {%x, %y}];
  add.u32 %r1, %r1, 1;
  sust.b.2d.b32.trap [canvas, {%bytes, %y}], %r1;
  sured.b.add.2d.u32.trap [%s, {0, 0}], 1;
  ret; }`,
    3,
    (process) => {
      const description = { kind: "2d", format: "u32", channels: 1, width: 32, height: 600 } as const;
      const [picture, canvas, counts] = [1, 2, 3].map(() => process.images.createImage(description));
      const words = new Uint32Array(picture!.storage.bytes.buffer, picture!.storage.bytes.byteOffset, 32 * 600);
      words.forEach((_, i) => (words[i] = i));
      process.images.bind("picture", process.images.createTexture({ kind: "image", image: picture! }, {}));
      process.images.bind("canvas", process.images.createSurface(canvas!, 0));
      return { canvas: canvas!, counts: counts!, handle: process.images.createSurface(counts!, 0) };
    },
  );
  const { canvas, counts, handle } = crew.made;
  const parameters = new Uint8Array(BigUint64Array.of(BigInt(handle)).buffer);
  const result = await crew.launch("paint", { grid: [600, 1, 1], parameters });
  t.is(result.fault, undefined);
  const { view } = canvas.storage;
  for (let i = 0; i < 32 * 600; i += 97) t.is(view.getUint32(4 * i, true), i + 1);
  t.is(counts.storage.view.getUint32(0, true), 32 * 600);
  t.true(crew.replies.every((reply) => reply !== "late" && "part" in reply));
  await crew.close();
});
