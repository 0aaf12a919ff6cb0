// Positions of lines and labels from the encoder equal those that a decoder finds in its bytes.

import test from "ava";
import { checkModule } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { placedFunctions } from "../../lib/object/dwarf/debug-places.js";
import { createFunctionEncoder } from "../../lib/object/code/encode.js";
import { parseModule } from "../../lib/ptx/parse.js";

const bytes = Buffer.from(`.version 8.5
.target sm_80
.address_size 64
.visible .global .u32 there;
.visible .entry k(.param .u64 p)
{
  .reg .u64 %p; .reg .u32 %r<4>; .reg .pred %q;
first:
  ld.param.u64 %p, [p];
  .loc 1 7 3
again:
  ld.global.u32 %r1, [there];
  add.u32 %r1, %r1, 700000;
  .loc 1 9 1, function_name $inlined + 2, inlined_at 1 7 3
  setp.lt.u32 %q, %r1, 5;
  @%q bra again;
  .loc 2 3 0
  ret;
last:
}
.visible .func plain() { here: ret; }
.file 1 "a.cu"
.file 2 "b.cu"
.section .debug_str { $inlined: .b8 65, 66, 67, 0 }
`);

test("locations computed by the encoder equal the decoder's", (t) => {
  const sink = createSink();
  const module = checkModule(parseModule({ name: "a.ptx", bytes }, sink), sink);
  t.is(sink.errorCount, 0);
  const encode = createFunctionEncoder({});
  const encoded = module.symbols.flatMap((symbol) => {
    if (symbol.kind !== "function" || symbol.code === undefined) return [];
    return [{ name: symbol.name, ...encode(symbol.code, () => "global") }];
  });
  const [kernel, plain] = encoded;
  t.deepEqual(
    [...kernel!.places!.rows].filter((_, i) => i % 2 === 0),
    [0, 1, 2],
  );
  t.is(plain!.places, undefined, "of functions without lines nothing is kept");
  for (const { name, bytes: code, places } of encoded) {
    const [decoded] = placedFunctions([{ name, bytes: code }]);
    if (places !== undefined) t.deepEqual({ name, ...places }, decoded);
    else
      t.deepEqual(
        decoded!.labels.map(({ name: label }) => label),
        ["here"],
      );
  }
});
