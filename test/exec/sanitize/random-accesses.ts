// Random kernels that load, store and synchronise in shared and global memory, with and without faults: k(in, out, n),
// 64 threads in a block, both buffers of 512 words.

/** Numbers from 0 to `count` - 1. */
function createRandom(seed: number): (count: number) => number {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** Instructions that set %r8 to an index: from the thread's number, mostly its own. */
const indices = [
  "mov.u32 %r8, %r2;",
  "mov.u32 %r8, %r2;",
  "mov.u32 %r8, %r2;",
  "sub.s32 %r8, 63, %r2;",
  "xor.b32 %r8, %r2, 1;",
  "xor.b32 %r8, %r2, 32;",
  "add.s32 %r8, %r2, 1; and.b32 %r8, %r8, 63;",
  "shr.u32 %r8, %r2, 1;",
  "mov.u32 %r8, 5;",
  "shl.b32 %r8, %r2, 1;",
  "add.s32 %r8, %r2, 17;",
  "add.s32 %r8, %r2, 460;",
];

/** Access sizes, with the computation of an offset in %r9 from the index in %r8, and the accessed register. */
const sizes = [
  { type: "u32", shift: 2, value: "%r11" },
  { type: "u32", shift: 2, value: "%r11" },
  { type: "u32", shift: 2, value: "%r11" },
  { type: "u8", shift: 0, value: "%r11" },
  { type: "u16", shift: 1, value: "%r11" },
  { type: "v2.u32", shift: 3, value: "{%r11, %r12}" },
  { type: "f64", shift: 3, value: "%fd1" },
];

export function randomKernel(seed: number): string {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const lines: string[] = [];
  const usesSmall = random(3) === 0;
  let label = 0;
  const access = (): string => {
    const size = usesSmall ? pick(sizes) : sizes[0]!;
    const index = pick(indices);
    const { type, shift, value } = size;
    const offset = `${index} shl.b32 %r9, %r8, ${shift};`;
    const shared = `${offset} add.s32 %r10, %r5, %r9;`;
    const start = `shl.b32 %r13, %r3, ${6 + shift}; add.s32 %r9, %r9, %r13; cvt.u64.u32 %rd6, %r9;`;
    const global = (base: string): string =>
      `${offset} ${random(6) === 0 ? "cvt.u64.u32 %rd6, %r9;" : start} add.s64 %rd7, ${base}, %rd6;`;
    switch (random(8)) {
      case 0:
      case 1:
        return `${shared} st.shared.${type} [%r10], ${value};`;
      case 2:
      case 3:
        return `${shared} ld.shared.${type} ${value}, [%r10];`;
      case 4:
        return `${global("%rd2")} st.global.${type} [%rd7], ${value};`;
      case 5:
        return `${global(random(3) === 0 ? "%rd2" : "%rd1")} ld.global.${type} ${value}, [%rd7];`;
      case 6:
        return `${shared.replace(`, ${shift};`, ", 2;")} red.shared.add.u32 [%r10], 1;`;
      default:
        return random(4) === 0
          ? `${global("%rd2").replaceAll(`, ${shift};`, ", 2;")} red.global.add.u32 [%rd7], 1;`
          : "shfl.sync.down.b32 %r11, %r11, 1, 31, -1;";
    }
  };
  /** Guards the last instruction. */
  const guarded = (text: string, bound: number): string => {
    const last = text.lastIndexOf(";", text.length - 2) + 1;
    return `setp.lt.u32 %p1, %r2, ${bound}; ${text.slice(0, last)} @%p1 ${text.slice(last)}`;
  };
  const statement = (): string => {
    switch (random(12)) {
      case 0: {
        const end = `$skip${label++}`;
        const bound = pick([32, 32, 32, 16, 64]);
        return `setp.ge.u32 %p1, %r2, ${bound}; @%p1 bra ${end}; ${access()} ${random(6) === 0 ? "bar.sync 0;" : ""} ${end}:`;
      }
      case 1:
        return guarded(access(), pick([32, 20]));
      case 2: {
        const start = `$loop${label++}`;
        return `mov.u32 %r15, 0; ${start}: ${access()} ${random(2) === 0 ? "bar.sync 0;" : ""} add.s32 %r15, %r15, 1; setp.lt.u32 %p2, %r15, 3; @%p2 bra ${start};`;
      }
      case 3:
        return random(8) === 0 ? "setp.gt.u32 %p1, %r2, 60; @%p1 ret;" : "bar.sync 0;";
      case 4:
      case 5:
      case 6:
        return "bar.sync 0;";
      default:
        return access();
    }
  };
  // Often the tile is initialised first.
  if (random(4) > 0) {
    lines.push("shl.b32 %r9, %r2, 3; add.s32 %r10, %r5, %r9; mov.u64 %rd8, 0; st.shared.u64 [%r10], %rd8;");
    if (random(8) > 0) lines.push("bar.sync 0;");
  }
  const count = 1 + random(8);
  for (let i = 0; i < count; i++) {
    lines.push(statement());
    if (random(3) === 0) lines.push("bar.sync 0;");
  }
  return `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<9>; .reg .f64 %fd<2>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r5, tile;
  mov.u32 %r8, 0; mov.u32 %r9, 0; mov.u32 %r10, tile; mov.u32 %r11, %r2; mov.u32 %r12, 3; mov.f64 %fd1, 0d3FF0000000000000;
  mov.u64 %rd7, %rd2;
  ${lines.join("\n  ")}
  mad.lo.s32 %r9, %r3, 64, %r2; mul.wide.u32 %rd6, %r9, 4; add.s64 %rd7, %rd2, %rd6; st.global.u32 [%rd7+1536], %r11;
  ret;
}
`;
}
