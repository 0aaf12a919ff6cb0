// One row of the intrinsic table, and the little languages that rows are written in.
//
// `name`, after `llvm.`: `<a|b|>` is one of several words, perhaps none; `<ui=u32|i=s32>` puts another word for it into
// `type` and `ptx`, where `<1>` is the first choice; a star at the end matches the types of an overloaded name
// (`.i32`, `.v2f32`, `.p0i8.p1i8`, `.p0.p1.i64`). An empty choice takes no dot: `fma.rn<.ftz|>.f`.
//
// `type`: `f32 (f32, f32)`, results first; several results are a structure: `{i32, i1} (i32)`; `f32*4` is four of them.
//     void i1 i8 … f16 bf16 f32 f64 v2f16 metadata   that type; s8 to s64, u8 to u64 and b8 to b64 are i8 to i64
//     ptr, ptr1, ptr3   a pointer of any space, of space 1, of space 3 and 7
//     I J    any integer or vector of integers; the same letter is the same type throughout
//     F G    any floating-point type or vector of it
//     V W    any type with a size
//     P Q    any pointer, or vector of pointers
//     N      any integer;  S T  any pointer;  X  any vector of integers;  Y  of floating-point types;  U Z  any vector
//     I.i1   as I, with i1 for its elements;  I.i32, I.element in the same way
//     ...    further arguments of any type
//     x!     a constant;  x?  may be left out, as older versions do
//
// `ptx`: instructions, each with its semicolon; `{ … }` around some of them makes registers (`.reg .b32 %t;`) of their own.
//     $0 $1   argument; a pointer is in brackets: [$0]. A constant argument (`!`) is its value
//     $d      the result; $d0 $d1 of several
//     <ftz>   .ftz where the option ftz says so; <sqrt> rn or approx, by the option prec-sqrt; <div> rn or full
//     <space0>  the state space of the pointer that is argument 0: .global, .shared, .local, .const, or nothing
//     <w>     32 or 64: the bits of a pointer
//     <?2:text>, <!2:text>   text where the constant argument 2 is not zero, is zero
//     <2=3:text>   text where the constant argument 2 is 3
// Registers: i1 is a predicate; i8 and i16 are .b16, f16 and bf16 are .b16; i32 and f32 have 32 bits, i64, f64 and pointers
// 64; v2f16, v2bf16 and v2i16 are one .b32 register, the first element in the lower half; an i128, and any other vector, is
// the list `{a, b}` of its parts.
//
// A table of several templates has one for each element type (`i32`, `f32`): that of the first type variable. Such an
// intrinsic works on vectors element by element. `narrow` says how integers of other widths reach the next wider template.

export interface IntrinsicRow {
  readonly name: string;
  readonly type: string;
  /** Template, or one for each element type. */
  readonly ptx?: string | Readonly<Record<string, string>>;
  /** Without a template: the lowering in selection. */
  readonly does?: Work;
  /** For integers narrower than a template's: how the arguments are extended. The result is truncated. */
  readonly narrow?: "zero" | "sign" | "any";
  /** The function of libdevice that computes it, for f32 and f64 (PTX has no such instruction). */
  readonly libdevice?: string;
  /** Uses a separate sampler, which PTX allows only in modules with `.target …, texmode_independent`. */
  readonly ownSampler?: true;
  /** Types that NVVM IR 1.0 allows, separated by blanks; `vectors` adds vectors of them; `*` is any type. Undefined: none. */
  readonly first?: string;
  /** Section of NVVM IR 1.0. */
  readonly section?: string;
}

/** Lowerings without a template. */
export type Work =
  /** No code and no result. */
  | "ignored"
  /** The result is argument 0. */
  | "value"
  /** A copy of memory, or a fill: loops. */
  | "memcpy" | "memmove" | "memset"
  /** Bits of odd widths and above 64. */
  | "bswap" | "bitreverse" | "ctpop" | "ctlz" | "cttz" | "fshl" | "fshr"
  | "abs" | "smax" | "smin" | "umax" | "umin" | "scmp" | "ucmp"
  /** Sums and products with overflow flags or saturation: `sadd`, `usub`, …. */
  | "overflow" | "saturating"
  /** Saturating conversions to integers. */
  | "fptosi.sat" | "fptoui.sat"
  /** Rounding halves away from zero, to a float and to an integer; to an even integer. */
  | "round" | "lround" | "lrint"
  /** minnum, maxnum, minimum, maximum. */
  | "minmax" | "copysign" | "fma" | "is.fpclass" | "ldexp" | "frexp" | "canonicalize" | "powi"
  /** sin, cos, exp2, log2: the approximate instruction if the call has afn, otherwise the function of libdevice. */
  | "approximate"
  /** The function of libdevice. */
  | "libdevice"
  /** Sum, product, minimum … of a vector's elements; partial sums. */
  | "reduce" | "partial.reduce"
  /** Elements of a vector under a mask; vectors within vectors. */
  | "masked.load" | "masked.store" | "masked.gather" | "masked.scatter" | "vector.insert" | "vector.extract"
  | "vector.splice" | "vector.reverse" | "vector.interleave" | "vector.deinterleave" | "step"
  /** A load that may be cached (`ld.global.nc`, `ldu.global`) of any type. */
  | "ldg" | "ldu"
  /** false, unless a constant is known. */
  | "is.constant"
  | "true"
  /** -1, or 0 if the second argument is true. */
  | "objectsize"
  | "stacksave" | "stackrestore" | "trap" | "prefetch" | "ptrmask" | "load.relative" | "constrained"
  /** Between generic and specific addresses: `cvta`. */
  | "to.generic" | "from.generic"
  | "reflect" | "handle"
  /** A message of the compiler: an error or warning with the text that the argument points to. */
  | "message"
  | "varargs" | "varargs.copy"; // prettier-ignore
