// Readable names of symbols that nvcc, ptxas and C++ named, and suggestions for a word of the source. The compiled
// names are those of `nvcc -rdc=true -ptx` (13.0).

import test from "ava";
import { createNearest } from "../../lib/base/nearest.js";
import { plainName, sourceName } from "../../lib/base/source-name.js";

const names: readonly (readonly [name: string, called: string | undefined])[] = [
  ["counter", undefined],
  ["$str$1", undefined],
  ["$__buf", undefined],
  ["$__buf__0", "buf"],
  ["$___ZZ2k1PfiE3buf__0", "k1(float*, int)::buf"],
  ["_Z2k1Pfi", "k1(float*, int)"],
  ["_Z2k1Pfi$53", "k1(float*, int)$53"],
  ["_Znope", undefined],
  ["__nv_static_25__ebc1b9b7_4_b_cu_95fa3478_names", "names"],
  [
    "__nv_static_25__ebc1b9b7_4_b_cu_95fa3478__ZN34_INTERNAL_ebc1b9b7_4_b_cu_95fa347836_GLOBAL__N__ebc1b9b7_4_b_cu_95fa34786hiddenE",
    "_INTERNAL_ebc1b9b7_4_b_cu_95fa3478::(anonymous namespace)::hidden",
  ],
  // A name that only resembles one of nvcc's stays as it is.
  ["__nv_static_99__a_cu_x", undefined],
  ["__nv_static_", undefined],
];

for (const [name, called] of names)
  test(`${name} is ${called ?? "not demangled"}`, (t) => {
    t.is(sourceName(name), called);
  });

test("a plain name has neither namespaces nor parameters", (t) => {
  for (const name of ["shade", "_Z5shadev", "_ZN3ray5shadeEif", "ray::shade", "ray::shade(int)", "shade(float*)"])
    t.is(plainName(name), "shade", name);
  t.is(plainName("%shade$1"), "%shade$1");
});

test("a name as the source writes it finds its symbols in the inputs, or suggests the nearest ones", (t) => {
  const near = createNearest(() => ["t1", "_Z2k1Pci", "_ZN3ray5shadeEi", "_ZN3ray5shadeEf", "_ZN3sky5shadeEi"]);
  t.deepEqual(near("k1"), ["_Z2k1Pci"]);
  t.deepEqual(near("k1(char*"), ["_Z2k1Pci"]);
  t.deepEqual(near("ray::shade"), ["_ZN3ray5shadeEi", "_ZN3ray5shadeEf"]);
  t.deepEqual(near("ray::shade( float )"), ["_ZN3ray5shadeEf"]);
  t.deepEqual(near("ray::shade(char)"), ["_ZN3ray5shadeEi", "_ZN3ray5shadeEf"]);
  t.deepEqual(near("shade"), ["_ZN3ray5shadeEi", "_ZN3ray5shadeEf", "_ZN3sky5shadeEi"]);
  t.deepEqual(near("t2"), ["t1"]);
  t.deepEqual(near("nothing"), []);
});
