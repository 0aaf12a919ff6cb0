// Kernels that execute an instruction on many arguments: one thread hashes the results of a chunk of 65,536, or
// computes one result.

export interface Kernel {
  readonly name: string;
  readonly text: string;
}

/** Operand kinds: of the result, then of the arguments. */
export type Kind = "b16" | "b32" | "f32" | "f64";

const entry = (parameters: string, body: string): string => `
.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(${parameters}, .param .u32 count, .param .u64 out) {
  .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .f32 %f<4>; .reg .b64 %rd<10>; .reg .f64 %d<4>;
  ld.param.u32 %r1, [count]; ld.param.u64 %rd1, [out];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1; @%p1 ret;
  ${body}
  ret;
}`;

const HASH_SEED = 0x811c9dc5;
const HASH_FACTOR = 0x9e3779b1;

const mix = (word: string): string =>
  `xor.b32 %r8, %r8, ${word}; mul.lo.u32 %r8, %r8, ${HASH_FACTOR}; shr.u32 %r9, %r8, 15; xor.b32 %r8, %r8, %r9;`;

const UNROLLED = 8;

/** Thread i hashes the results of chunk i * step. f64: arguments are upper words, and results are hashed by words, the upper one first. */
export function hashKernel(instruction: string): Kernel {
  const one = instruction.endsWith(".f64")
    ? `mov.b64 %d1, {%r10, %r7}; ${instruction} %d2, %d1; mov.b64 {%r11, %r12}, %d2; ${mix("%r12")} ${mix("%r11")}`
    : `mov.b32 %f1, %r7; ${instruction} %f2, %f1; mov.b32 %r11, %f2; ${mix("%r11")}`;
  const text = entry(
    ".param .u32 step",
    `ld.param.u32 %r6, [step]; mul.lo.u32 %r7, %r5, %r6; shl.b32 %r7, %r7, 16; mov.u32 %r8, ${HASH_SEED}; mov.u32 %r10, 0;
     mov.u32 %r13, 0;
loop: ${`${one} add.u32 %r7, %r7, 1;`.repeat(UNROLLED)}
     add.u32 %r13, %r13, ${UNROLLED}; setp.lt.u32 %p2, %r13, 65536; @%p2 bra loop;
     mul.wide.u32 %rd2, %r5, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r8;`,
  );
  return { name: instruction, text };
}

const registers: Readonly<Record<Kind, string>> = { b16: "%h", b32: "%r1", f32: "%f", f64: "%d" };
const bytes: Readonly<Record<Kind, number>> = { b16: 4, b32: 4, f32: 4, f64: 8 };

/** Thread i computes result i from the i-th arguments; 16-bit values are in 32-bit elements. */
export function eachElement(instruction: string, [result, ...kinds]: readonly [Kind, ...Kind[]]): Kernel {
  const address = (base: string, kind: Kind): string =>
    `mul.wide.u32 %rd4, %r5, ${bytes[kind]}; add.s64 %rd5, ${base}, %rd4;`;
  const loads = kinds.map((kind, i) => {
    const register = `${registers[kind]}${i + 1}`;
    const load = kind === "b16" ? `ld.global.u32 %r8, [%rd5]; cvt.u16.u32 ${register}, %r8;` : "";
    return `ld.param.u64 %rd2, [a${i}]; ${address("%rd2", kind)} ${load || `ld.global.${kind} ${register}, [%rd5];`}`;
  });
  const operands = kinds.map((kind, i) => `${registers[kind]}${i + 1}`).join(", ");
  const d = `${registers[result]}0`;
  const store =
    result === "b16" ? `cvt.u32.u16 %r8, ${d}; st.global.u32 [%rd5], %r8;` : `st.global.${result} [%rd5], ${d};`;
  const parameters = kinds.map((_, i) => `.param .u64 a${i}`).join(", ");
  const text = entry(
    parameters,
    `${loads.join("\n")} ${instruction} ${d}, ${operands}; ${address("%rd1", result)} ${store}`,
  );
  return { name: instruction, text };
}

/** Hashes of groups of words, as in the records. */
export function allHashes(words: Uint32Array, group: number): Uint32Array {
  return Uint32Array.from({ length: words.length / group }, (_, i) => {
    let hash = HASH_SEED | 0;
    for (const word of words.subarray(group * i, group * (i + 1))) {
      hash = Math.imul(hash ^ word, HASH_FACTOR);
      hash ^= hash >>> 15;
    }
    return hash;
  });
}
