// Our own objects and images, made from PTX text.

import { checkModule } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import type { RelocObject } from "../../lib/object/object.js";
import { writeObject } from "../../lib/object/file/write.js";
import { parseModule } from "../../lib/ptx/parse.js";

export const SOURCE = `.version 8.5
.target sm_80
.address_size 64
.visible .global .align 16 .f32 weights[4] = {1.0, 2.0, 3.0, 4.0};
.global .u64 link = weights;
.visible .const .u32 limit = 7;
.common .global .u32 pooled;
.extern .global .u32 elsewhere;
.shared .align 8 .b8 tile[64];
.extern .func (.param .b32 r) helper(.param .b32 x);
.visible .entry scale(.param .u64 .ptr .global .align 16 x, .param .f32 f[2], .param .u32 n)
.maxntid 128
.maxnreg 32
{
  .reg .b64 %d<2>;
  .reg .b32 %r<3>;
  ld.param.u64 %d1, [x];
  ld.param.u32 %r1, [n];
  st.shared.u32 [tile], %r1;
  .param .b32 a, b;
  st.param.b32 [a], %r1;
  call (b), helper, (a);
  ld.param.b32 %r2, [b];
  st.global.u32 [%d1], %r2;
  ret;
}
`;

const HELPER = `.version 8.5
.target sm_80
.address_size 64
.visible .global .u32 elsewhere;
.visible .func (.param .b32 r) helper(.param .b32 x)
{
  .reg .b32 %r1;
  ld.param.b32 %r1, [x];
  st.param.b32 [r], %r1;
  ret;
}
`;

export function compile(name: string, text: string): RelocObject {
  const sink = createSink();
  const object = assemble(checkModule(parseModule({ name, bytes: Buffer.from(text) }, sink), sink));
  if (sink.errorCount > 0) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  return object;
}

/** The bytes of an object of one module. */
export const assembled = (): Uint8Array => writeObject(compile("scale.ptx", SOURCE));

/** The bytes of an image of two modules. */
export function linked(): Uint8Array {
  const sink = createSink();
  const image = linkObjects([compile("scale.ptx", SOURCE), compile("helper.ptx", HELPER)], {}, sink);
  if (image === undefined || sink.errorCount > 0) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  return writeObject(image);
}
