// Shared memory of functions that a kernel reaches only through registers; the sizes are nvlink 13.0's.

import test from "ava";
import { linkAll, moduleText, objectOf } from "./build.js";

const call = "P: .callprototype PROTOTYPE; call ARGUMENTS %a, (), P;";
const throughRegister = (prototype: string, result = ""): string =>
  call.replace("PROTOTYPE", prototype).replace("ARGUMENTS", result);

const own = ".shared .b8 s[8]; .reg .b16 %h; mov.u16 %h, 1; st.volatile.shared.u8 [s], %h;";

test("an indirect call reaches shared memory of its callee's indirect calls, too", (t) => {
  const body = [
    `.visible .func last() { ${own} ret; }`,
    `.visible .func (.param .b32 r) middle() { .reg .b64 %a; mov.u64 %a, last; ${throughRegister("_ ()")} ret; }`,
    `.visible .entry k() { .reg .b64 %a; mov.u64 %a, middle; { .param .b32 r; ${throughRegister("(.param .b32 _) _ ()", "(r),")} } ret; }`,
  ].join("\n");
  const { image } = linkAll([objectOf("m.ptx", moduleText(body))]);
  t.deepEqual(
    image?.kernels.map(({ sharedBytes }) => sharedBytes),
    [8],
  );
});
