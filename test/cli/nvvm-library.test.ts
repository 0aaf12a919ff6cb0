// A device library among the inputs, such as libdevice, is recognised by its triple. Only what is needed is compiled.

import test from "ava";
import { linkSources } from "../../lib/link/link-sources.js";
import { ptxkit } from "./surroundings.js";

const library = `target triple = "nvptx64-nvidia-gpulibs"
@table = internal addrspace(1) constant [2 x i32] [i32 3, i32 4]
@flag = private constant [11 x i8] c"__CUDA_FTZ\\00"
declare i32 @__nvvm_reflect(i8*)
define i32 @__nv_twice(i32 %x) {
  %y = call i32 @__nv_inner(i32 %x)
  %r = add i32 %y, %x
  ret i32 %r
}
define i32 @__nv_inner(i32 %x) {
  %f = call i32 @__nvvm_reflect(i8* getelementptr inbounds ([11 x i8], [11 x i8]* @flag, i32 0, i32 0))
  %p = getelementptr [2 x i32], [2 x i32] addrspace(1)* @table, i32 0, i32 %f
  %v = load i32, i32 addrspace(1)* %p
  %r = add i32 %x, %v
  ret i32 %r
}
define i32 @__nv_other(i32 %x) { ret i32 %x }
`;

const kernel = `declare i32 @__nv_twice(i32)
define ptx_kernel void @k(ptr %p) {
  %v = load i32, ptr %p
  %w = call i32 @__nv_twice(i32 %v)
  store i32 %w, ptr %p
  ret void
}
`;

const files = { "k.ll": kernel, "lib.ll": library };
const launch = ["-k", "k", "-g", "1", "-b", "1", "-a", "u32[1]=10"];

test("a library function is linked with its dependencies only; --nvvm decides __nvvm_reflect", async (t) => {
  const plain = await ptxkit(["run", "k.ll", "lib.ll", ...launch], { files });
  t.regex(plain.out, /0: 23\n/, plain.err);
  const flushed = await ptxkit(["run", "lib.ll", "k.ll", "--nvvm", "ftz=1", ...launch], { files });
  t.regex(flushed.out, /0: 24\n/, flushed.err);
  const linked = await ptxkit(["link", "k.ll", "lib.ll", "--why-extract", "-", "-o", "x"], { files });
  t.is(linked.status, 0, linked.err);
  t.regex(linked.out, /k\.ll\tlib\.ll\(__nv_twice\)\t__nv_twice\n/);
  const { out } = await ptxkit(["inspect", "x", "--symbols"], { files: { x: linked.written.get("x")! } });
  t.regex(out, /__nv_inner/);
  t.notRegex(out, /__nv_other/);
});

test("a library is linked by need through the API as well", (t) => {
  const names = linkSources(files).symbols.map(({ name }) => name);
  t.true(names.includes("__nv_twice"));
  t.false(names.includes("__nv_other"));
});

test("an undefined function of libdevice says what to link, and where one is", async (t) => {
  const folder = { environment: { CUDA_HOME: "/cuda" } };
  const where = "/cuda/nvvm/libdevice/libdevice.10.bc";
  const found = await ptxkit(["link", "k.ll", "-o", "x"], { files: { ...files, [where]: library }, ...folder });
  t.is(found.status, 1);
  t.regex(found.err, /^note: there is a libdevice at \/cuda\/nvvm\/libdevice\/libdevice\.10\.bc\n/m);
  t.regex(found.err, /^help: names in __nv_\* are those of NVIDIA's libdevice: give \/cuda\/.* as an input, too/m);
  const missing = await ptxkit(["link", "k.ll", "-o", "x"], { files });
  t.regex(missing.err, /give libdevice\.10\.bc as an input, too; every CUDA toolkit contains it in nvvm\/libdevice/);
});
