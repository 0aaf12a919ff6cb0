// Records which of today's spellings the instructions of older modules mean: ptxas makes the same machine code of an old
// spelling in its module and of today's in a module of PTX 8.5 for sm_75. One file, one kernel a case.
//   node testdata/isa/dialects.mjs        (needs ptxas 13.0 on the PATH; about a minute)
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The instruction, its operands, the store of its result, and what it might mean now. */
const cases = [
  ["add.f32", "%f0,%f1,%f2", "f32 %f0", ["add.f32", "add.ftz.f32"]],
  ["mul.sat.f32", "%f0,%f1,%f2", "f32 %f0", ["mul.sat.f32", "mul.ftz.sat.f32"]],
  ["mad.f32", "%f0,%f1,%f2,%f3", "f32 %f0", ["mad.rn.f32", "mad.rn.ftz.f32", "mad.rz.f32"]],
  ["mad.f64", "%d0,%d1,%d2,%d1", "f64 %d0", ["mad.rn.f64", "mad.rz.f64"]],
  ["div.f32", "%f0,%f1,%f2", "f32 %f0", ["div.approx.f32", "div.approx.ftz.f32", "div.full.ftz.f32", "div.rn.f32"]],
  ["div.full.f32", "%f0,%f1,%f2", "f32 %f0", ["div.full.f32", "div.full.ftz.f32"]],
  ...["rcp", "sqrt", "rsqrt", "lg2", "ex2"].flatMap((name) => [
    [`${name}.f32`, "%f0,%f1", "f32 %f0", [`${name}.approx.f32`, `${name}.approx.ftz.f32`]],
    [`${name}.approx.f32`, "%f0,%f1", "f32 %f0", [`${name}.approx.f32`, `${name}.approx.ftz.f32`]],
  ]),
  ["min.f32", "%f0,%f1,%f2", "f32 %f0", ["min.f32", "min.ftz.f32"]],
  ["abs.f32", "%f0,%f1", "f32 %f0", ["abs.f32", "abs.ftz.f32"]],
  ["neg.f32", "%f0,%f1", "f32 %f0", ["neg.f32", "neg.ftz.f32"]],
  ["set.gt.u32.f32", "%u0,%f1,%f2", "u32 %u0", ["set.gt.u32.f32", "set.gt.ftz.u32.f32"]],
  ["setp.gt.f32", "%p0,%f1,%f2; selp.u32 %u0,1,0,%p0", "u32 %u0", ["setp.gt.f32", "setp.gt.ftz.f32"]],
  ["slct.f32.f32", "%f0,%f1,%f2,%f3", "f32 %f0", ["slct.f32.f32", "slct.ftz.f32.f32"]],
  ["slct.u32.f32", "%u0,%u1,%u2,%f3", "u32 %u0", ["slct.u32.f32", "slct.ftz.u32.f32"]],
  ["cvt.f32.f32", "%f0,%f1", "f32 %f0", ["cvt.f32.f32", "cvt.ftz.f32.f32"]],
  ["cvt.sat.f32.f32", "%f0,%f1", "f32 %f0", ["cvt.sat.f32.f32", "cvt.ftz.sat.f32.f32"]],
  ["cvt.rni.f32.f32", "%f0,%f1", "f32 %f0", ["cvt.rni.f32.f32", "cvt.rni.ftz.f32.f32"]],
  ["cvt.rpi.s32.f32", "%u0,%f1", "u32 %u0", ["cvt.rpi.s32.f32", "cvt.rpi.ftz.s32.f32"]],
  ["cvt.rpi.s64.f32", "%r0,%f1", "u64 %r0", ["cvt.rpi.s64.f32", "cvt.rpi.ftz.s64.f32"]],
  ["cvt.f64.f32", "%d0,%f1", "f64 %d0", ["cvt.f64.f32", "cvt.ftz.f64.f32"]],
  ["cvt.rn.f32.f64", "%f0,%d1", "f32 %f0", ["cvt.rn.f32.f64", "cvt.rn.ftz.f32.f64"]],
  ["add.f64", "%d0,%d1,%d2", "f64 %d0", ["add.f64"]],
];
const modules = [
  ["1.0", "sm_10"],
  ["1.3", "sm_13"],
  ["1.4", "sm_10"],
  ["1.4", "sm_13"],
  ["1.5", "sm_13"],
  ["2.0", "sm_13"],
  ["2.0", "sm_20"],
  ["3.1", "sm_30"],
  ["8.5", "sm_13"],
];

const folder = mkdtempSync(path.join(os.tmpdir(), "dialects-"));
function code(version, target, spelling, operands, result) {
  const [type, register] = result.split(" ");
  writeFileSync(
    path.join(folder, "a.ptx"),
    `.version ${version}\n.target ${target}\n.global .u32 u; .global .f32 f; .global .f64 d; .global .u64 o;\n` +
      ".entry k { .reg .f32 %f<4>; .reg .f64 %d<3>; .reg .u64 %r<2>; .reg .u32 %u<4>; .reg .pred %p<2>;\n" +
      "ld.global.f32 %f1,[f]; ld.global.f32 %f2,[u]; ld.global.f32 %f3,[o]; ld.global.f64 %d1,[d]; ld.global.f64 %d2,[o];\n" +
      `ld.global.u32 %u1,[u]; ld.global.u32 %u2,[o]; ${spelling} ${operands}; st.global.${type} [o],${register}; exit; }\n`,
  );
  try {
    execFileSync("ptxas", ["-arch=sm_75", "a.ptx", "-o", "a.cubin"], { cwd: folder, stdio: "pipe" });
  } catch {
    return undefined;
  }
  const text = execFileSync("readelf", ["-x", ".text.k", "a.cubin"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  return createHash("sha256").update(text).digest("hex");
}

const facts = cases.flatMap(([old, operands, result, now]) => {
  const candidates = now.map((spelling) => [spelling, code("8.5", "sm_75", spelling, operands, result)]);
  return modules.flatMap(([version, target]) => {
    const made = code(version, target, old, operands, result);
    if (made === undefined) return [];
    return [{ version, target, old, now: candidates.filter(([, other]) => other === made).map(([spelling]) => spelling) }];
  });
});
rmSync(folder, { recursive: true });
const lines = facts.map((fact) => ` ${JSON.stringify(fact)}`).join(",\n");
writeFileSync(
  path.join(import.meta.dirname, "dialects.json"),
  `{"command": "ptxas -arch=sm_75 (13.0), see dialects.mjs", "facts": [\n${lines}\n]}\n`,
);
console.log(facts.length, facts.filter(({ now }) => now.length === 0));
