// Suggestions of the linker for an undefined name. Each row: the undefined name, what the other module defines (or
// nothing), the suggestion, and a pattern for the remedy.

import test from "ava";
import { allNotes } from "../../lib/diag/diagnostic.js";
import { linkBodies } from "./build.js";

type Row = readonly [missing: string, definition: string, meant: string | undefined, remedy: RegExp];

const rows: readonly Row[] = [
  ["shade", ".visible .func shader() { ret; }", "shader", /name of the definition/],
  ["Shade", ".visible .func SHADE() { ret; }", "SHADE", /name of the definition/],
  ["sahde", ".visible .func shade() { ret; }", "shade", /name of the definition/],
  ["shade", ".func shade() { ret; }", undefined, /\.visible .*-rdc=true/],
  ["shade", ".visible .func _Z5shadef() { ret; }", "_Z5shadef (shade(float))", /there and not here.*extern "C"/],
  ["_Z5shadef", ".visible .func shade() { ret; }", "shade", /here and not there.*extern "C"/],
  ["_Z5shadef", ".visible .func _Z5shaded() { ret; }", "_Z5shaded (shade(double))", /same parameter types/],
  // A function of the same name in another class is another function, but a namespace may be missing or misspelt.
  [
    "_ZNK2Sq4areaEv",
    ".visible .func _ZNK2Di4areaEv() { ret; }",
    undefined,
    /^link the module or library that defines it/,
  ],
  [
    "_ZNK4geom6Square4areaEv",
    ".visible .func _ZNK6Square4areaEv() { ret; }",
    "_ZNK6Square4areaEv (Square::area() const)",
    /same namespace/,
  ],
  [
    "_ZN5shape4areaEv",
    ".visible .func _ZN6shapes4areaEv() { ret; }",
    "_ZN6shapes4areaEv (shapes::area())",
    /same namespace/,
  ],
  ["_Z5shadef", ".visible .func _ZN3ray5shadeEf() { ret; }", "_ZN3ray5shadeEf (ray::shade(float))", /same namespace/],
  [
    "_Z5shadeIfEvT_",
    ".visible .func _Z5shadeIdEvT_() { ret; }",
    "_Z5shadeIdEvT_ (void shade<double>(double))",
    /types/,
  ],
  // A name as --wrap makes it, without --wrap.
  ["__real_shade", ".visible .func shade() { ret; }", undefined, /^link with --wrap shade: only then/],
  ["__real_malloc", "", undefined, /^link with --wrap malloc: only then/],
  ["__real_shade", ".func shade() { ret; }", undefined, /link the module or library/],
  // A known library has precedence over the closest name, because its names differ by one letter.
  ["__nv_expf", ".visible .func __nv_exp2f() { ret; }", undefined, /libdevice/],
  ["__nvvm_reflect", "", undefined, /libdevice/],
  ["__cudaCDP2Memcpy3DAsync", "", undefined, /libcudadevrt/],
  ["cudaCGGetIntrinsicHandle", "", undefined, /libcudadevrt/],
  ["cudaGraphLaunch_ptsz", "", undefined, /libcudadevrt/],
  ["cudaMemcpy3DAsync_ptsz", "", undefined, /libcudadevrt/],
  ["cudaKernel", "", undefined, /link the module or library/],
  ["gpu_report_exception", "", undefined, /Julia/],
  ["gpu_init", "", undefined, /link the module or library/],
  ["_Z45ncclFunction_AllReduce_RING_LL_Sum_int8_t", "", undefined, /NCCL.*-rdc=true/],
  ["_Z3powdi", "", undefined, /pow\(double, int\) is an overload of the host's.*pow\(double, \.\.\.\)/],
  ["_Z5shadef", ".func _Z5shaded() { ret; }", undefined, /same parameter types.*and .*\.visible/],
  ["shade", ".func _Z5shadef() { ret; }", undefined, /there and not here.*extern "C".*\.visible/],
  ["_ZSt4sqrtIiEv", "", undefined, /overload of the host's/],
  ["sinf", "", undefined, /__nv_sinf of libdevice/],
  ["printf", "", undefined, /vprintf/],
  ["memcpy", "", undefined, /C library/],
  ["_Znwm", "", undefined, /new and delete/],
  // Names that nvcc gives to static functions, those of unnamed namespaces, and static kernels.
  [
    "_Z1Ci",
    ".func _ZN31_INTERNAL_a29842d7_4_b_cu__Z1Bi1CEi() { ret; }",
    undefined,
    /^declare its definition \.visible/,
  ],
  [
    "_ZN1n1CEif",
    ".func _ZN34_INTERNAL_e56f7791_4_b_cu__Z3ownPi1n36_GLOBAL__N__e56f7791_4_b_cu__Z3ownPi1CEif() { ret; }",
    undefined,
    /^declare its definition \.visible/,
  ],
  ["_Z1Ci", ".func __nv_static_25__c43e2a76_4_a_cu_18f5cf2a__Z1Ci() { ret; }", undefined, /^declare its definition/],
  ["_Z1Ci", ".func _ZN31_INTERNAL_a29842d7_4_b_cu__Z1Bi1CEf() { ret; }", undefined, /same parameter types on both/],
  ["__kmpc_barrier", "", undefined, /OpenMP/],
  ["nvshmem_my_pe", "", undefined, /NVSHMEM: link its device library\. No input defines any name in nvshmem_\*$/],
  ["_Z9atomicAddPfS_", "", undefined, /built in or inline/],
  ["__anybody", "", undefined, /^link the module or library/],
  ["_Z11curand_initiiiPi", "", undefined, /curand_kernel\.h/],
  ["cublasCreate_v2", "", undefined, /call it from the host$/],
  ["_ZSt9terminatev", "", undefined, /cuda::std/],
  ["_ZNSt6vectorIiSaIiEE9push_backERKi", "", undefined, /cuda::std/],
  ["_ZSt3powdi", "", undefined, /overload of the host's/],
  ["shade", ".visible .func quantise() { ret; }", undefined, /link the module or library[^*]*$/],
  // Names with a common prefix may belong to a library that is missing, but the part before a `_` is a prefix only if a
  // module has several such names.
  [
    "fft_plan_many",
    ".visible .func quantise() { ret; }",
    undefined,
    /must be \.visible or \.weak \(nvcc -rdc=true keeps what only other files use\)\. No input defines any name in fft_\*$/,
  ],
  [
    "fft_plan_many",
    ".visible .func fft_run() { ret; }",
    undefined,
    /must be \.visible or \.weak \(nvcc -rdc=true keeps what only other files use\)$/,
  ],
  [
    "fft_plan_many",
    ".visible .func fft_run() { ret; } .visible .func fft_inverse() { ret; } .visible .global .u32 fft_size;",
    undefined,
    /b\.ptx defines other names in fft_\*/,
  ],
  ["_ZN3fft8planManyEv", ".visible .func _ZN3fft3runEv() { ret; }", undefined, /b\.ptx defines other names in fft::\*/],
  // Many modules have an init: one of a few may be meant, one of many is no suggestion.
  [
    "_ZN3fft4initEv",
    ["aa", "bb", "cc", "dd"].map((space) => `.visible .func _ZN2${space}4initEv() { ret; }`).join("\n"),
    undefined,
    /No input defines any name in fft::\*/,
  ],
];

for (const [missing, definition, meant, remedy] of rows)
  test(`${missing} is undefined, and there is ${definition === "" ? "no similar name" : definition}`, (t) => {
    const use = `.extern .func ${missing};\n.visible .entry k() { call ${missing}; ret; }`;
    const { diagnostics } = linkBodies(use, ...(definition === "" ? [] : [definition]));
    t.is(diagnostics.length, 1);
    const [diagnostic] = diagnostics;
    t.true(diagnostic!.message.startsWith(`undefined symbol: ${missing}`));
    t.is(diagnostic!.meant?.name, meant);
    if (meant !== undefined) t.like(diagnostic!.meant?.place, { kind: "line", file: "b.ptx", line: 4 });
    t.regex(diagnostic!.remedy!, remedy);
  });

test("a module that defines part of a class and refers to the rest is not taken for another version of a library", (t) => {
  const user =
    ".extern .func _ZN2Sq4areaEv();\n.weak .func _ZN2SqD1Ev() { call _ZN2Sq4areaEv; ret; }\n.visible .entry k() { call _ZN2Sq4areaEv; ret; }";
  const remedyOf = (...others: readonly string[]) => linkBodies(user, ...others).diagnostics[0]!.remedy!;
  t.regex(remedyOf(), /keeps what only other files use\)$/);
  t.regex(
    remedyOf(".visible .func _ZN2Sq5scaleEv() { ret; }"),
    /b\.ptx defines other names in Sq::\*: is it of the same/,
  );
});

test("every line with an undefined name is a reference, in link order", (t) => {
  const body = ".extern .func f;\n.visible .entry k()\n{\n  call f;\n  call f;\n  ret;\n}";
  const { diagnostics } = linkBodies(body, ".extern .func f;\n.visible .func g()\n{\n  call f; call f;\n  ret;\n}");
  t.deepEqual(
    diagnostics[0]!.references!.map(({ place, by }) => [place?.kind === "line" && `${place.file}:${place.line}`, by]),
    [
      ["a.ptx:7", "'k'"],
      ["a.ptx:8", "'k'"],
      ["b.ptx:7", "'g'"],
    ],
  );
});

test("a driver function is suggested, though no module declares it", (t) => {
  for (const [missing, driver] of [
    ["vprintff", "vprintf"],
    ["__assert_fails", "__assertfail"],
    ["cnpGetDevices", "cnpGetDevice"],
  ] as const) {
    const { diagnostics } = linkBodies(`.extern .func ${missing};\n.visible .entry k() { call ${missing}; ret; }`);
    t.deepEqual(diagnostics[0]!.meant, { name: driver });
    t.regex(diagnostics[0]!.remedy!, new RegExp(`the driver defines ${driver}`));
  }
});

/** Messages and notes with their lines. */
const saidOf = (...bodies: readonly string[]): readonly string[] =>
  linkBodies(...bodies).diagnostics.flatMap((diagnostic) =>
    [diagnostic, ...allNotes(diagnostic)].map(({ message, place }) =>
      place?.kind === "line" ? `${place.file}:${place.line} ${message}` : message,
    ),
  );

test("a texture that another module uses as a variable is reported as such, and not as undefined, too", (t) => {
  t.deepEqual(
    saidOf(
      ".visible .global .texref x;",
      ".extern .global .u32 x;\n.visible .entry k() { .reg .b64 %a; mov.u64 %a, x; ret; }",
    ),
    [
      "a.ptx:4 'x' is a .texref here and a .global variable there: .texref x in a.ptx, .global .u32 x in b.ptx",
      "b.ptx:4 declared here as .global .u32 x",
    ],
  );
});

test("shared memory that is dynamic in another module only is undefined, and that declaration is quoted", (t) => {
  t.deepEqual(
    saidOf(
      ".extern .shared .u32 x[];",
      ".extern .shared .u32 x[2];\n.visible .entry k() { .reg .b64 %a; mov.u64 %a, x; ret; }",
    ),
    [
      "b.ptx:5 undefined symbol: x",
      "b.ptx:5 referenced by 'k'",
      "b.ptx:4 declared as .shared .u32 x[2]",
      "a.ptx:4 .shared .u32 x[] is dynamic shared memory in a.ptx",
    ],
  );
});
