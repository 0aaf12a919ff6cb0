import test from "ava";
import { hasModifier, modifier, opcodeOf, resolveOpcode } from "../../lib/isa/opcode.js";

const ids = (spelling: string): readonly string[] => resolveOpcode(spelling).map((opcode) => opcode.form.id);
const first = (spelling: string) => resolveOpcode(spelling)[0]!;

test("operands decide between rows with the same opcode", (t) => {
  t.deepEqual(ids("mov.b64"), ["mov", "mov.address", "mov.pack", "mov.unpack"]);
  t.deepEqual(ids("mov.f32"), ["mov"]);
});

test("modifiers may be reordered, as ptxas accepts them", (t) => {
  const reordered: readonly (readonly [string, string])[] = [
    ["setp.u32.eq", "setp.eq.u32"],
    ["ld.u32.global", "ld.global.u32"],
    ["atom.add.global.u32", "atom.global.add.u32"],
    ["add.ftz.f32.sat", "add.ftz.sat.f32"],
    ["add.sat.ftz.f32", "add.ftz.sat.f32"],
    ["fma.f32.rn", "fma.rn.f32"],
    ["shfl.b32.bfly.sync", "shfl.sync.bfly.b32"],
    ["cvt.f32.rn.s32", "cvt.rn.f32.s32"],
    ["mbarrier.arrive.shared.release.cta.b64", "mbarrier.arrive.release.cta.shared.b64"],
  ];
  for (const [written, canonical] of reordered) t.is(first(written).spelling, canonical, written);
});

test("name suffixes, and types and state spaces among themselves, keep their order", (t) => {
  for (const wrong of [
    "mul.s32.wide",
    "cvta.global.to.u64",
    "cp.bulk.async.commit_group",
    "mbarrier.shared.arrive.b64",
    "cp.async.bulk.shared::cta.global.bulk_group",
  ])
    t.deepEqual(ids(wrong), [], wrong);
  t.is(modifier(first("cvt.rn.f32.s32"), "dtype"), "f32");
  t.deepEqual(ids("cvt.rn.s32.f32"), []);
});

test("modifiers that exclude each other are not an instruction", (t) => {
  for (const wrong of [
    "setp.lo.s32",
    "setp.lt.b32",
    "sub.sat.u32",
    "atom.global.and.u32",
    "ld.relaxed.global.u32",
    "ld.gpu.global.u32",
    "ld.volatile.const.u32",
    "cvt.f32.f64",
    "cvt.rn.f64.f32",
    "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
  ])
    t.deepEqual(ids(wrong), [], wrong);
});

test("hostile spellings are unknown, in bounded time", (t) => {
  const long = `ld${".global".repeat(100_000)}`;
  for (const wrong of ["", ".", "ld.", "ld..u32", "__proto__", "constructor.u32", "add.constructor", long])
    t.deepEqual(ids(wrong), []);
});

test("omitted modifiers are undefined, and written ones are found", (t) => {
  const opcode = first("ld.global.nc.v4.f32");
  t.is(opcode.form.id, "ld.nc");
  t.is(modifier(opcode, "vec"), "v4");
  t.is(modifier(opcode, "cop"), undefined);
  t.is(modifier(opcode, "nowhere"), undefined);
  t.true(hasModifier(opcode, "nc"));
  t.false(hasModifier(opcode, "ca"));
});

test("an object refers to an Opcode by its form and spelling", (t) => {
  for (const opcode of resolveOpcode("mov.b64")) t.is(opcodeOf(opcode.form.id, opcode.spelling), opcode);
  t.is(opcodeOf("mov.pack", "mov.f32"), undefined);
  t.is(opcodeOf("nowhere", "mov.b64"), undefined);
  t.is(opcodeOf("setp", "setp.u32.eq"), undefined);
});

// ------------------------------------------------------------------------------------------------------ operand shapes

/** "d:f32*4" for each operand that is not absent. */
const shapes = (spelling: string, form?: string): readonly string[] =>
  resolveOpcode(spelling)
    .find((opcode) => form === undefined || opcode.form.id === form)!
    .operands.filter((shape) => shape.presence === "required")
    .map(({ spec, type, count }) => `${spec.name}:${type?.name ?? "any"}${count === undefined ? "" : `*${count}`}`);

test("fragments have the register counts of chapter 9.7.14", (t) => {
  const mma = (rest: string): string => `mma.sync.aligned.${rest}`;
  t.deepEqual(shapes(mma("m16n8k16.row.col.f32.f16.f16.f32")), ["d:f32*4", "a:f16x2*4", "b:f16x2*2", "c:f32*4"]);
  t.deepEqual(shapes(mma("m16n8k8.row.col.f32.tf32.tf32.f32")), ["d:f32*4", "a:tf32*4", "b:tf32*2", "c:f32*4"]);
  t.deepEqual(shapes(mma("m8n8k4.row.col.f32.f16.f16.f32")), ["d:f32*8", "a:f16x2*2", "b:f16x2*2", "c:f32*8"]);
  t.deepEqual(shapes(mma("m8n8k4.row.col.f64.f64.f64.f64")), ["d:f64*2", "a:f64*1", "b:f64*1", "c:f64*2"]);
  t.deepEqual(shapes(mma("m16n8k32.row.col.s32.s8.u8.s32")), ["d:s32*4", "a:b32*4", "b:b32*2", "c:s32*4"]);
  t.deepEqual(shapes(mma("m16n8k256.row.col.s32.b1.b1.s32.xor.popc")), ["d:s32*4", "a:b32*4", "b:b32*2", "c:s32*4"]);
  const scaled = mma("m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0");
  t.deepEqual(shapes(scaled).slice(0, 3), ["d:f32*4", "a:b32*4", "b:b32*2"]);
  const sparse = "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16";
  t.deepEqual(shapes(sparse), ["d:f16x2*2", "a:f16x2*4", "b:f16x2*4", "c:f16x2*2", "e:b32", "f:u32"]);
  t.deepEqual(shapes("wmma.load.a.sync.aligned.row.m8n32k16.global.bf16"), ["d:bf16x2*2", "s:any"]);
  t.deepEqual(shapes("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"), ["d:b32*4", "s:any"]);
});

test("wgmma takes A from registers or from a descriptor", (t) => {
  const spelling = "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16";
  const tail = ["b:u64", "scale:pred", "na:s32", "nb:s32"];
  t.deepEqual(shapes(spelling, "wgmma.f16.shared"), ["d:f32*128", "a:u64", ...tail, "ta:s32", "tb:s32"]);
  t.deepEqual(shapes(spelling, "wgmma.f16.registers"), ["d:f32*128", "a:f16x2*4", ...tail, "tb:s32"]);
});

test("a cache-policy operand goes with .level::cache_hint, and only with it", (t) => {
  t.deepEqual(shapes("ld.global.u32"), ["d:u32", "a:any"]);
  t.deepEqual(shapes("ld.global.L2::cache_hint.u32"), ["d:u32", "a:any", "pol:u64"]);
});

test("tensor copies count coordinates and offsets by dimension and mode", (t) => {
  const copy = (dim: string, mode: string) =>
    first(`cp.async.bulk.tensor.${dim}.shared::cluster.global${mode}.mbarrier::complete_tx::bytes`);
  t.is(copy("3d", "").operands[1]!.rest[0]!.count, 3);
  t.is(copy("2d", ".tile::gather4").operands[1]!.rest[0]!.count, 5);
  const offsets = (dim: string, mode: string) => copy(dim, mode).operands.find((shape) => shape.spec.name === "i")!;
  t.is(offsets("5d", ".im2col").count, 3);
  t.is(offsets("5d", ".im2col::w").count, 2);
  t.is(offsets("5d", ".tile").presence, "absent");
});

test("an array index precedes a texture's coordinates", (t) => {
  const coordinates = first("tex.a2d.v4.f32.f32").operands[1]!.rest[1]!;
  t.deepEqual(
    coordinates.elements?.map((type) => type.name),
    ["u32", "f32", "f32", "f32"],
  );
  t.true(first("tex.1d.v4.f32.s32").operands[1]!.rest[1]!.bare);
});
