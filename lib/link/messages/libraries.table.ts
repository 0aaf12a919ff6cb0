// Hints for undefined names that are common in GPU programs: libraries and runtimes recognised by their names, and host functions
// that device code cannot call. Collected from questions about undefined names of GPU code; names of the device runtime are those
// of libcudadevrt 13.0. Functions of the driver itself are in isa/driver-functions.table.ts.

import { demangle } from "../../../formats/itanium/index.js";

export interface Hint {
  /** The remedy, in one sentence. */
  readonly hint: string;
  /** Whether the remedy is to link the library, so that a part of it may already be linked. */
  readonly isLinked?: true;
}

interface Origin extends Hint {
  readonly names: RegExp;
}

const origins: readonly Origin[] = [
  {
    names: /^__nv(?:vm_reflect$|_)/,
    hint: "names in __nv_* are those of NVIDIA's libdevice: give libdevice.10.bc as an input, too; every CUDA has it in nvvm/libdevice",
    isLinked: true,
  },
  {
    // Lists the exports of libcudadevrt, so that a program's own cudaThing does not match.
    names:
      /^__cuda(?:CDP2|DeviceSync)|^cuda(?:CG[A-Z]|Device|Event|Free|FuncGet|Get(?:Current|Device|Error|Last|Param)|Graph|Launch|Malloc|Mem(?:cpy|set)|Occupancy|Peek|RuntimeGet|Stream)/,
    hint: "names in cuda* and __cudaCDP2* come from the device runtime, libcudadevrt: what launches kernels, copies and asks is built in (docs/execution.md), the rest is machine code, which cannot be linked here",
  },
  { names: /^nvshmemx?i?_/, hint: "names in nvshmem* come from NVSHMEM: link its device library", isLinked: true },
  {
    names: /^(?:_Z\d*)?(?:nccl|ncclFunction|ncclKernel|ncclDev)[A-Z_]/,
    hint: "names in nccl* come from NCCL: link every object of its device code, compiled with -rdc=true",
    isLinked: true,
  },
  {
    names: /^(?:__kmpc|omp|ompx|__tgt|__omp)_/,
    hint: "the OpenMP runtime has it: link LLVM's device library (libomptarget-nvptx, libompdevice)",
    isLinked: true,
  },
  {
    names: /^_Zn[aw]m|^_Zd[al]Pv/,
    hint: "operators new and delete of the device are inline in CUDA C++: from another compiler, define them upon malloc and free",
  },
  {
    names: /^(?:__cxa|__gxx|_Unwind|__clang_call_terminate)/,
    hint: "the host's C++ runtime has it: compile device code without exceptions, RTTI and guarded statics",
  },
  {
    names: /^(?:_ZN4core9panicking|_RNv.*core9panicking|rust_begin_unwind|rust_eh_personality)/,
    hint: 'Rust\'s panic machinery: build with panic = "abort" and a #[panic_handler], and let LLVM drop what is not reached',
  },
  {
    names: /^(?:ijl|jl|julia)_|^gpu_(?:report_|gc_pool_|signal_exception|malloc$)/,
    hint: "Julia's runtime has it: the kernel calls host code, mostly because a type in it is not known when it is compiled",
  },
  { names: /^__oc[km]l_/, hint: "names in __ocml_* and __ockl_* come from AMD's device library: compile for nvptx64" },
  {
    names: /^(?:v?f?s?n?printf|v?f?s?n?puts|putchar|fwrite)$/,
    hint: "it is the C library's: device code prints with vprintf(format, arguments)",
  },
  {
    names: /^(?:cublas|cufft|cusparse|cusolver|curand|cudnn)[A-Z]/,
    hint: "it is a function of the host's library, which has no device code for it: call it from the host",
  },
  {
    names: /^(?:mem(?:cpy|move|set|cmp|chr)|str(?:len|cmp|ncmp|cpy|ncpy|cat))$/,
    hint: "it is the C library's, and no device has it: define it .weak in a module, or compile with -fno-builtin or -O1",
  },
  {
    names: /^(?:exit|abort|__assert_fail|getenv|rand|srand|time|clock|calloc|realloc)$/,
    hint: "it is the C library's, and no device has it: traps are trap, asserts __assertfail, memory malloc and free",
  },
];

const mathNames: ReadonlySet<string> = new Set(
  (
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma " +
    "fmax fmin fmod frexp hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nearbyint " +
    "nextafter pow remainder remquo rint round scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc"
  ).split(" "),
);

/** Functions in the global namespace, by their C++ names. */
const plainOrigins: readonly Origin[] = [
  {
    names:
      /^(?:atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_block|_system)?|__(?:syncthreads(?:_count|_and|_or)?|syncwarp|threadfence(?:_block|_system)?|(?:shfl|shfl_up|shfl_down|shfl_xor|ballot|any|all|match_any|match_all)(?:_sync)?|activemask|ld(?:g|cg|ca|cs|lu|cv)|(?:popc|clz|ffs|brev)(?:ll)?|byte_perm|u?mul24|u?sad|(?:float|int|uint|double|longlong)_as_[a-z]+|nanosleep|trap))$/,
    hint: "CUDA C++ has it built in or inline, for the arguments that its headers declare: include them, call it with such arguments, or compile with nvcc",
  },
  { names: /^curand_/, hint: "cuRAND's device functions are inline: include curand_kernel.h where they are called" },
];

/** The name of a global C++ function: "atomicAdd" of `_Z9atomicAddPfS_`. */
function plainName(name: string): string {
  const [, length, rest] = /^_Z(\d{1,3})(\w+)$/.exec(name) ?? [];
  return rest === undefined ? name : rest.slice(0, Number(length));
}

/** The hint for an undefined name; undefined for unknown names. */
export function hintFor(name: string): Hint | undefined {
  const plain = plainName(name);
  const origin = origins.find(({ names }) => names.test(name)) ?? plainOrigins.find(({ names }) => names.test(plain));
  if (origin !== undefined) return origin;
  const hint = mathHint(name) ?? standardHint(name);
  return hint === undefined ? undefined : { hint };
}

/** The hint for names of the C++ library's namespace, std. */
const standardHint = (name: string): string | undefined =>
  /^_ZN?[VK]*S[tabsiod]/.test(name)
    ? "the host's C++ library has it, and no device code: use libcu++ (cuda::std) or what the language has"
    : undefined;

/**
 * The hint for mathematical functions: `sinf` is the C library's; `_Z3powdi` and `_ZSt3powdi` are overloads of the host's C++
 * library.
 */
function mathHint(name: string): string | undefined {
  const cpp = /^_Z(?:N?St)?(\d{1,2})(\w+)$/.exec(name);
  if (cpp !== null) {
    const plain = cpp[2]!.slice(0, Number(cpp[1]));
    if (!mathNames.has(plain)) return undefined;
    return `${demangle(name) ?? name} is an overload of the host's C++ library: convert the arguments so that the device's ${plain}(double, ...) or ${plain}f(float, ...) is meant`;
  }
  const plain = mathNames.has(name) ? name : name.replace(/f$/, "");
  if (!mathNames.has(plain)) return undefined;
  return `it is the C library's: device code calls __nv_${name} of libdevice, which is linked before PTX is made`;
}
