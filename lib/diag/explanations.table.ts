// The texts of `ptxkit explain CODE` beyond the codes table: causes and remedies, with a wrong example and its correction. A test
// runs every example through the checker or the linker. It expects exactly that code for the wrong one and nothing for the right
// one. An error that needs files, a command line or a run has a situation, described in words. Separate from the codes table,
// because no other command needs these texts.

import type { CodeName } from "./codes.table.js";

export type Example =
  /** PTX text: a whole file, declarations at module scope (exampleHeader is added before them), or statements of a kernel. */
  | { readonly kind: "file" | "module" | "kernel"; readonly wrong: string; readonly right: string }
  /** Modules that are linked, each as declarations at module scope. */
  | { readonly kind: "link"; readonly wrong: readonly string[]; readonly right: readonly string[] }
  | { readonly kind: "situation"; readonly wrong: string; readonly right: string };

export interface Explanation {
  readonly about: string;
  readonly example: Example;
}

/** The text before the declarations of an example. */
export const exampleHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

const file = (wrong: string, right: string): Example => ({ kind: "file", wrong, right });
const module = (wrong: string, right: string): Example => ({ kind: "module", wrong, right });
const kernel = (wrong: string, right: string): Example => ({ kind: "kernel", wrong, right });
const link = (wrong: readonly string[], right: readonly string[]): Example => ({ kind: "link", wrong, right });
const situation = (wrong: string, right: string): Example => ({ kind: "situation", wrong, right });

const commandLine = {
  "command-line": {
    about:
      "An option is unknown, lacks its value, has a value it cannot have, or contradicts another. Nothing was read or written. The exit status is 2, so that a script can tell it from a fault in an input.",
    example: situation(
      "ptxkit link a.ptx b.ptx",
      "ptxkit link a.ptx b.ptx -o ab.img (link has no name of its own to give to the image)",
    ),
  },
  "file-access": {
    about:
      "A file could not be opened, read or written; the message ends with the operating system's reason in plain words, followed by a remedy. Other inputs are still examined. Output is written beside its place and then renamed, so the folder must be writable, and an old file stays whole when something fails.",
    example: situation(
      "ptxkit as kernel.ptx -o build/kernel.o, while there is no folder build",
      "Make the folder first: mkdir -p build",
    ),
  },
  "not-supported": {
    about:
      "The option or the kind of file is part of ptxkit's command line, but this version does not do it yet. It is refused rather than ignored, because a result that leaves out what was asked for is worse than none.",
    example: situation(
      "ptxkit link a.ptx --map a.map -o a.img, where maps cannot be written yet",
      "Leave the option out, or use a version that has it.",
    ),
  },
} as const;

const files = {
  "unknown-format": {
    about:
      "ptxkit looks at the first bytes of an input and not at its name. PTX text begins with .version, after comments and white space; an object begins with the ELF magic 7F 45 4C 46. The file is neither. Often it is empty, still compressed, or a C++ source that nvcc has not seen yet.",
    example: situation(
      "ptxkit check kernel.cu",
      "Compile it to PTX first (nvcc -ptx kernel.cu), then: ptxkit check kernel.ptx",
    ),
  },
  "malformed-file": {
    about:
      "A header, section or symbol of the file gives a size, count or offset that leads outside the file or to something of another kind. The number after the file's name is the place in bytes. Most such files were cut off by an incomplete copy; nothing in them is guessed at.",
    example: situation(
      "The first half of an object, left by a download that broke off",
      "Fetch or assemble the file again.",
    ),
  },
  "broken-rule": {
    about:
      "inspect --verify holds a file against rules that every file of its kind keeps: tables refer to each other, symbols lie inside their sections, kernels' parameters lie side by side in their bank, encoded functions decode. The note says which rule is broken; the number after the file's name is the place in bytes. A reader may still make something of such a file, but not every reader the same.",
    example: situation(
      "An image in which a tool has moved a section and left the symbols where they were",
      "Make the file again with the tool that first wrote it.",
    ),
  },
  "machine-code": {
    about:
      "The object holds SASS, the machine code of one GPU. ptxkit links and runs PTX, which its own objects keep in encoded form; of cubins it shows the contents (ptxkit inspect).",
    example: situation(
      "ptxkit link kernel.cubin -o kernel.img, with a cubin from ptxas",
      "Give the PTX that the cubin was made from: ptxkit link kernel.ptx -o kernel.img",
    ),
  },
  "no-such-member": {
    about:
      "FILE(NAME) names a part of a file: a member of an archive, or an entry of a fatbin or of a host object that has one. The archive or fatbin is there, and holds nothing of this name. Entries are named like 1.sm_90.ptx; a number alone counts from 1. 'ptxkit inspect FILE' lists the names. --hex and --function name sections and functions of the file.",
    example: situation(
      "ptxkit inspect 'libkernels.a(scale.obj)', where the member is called scale.o",
      "ptxkit inspect 'libkernels.a(scale.o)'",
    ),
  },
  "no-embedded-ptx": {
    about:
      "nvcc embeds GPU code in host objects as a fatbin: machine code (SASS) for some architectures, PTX for some, or LTO-IR with -dlto. ptxkit links the PTX, the latest that the target runs. This fatbin has none at all, or only PTX for later architectures. 'ptxkit inspect FILE' lists its contents.",
    example: situation(
      "ptxkit link a.o -o a.img, where a.o was made with nvcc -dc -arch=sm_90, which embeds machine code only",
      "Embed PTX: nvcc -dc -gencode arch=compute_90,code=compute_90 a.cu",
    ),
  },
  "embedded-left-out": {
    about:
      "nvcc leaves in a program or shared library the GPU code of everything that it was linked with: of nvcc -rdc=true the device runtime too, which has PTX for the latest architecture alone. Of these parts the ones with PTX for the target are linked, and the message names the others. Where something refers to what they define, that is an undefined symbol; a kernel in them cannot be launched. 'ptxkit inspect FILE' lists its contents.",
    example: situation(
      "nvcc -rdc=true -gencode arch=compute_90,code=compute_90 a.cu b.cu -o program, then ptxkit link program -o a.img",
      "Link the objects instead: ptxkit link a.o b.o -o a.img; or leave the device runtime out: nvcc -cudadevrt none",
    ),
  },
} as const;

const parsing = {
  syntax: {
    about:
      "The text cannot be read as PTX from this place on; the message says what was expected. Checking goes on with the next statement or declaration, so that one slip does not hide others. Most often a semicolon, a comma or a bracket is missing on the line before.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
} as const;

const nvvm = {
  "nvvm-syntax": {
    about:
      "The text cannot be read as IR from this place on; the message says what was expected. Reading goes on with the next instruction or declaration. All versions of IR text are read, from LLVM 3.2 (NVVM IR 1.0) to today's.",
    example: situation("%s = add i32 %a %b", "%s = add i32 %a, %b"),
  },
  "nvvm-dialect": {
    about:
      "LLVM 15 made pointers opaque: ptr is the only pointer type, where older text has i32*. The two do not go together in one module, nor do spellings of NVVM IR 1.0, such as a load without a type of its own, with opaque pointers. Modules of different versions can be linked.",
    example: situation("define void @f(ptr %p, i32* %q)", "define void @f(ptr %p, ptr %q)"),
  },
  "nvvm-undefined": {
    about:
      "Something is used under a name or number that the module, or the function, does not define. A name of one letter off is suggested where there is one. Functions and variables of other modules are declared: declare void @f(), @v = external global i32.",
    example: situation("br label %exti, in a function with the block exit", "br label %exit"),
  },
  "nvvm-redefined": {
    about:
      "A local name is one value or block of its function, and a global name one variable, function or alias of the module. Unnamed values have numbers that rise in the order of the text, so that a number that goes back is one that was given already.",
    example: situation(
      "%x = add i32 %a, 1, and again %x = add i32 %a, 2",
      "%x = add i32 %a, 1, and %y = add i32 %a, 2",
    ),
  },
  "nvvm-mismatch": {
    about:
      "Every operand has its type before it, or before the first of several, and that type is the one which the value was defined with. Floating-point constants must be exact in their type: 0.1 is not a float, since decimals are read as doubles.",
    example: situation(
      "%a = load i64, ptr %p, and later add i32 %a, 1",
      "%b = trunc i64 %a to i32, and then add i32 %b, 1",
    ),
  },
  "nvvm-alias": {
    about:
      "An alias of a function becomes a .alias of PTX. Uses of an alias of a variable mean the variable, with the alias's offset, and the object has the name for other modules. The linker gives such a name to a place inside a variable only; uses in the module itself are not affected.",
    example: situation(
      "ptxkit as a.ll, where @a is an i32 and @b = alias i32, getelementptr (i32, ptr addrspace(1) @a, i64 -1)",
      "let @b refer to a place from @a to @a + 4",
    ),
  },
  "nvvm-compiler-error": {
    about:
      "llvm.nvvm.compiler.error(p) has the compiler report the text at p. Libraries put it after a test of __nvvm_reflect or a target, so that it is gone where all is well.",
    example: situation(
      'call void @llvm.nvvm.compiler.error(ptr @text), where @text is c"needs sm_90\\00"',
      "the module for a target, or with options, that the text asks for",
    ),
  },
  "nvvm-compiler-warning": {
    about: "llvm.nvvm.compiler.warn(p) has the compiler report the text at p, and goes on.",
    example: situation(
      'call void @llvm.nvvm.compiler.warn(ptr @text), where @text is c"slow on this target\\00"',
      "the module without the call, or -Wno-nvvm-compiler-warning",
    ),
  },
  "nvvm-annotation": {
    about:
      "!nvvm.annotations says which functions are kernels, how large their blocks are, and which variables are textures or surfaces. Modules that are linked have their annotations merged first; two of one property with different values contradict each other, in one module or over all.",
    example: situation(
      'a.ll: !0 = !{ptr @k, !"maxntidx", i32 128} and b.ll: !0 = !{ptr @k, !"maxntidx", i32 256}',
      "Both say i32 128, or only the one that defines @k says anything.",
    ),
  },
  "nvvm-version": {
    about:
      "Rules were relaxed as NVVM IR grew: half, atomic loads and stores, min and max came after 1.0. A module says its version in !nvvmir.version as two numbers, or as four with the version of its debug information.",
    example: situation("!nvvmir.version = !{!0} and !0 = !{i32 9, i32 0}", "!0 = !{i32 2, i32 0}"),
  },
  "nvvm-layout": {
    about:
      "The data layout says how large types are and how they are aligned. On a GPU that is fixed (NVVM IR 1.0 section 3.13), so that a layout can only repeat the fixed values, and choose one of the two widths of pointers.",
    example: situation(
      'target datalayout = "E-p:64:64:64"',
      'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"',
    ),
  },
  "nvvm-triple": {
    about:
      "The module was compiled for a CPU or another vendor's GPU. Sizes of types, address spaces and calling conventions are those of that machine, so that it cannot be taken for a GPU's.",
    example: situation('target triple = "x86_64-unknown-linux-gnu"', 'target triple = "nvptx64-nvidia-cuda"'),
  },
  "nvvm-name": {
    about:
      "Names of NVVM IR 1.0 are names of PTX, so that they have no dots. Later versions, and LLVM, take any name, and what PTX does not take is renamed: a dot becomes _$_. What begins with llvm. or nvvm. is kept for the compiler in all of them.",
    example: situation(
      "@a.b = addrspace(1) global i32 0 in a module of version 1.0",
      "@a_b = addrspace(1) global i32 0",
    ),
  },
  "nvvm-linkage": {
    about:
      "A linkage says what a linker does with a name. There are no DLLs on a GPU, no names that may stay undefined (extern_weak), and appending is for llvm.used alone. An alias names something that is defined in the same module.",
    example: situation("@v = dllexport addrspace(1) global i32 0", "@v = addrspace(1) global i32 0"),
  },
  "nvvm-unsupported": {
    about:
      "NVVM IR is LLVM's IR without the features that have no meaning on a GPU, such as threads of the host, linker sections and static constructors. The message names the remedy for each.",
    example: situation("@t = thread_local global i32 0", "%t = alloca i32, which is a thread's own"),
  },
  "nvvm-attribute": {
    about:
      "Attributes of functions follow the parameters, those of parameters precede their names. zeroext and signext are for integers, byval and noalias for pointers. NVVM IR 1.0 does not take ten of LLVM's attributes of functions, which later versions ignore.",
    example: situation("define void @f(float zeroext %x)", "define void @f(float %x)"),
  },
  "nvvm-align": {
    about:
      "Caller and callee have to agree where arguments are. An alignment that does not follow from the type needs an annotation of the function, with the position in the upper 16 bits and the bytes in the lower, and for indirect calls by !callalign with rising positions.",
    example: situation(
      '!{void (i32)* @f, !"align", i32 65544}: parameter 1, an i32, by 8',
      "i32 65540: by 4, or no annotation",
    ),
  },
  "nvvm-call": {
    about:
      "The number and types of arguments are the function's. Functions with variable arguments can be declared and called (vprintf's kin), but not defined, since va_arg does not exist.",
    example: situation("define void @log(i8* %format, ...)", "define void @log(i8* %format, i8* %arguments)"),
  },
  "nvvm-atomic": {
    about:
      "Atomic operations work on words of global and shared memory, or through generic pointers to them. Memory of a thread's own needs none, and constant memory cannot be changed. In a module of version 1.0 a fence is a call of llvm.nvvm.membar.cta, .gl or .sys, and an atomic load a volatile one.",
    example: situation(
      "%old = atomicrmw add i16 addrspace(1)* %p, i16 1 seq_cst",
      "%old = atomicrmw add i32 addrspace(1)* %q, i32 1 seq_cst",
    ),
  },
  "nvvm-type": {
    about:
      "The types of a GPU are integers, float, double and, in later versions, half and bfloat. A structure contains itself through pointers alone, and what is loaded or allocated has a size.",
    example: situation("%s = type { i32, %s }", "%s = type { i32, %s* }"),
  },
  "nvvm-asm": {
    about:
      "Inline assembly is PTX, and each operand has a constraint for its type. Results have = in front, operands that share a register with a result have its number. Later versions take b for i1, q for i128 and n for constants as well.",
    example: situation(
      'call i32 asm "mov.b32 $0, $1;", "=r,l"(i32 %x)',
      'call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)',
    ),
  },
  "nvvm-instruction": {
    about:
      "These instructions are for machines that unwind stacks or jump to computed addresses. Compilers make them of exceptions and of computed goto, and have an option not to (-fno-exceptions); a switch does what indirectbr does.",
    example: situation("invoke void @f() to label %a unwind label %b", "call void @f() and br label %a"),
  },
  "nvvm-intrinsic": {
    about:
      "Functions whose names begin with llvm. are the compiler's own. A name that it does not have, or another signature, cannot be compiled; the nearest known name is suggested. Some arguments have to be numbers.",
    example: situation("declare i32 @llvm.nvvm.read.ptx.sreg.tidx()", "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"),
  },
  "nvvm-space": {
    about:
      "A variable is in one of four address spaces, and its type says which. Constant memory is read-only, a function's code can be called alone, and a generic pointer can be converted back to the space that it came from, and to no other.",
    example: situation("@v = addrspace(5) global i32 0", "@v = addrspace(1) global i32 0"),
  },
  "nvvm-space-mismatch": {
    about:
      "An address of shared memory is an offset into the block's memory, one of global memory is not: taken for each other they name other bytes. Only generic pointers can point into any address space.",
    example: situation(
      "load i32, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr addrspace(3) @s to i64) to ptr addrspace(1))",
      "load i32, ptr addrspace(3) @s",
    ),
  },
  "nvvm-no-kernel": {
    about:
      "The directives .maxntid, .reqntid, .minnctapersm and .maxnreg are of entries. A function that is called has the limits of the kernel that calls it.",
    example: situation(
      '!0 = !{ptr @f, !"maxntidx", i32 128}',
      '!0 = !{ptr @f, !"kernel", i32 1, !"maxntidx", i32 128}',
    ),
  },
  "nvvm-kernel-call": {
    about:
      "A kernel is launched by the host. Its parameters are in constant memory, and how its threads were started is its caller's, not its own.",
    example: situation("call void @kernel(), in another kernel", "call void @work(), which @kernel calls as well"),
  },
  "nvvm-texture": {
    about:
      "The host binds an object to the variable's name. Its handle is an i64 that texture instructions take; there is nothing at its address, so that it can be neither loaded nor stored to, nor passed to a function that would.",
    example: situation(
      "load i64, i64 addrspace(1)* @tex",
      "call i64 @llvm.nvvm.texsurf.handle.p1i64(metadata !{i64 addrspace(1)* @tex}, i64 addrspace(1)* @tex)",
    ),
  },
  "nvvm-limit": {
    about:
      "Variables in address space 4 share one bank of 64 KiB, which is cached for reads by all threads at one address. Larger tables are in global memory.",
    example: situation(
      "@t = addrspace(4) constant [20000 x i32] zeroinitializer",
      "@t = addrspace(1) constant [20000 x i32] zeroinitializer",
    ),
  },
  "nvvm-misprint": {
    about:
      "In sections 12 and 13 of the specification some names of intrinsic functions have the letter l for the digit 1 of address space 1. Modules that were copied from there are taken, and told.",
    example: situation(
      "declare i64 @llvm.nvvm.texsurf.handle.pli64(metadata, i64 addrspace(1)*)",
      "declare i64 @llvm.nvvm.texsurf.handle.p1i64(metadata, i64 addrspace(1)*)",
    ),
  },
  "nvvm-operand": {
    about:
      "IR converts nothing by itself. Integers of different widths, integers and floats, and pointers and integers are converted by instructions; vectors are as long as each other.",
    example: situation("%s = add float %a, %b", "%s = fadd float %a, %b"),
  },
  "nvvm-ssa": {
    about:
      "IR is in SSA form. A value that is computed in one arm of a branch is not available after it, unless a phi chooses between it and what the other arm has. The phis of a block come first in it, and each has one value for each block that can branch there.",
    example: situation(
      "%x is computed in block then alone, and used after it",
      "%y = phi i32 [ %x, %then ], [ 0, %entry ], and %y used",
    ),
  },
  "nvvm-annotation-elsewhere": {
    about:
      "A kernel is compiled as one, and its directives are written, where it is defined. An annotation of a declaration is meant for that module: link reads all of them before it compiles any, but as has one module alone.",
    example: situation(
      'ptxkit as a.ll, where a.ll has declare void @k() and !{ptr @k, !"kernel", i32 1}',
      "ptxkit link a.ll b.ll -o ab.img, where b.ll defines @k; or the annotation in b.ll",
    ),
  },
  "nvvm-32-bit": {
    about:
      "The data layout, or the triple where there is none, says how wide pointers are. ptxkit compiles, links and runs modules of either kind; NVIDIA's tools have taken 64 bits alone since CUDA 12.",
    example: situation('target triple = "nvptx-nvidia-cuda"', 'target triple = "nvptx64-nvidia-cuda"'),
  },
  "nvvm-initializer": {
    about:
      "The value of a variable is known when the module is loaded: numbers, addresses of functions and variables, and such an address plus a number of bytes, through casts to and from integers. The distance between two variables, or the product of an address, is not.",
    example: situation(
      "@d = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 ptrtoint (ptr addrspace(1) @b to i64))",
      "@d = addrspace(1) global i64 0, which a kernel writes",
    ),
  },
} as const;

const checking = {
  "unsupported-version": {
    about:
      "The first line of a module says which version of the PTX ISA it is written in, and that version does not exist or is newer than what ptxkit knows (9.4). With --assume-version a newer one is read as 9.4: versions add to the language and take little away, so that all but what the newer one brought is understood.",
    example: file(
      ".version 99.0\n.target sm_90\n.address_size 64\n",
      ".version 9.0\n.target sm_90\n.address_size 64\n",
    ),
  },
  "assumed-version": {
    about:
      "The module says a version of the PTX ISA that is newer than what ptxkit knows, and --assume-version has it read as the newest known one. What the newer version changed is not known here; instructions that it brought are still refused.",
    example: situation(
      "ptxkit check --assume-version newer.ptx, where newer.ptx says .version 9.5",
      "Run ptxkit of a version that knows it, or let a compiler write an older one: nvcc of an older toolkit, llc -mattr=+ptx94",
    ),
  },
  "unsupported-target": {
    about:
      "The name in .target is not a GPU architecture, or one that goes with nothing else in the module. Targets are written sm_NN; the suffix a means exactly that GPU, f its family.",
    example: file(".version 9.0\n.target sm_91\n.address_size 64\n", ".version 9.0\n.target sm_90\n.address_size 64\n"),
  },
  "target-version": {
    about:
      "Each architecture came with a version of PTX, and a module for it must say at least that version. PTX ISA 11.1.2 lists them; the message names the version needed.",
    example: file(
      ".version 7.0\n.target sm_90\n.address_size 64\n.global .u32 x;",
      ".version 7.8\n.target sm_90\n.address_size 64\n.global .u32 x;",
    ),
  },
  "unknown-type": {
    about:
      "Variables and registers have the types of PTX ISA 5.2: .u .s .b of 8 to 64 bits, .b128, .f16, .f16x2, .f32, .f64 and .pred. The narrow floats (.bf16, .e4m3 and others) exist in instructions only; a variable that holds them is of a .b type of the same size.",
    example: situation(
      "checkModule on a syntax tree that a program made, with a variable of type u33; in PTX text the parser finds it first and reports syntax",
      "The type u32, or an array of bytes for odd sizes.",
    ),
  },
  "vector-too-large": {
    about:
      "A vector type is loaded and stored in one access, and no access has more than 128 bits: .v4 goes with types of up to 32 bits, .v2 with up to 64. Use an array for more; it takes the same memory.",
    example: module(".global .v4 .f64 corners;", ".global .v2 .f64 corners[2];"),
  },
  "bad-alignment": {
    about:
      "The number after .align is how many bytes the variable's address is a multiple of, and hardware knows powers of two only.",
    example: module(".global .align 12 .b8 buffer[24];", ".global .align 16 .b8 buffer[24];"),
  },
  "variable-too-large": {
    about:
      "The product of the array bounds with the size of the type is beyond any memory that a GPU can address. Usually one bound is wrong, or was meant to be computed at run time: such memory is allocated by the host and its address passed to the kernel.",
    example: module(".global .f64 field[1048576][1048576][1024];", ".global .f64 field[1024][1024];"),
  },
  "image-too-large": {
    about:
      "Initialised data is stored in objects and images byte by byte, also where it is zero between two values, and there would be more of it than allowed: 256 MiB unless --max-image-size says otherwise. Uninitialised variables do not count.",
    example: module(".global .u8 table[1000000000] = {1};", ".global .u8 table[1000000000];"),
  },
  "link-too-large": {
    about:
      "The linker keeps offsets into files as 32-bit numbers: the inputs together, an output file and the initialised bytes of a section each have to be smaller than 2 GiB. Uninitialised variables take no bytes in a file and do not count.",
    example: situation(
      ".visible .global .u8 table[2147483640] = {1}; linked with --max-image-size 2G",
      ".visible .global .u8 table[2147483640]; filled by a launch specification or a kernel",
    ),
  },
  "incomplete-type": {
    about:
      "An array bound may be omitted only if something else determines the size: the initialiser, or the definition in another module for an .extern array. Here nothing does.",
    example: module(".global .u32 table[];", ".global .u32 table[] = {1, 2, 3};"),
  },
  "variable-space": {
    about:
      "Each state space has its place (PTX ISA 5.1). .global, .const and .shared variables are declared at module scope or in functions; .local and .reg ones in functions; .param ones in signatures and around calls.",
    example: module(".param .u32 limit;", ".const .u32 limit = 7;"),
  },
  linkage: {
    about:
      ".extern, .visible, .weak and .common say how a name is shared with other modules. Not every variable can be shared in each way: .common, which lets several modules define one zeroed variable, is for .global variables.",
    example: module(".common .const .u32 limit;", ".common .global .u32 limit;"),
  },
  attribute: {
    about:
      "The attributes .managed and .unified define how host and device share a .global variable; for other spaces they mean nothing. .unified needs sm_90.",
    example: module(".const .attribute(.managed) .u32 limit = 7;", ".global .attribute(.managed) .u32 limit = 7;"),
  },
  alias: {
    about:
      "`.alias NEW, OLD;` gives a defined function a second name. NEW must be declared before, with the same prototype and without a body, and OLD must be a .func defined in this module that is not .weak.",
    example: module(
      ".extern .func once();\n.visible .func twice();\n.alias twice, once;",
      ".visible .func once() { ret; }\n.visible .func twice();\n.alias twice, once;",
    ),
  },
  directive: {
    about:
      "Directives such as .maxntid, .reqntid and .minnctapersm promise something about how a kernel is launched, so that registers can be allotted. The values must be possible on a GPU and agree with each other (PTX ISA 11.4).",
    example: module(".entry k() .maxntid 0 { ret; }", ".entry k() .maxntid 256 { ret; }"),
  },
  "constant-bank": {
    about:
      "All .const variables of an image share one bank of 65536 bytes, which is what makes them fast. Larger tables belong into .global memory, read with ld.global.nc.",
    example: module(".const .u32 table[20000];", ".global .u32 table[20000];"),
  },
  "too-many-functions": {
    about:
      "A module with more than 131072 function bodies is refused, to keep the memory that a small input can ask for within bounds. Compilers make some thousands at most; split the module, and link the parts.",
    example: situation("A generated module with 200000 functions", "Two modules with 100000 functions each, linked."),
  },
  "parameter-space": {
    about:
      "A kernel's parameters are copied to the device with every launch and have 32764 bytes at most, 4352 before PTX ISA 8.1. Put larger data into memory and pass its address.",
    example: module(".entry k(.param .b8 table[40000]) { ret; }", ".entry k(.param .u64 table) { ret; }"),
  },
  redeclaration: {
    about:
      "A name has one meaning in its scope. It may be declared several times if all declarations agree in type, size, space and linkage, and defined once. The note shows the earlier declaration.",
    example: module(".global .u32 counter;\n.global .u64 counter;", ".global .u32 counter;\n.global .u64 total;"),
  },
  "undefined-function": {
    about:
      "A function that is declared without .extern is promised to be defined later in this module, and it is not. With .extern the linker looks for it in other modules.",
    example: module(
      ".func helper();\n.entry k() { call helper; ret; }",
      ".extern .func helper();\n.entry k() { call helper; ret; }",
    ),
  },
  "unknown-name": {
    about:
      "PTX wants registers, variables and functions declared before they are used; only labels may follow. The name may be mistyped, declared further down, or in another block: a name declared between braces ends at the closing one.",
    example: kernel("mov.u32 %count, 1;", ".reg .u32 %count;\nmov.u32 %count, 1;"),
  },
  "constant-expression": {
    about:
      "Expressions of constants are computed while checking, with C's operators on 64-bit integers (PTX ISA 4.5). Division by zero has no result, and % ~ << >> & | ^ do not take floats.",
    example: module(".global .u32 size = 100 / 0;", ".global .u32 size = 100 / 4;"),
  },
  "initializer-type": {
    about:
      "The kind of a value must fit the variable (PTX ISA 5.4.4): integers for integer and bit types, floats for float and bit types, addresses for .u32, .u64 and bit types of the same size.",
    example: module(".global .u32 ratio = 0.5;", ".global .f32 ratio = 0.5;"),
  },
  "initializer-shape": {
    about:
      "Braces nest as the dimensions do: one pair for each array, one for a vector, none for a single number. There may be fewer values than elements, never more.",
    example: module(".global .u32 table[2] = {1, 2, 3};", ".global .u32 table[3] = {1, 2, 3};"),
  },
  "initializer-space": {
    about:
      "Only .global and .const variables exist before a kernel starts, so only they can have a value from the beginning; .shared and .local memory begins anew with each block or thread and must be written by the kernel.",
    example: module(".shared .u32 counter = 0;", ".shared .u32 counter;"),
  },
  "driver-address": {
    about:
      "vprintf, malloc, free, __assertfail and the like are functions of the driver: modules declare them and call them by name, and no address of theirs is known to a linker or a kernel. ptxas refuses the address, too. Define a function that passes its parameters on, and use that one's address.",
    example: module(
      ".extern .func free(.param .b64 p);\n.global .u64 release = free;",
      ".extern .func free(.param .b64 p);\n.func pass(.param .b64 p)\n{\n  .reg .b64 %a;\n  .param .b64 q;\n  ld.param.b64 %a, [p];\n  st.param.b64 [q], %a;\n  call free, (q);\n  ret;\n}\n.global .u64 release = pass;",
    ),
  },
  "initializer-mask": {
    about:
      "mask(address) picks bytes of an address for a narrower holder: 0xFF picks the lowest, 0xFF00 the next, and so on. Other masks pick no whole byte.",
    example: module(".global .u32 x;\n.global .u8 low = 0x0F(x);", ".global .u32 x;\n.global .u8 low = 0xFF(x);"),
  },
  "initializer-truncated": {
    about:
      "The value needs more bits than the variable has. ptxas keeps the low bits without saying so; so does ptxkit, but it is rarely what was meant. Write the value that is to be stored, or widen the variable.",
    example: module(".global .u8 flags = 0x1FF;", ".global .u16 flags = 0x1FF;"),
  },
  "initializer-short-row": {
    about:
      "In an array of arrays an inner list has fewer values than its row has elements. The manual says that the rest of the row is zero; ptxas puts the next row's values there. ptxkit follows the manual. Write all values, so that every tool agrees.",
    example: module(
      ".global .u32 grid[2][3] = {{1, 2}, {3, 4, 5}};",
      ".global .u32 grid[2][3] = {{1, 2, 0}, {3, 4, 5}};",
    ),
  },
  "float-raw-bits": {
    about:
      "0fXXXXXXXX gives the 32 bits of a single-precision float. In a 64-bit variable those bits are stored as they are, and read back they are another number. 0dXXXXXXXXXXXXXXXX gives the 64 bits of a double.",
    example: module(".global .f64 half = 0f3F000000;", ".global .f64 half = 0d3FE0000000000000;"),
  },
  "narrow-address": {
    about:
      "With .address_size 64 an address has 64 bits, and the variable takes 32 of them. The program works as long as the upper half happens to be zero, which no GPU promises for global memory.",
    example: module(
      ".global .u32 x;\n.global .u32 pointer = generic(x);",
      ".global .u32 x;\n.global .u64 pointer = generic(x);",
    ),
  },
  "register-type": {
    about:
      "Registers are single values (or vectors): of type .pred, or of 16 bits and more in the types of PTX ISA 5.2. They have no addresses, so no array bounds; `%r<8>` declares the eight registers %r0 to %r7.",
    example: kernel(".reg .u32 %r[8];", ".reg .u32 %r<8>;"),
  },
  "section-data": {
    about:
      "The data of a .section (debug information, mostly) is listed with .b8, .b16, .b32 and .b64, and each value must fit its type, because a debugger reads it by position.",
    example: module(".section .debug_str { .b8 300 }", ".section .debug_str { .b8 44, 1 }"),
  },
  location: {
    about:
      ".file gives a source file its number and .loc says which line the following instructions come from. A .loc must name a number that some .file has, and inlined_at must repeat the place of a .loc above (PTX ISA 11.5).",
    example: module('.file 1 "a.cu"\n.file 1 "b.cu"\n', '.file 1 "a.cu"\n.file 2 "b.cu"\n'),
  },
  "unknown-instruction": {
    about:
      "An instruction is an opcode with modifiers in a fixed order, and this combination is not one of those that PTX ISA 9.0 lists. The message says whether the opcode, one modifier or the combination is unknown, and names the nearest valid one.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u33 %r1, %r0, 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
  requires: {
    about:
      "The instruction, modifier or directive exists, but in a newer version of PTX or on other GPUs than the module's .version and .target say. Raise them if the program may ask for that much; otherwise write what older GPUs have.",
    example: file(
      ".version 6.5\n.target sm_75\n.address_size 64\n.entry k()\n{\n  griddepcontrol.wait;\n  ret;\n}\n",
      ".version 7.8\n.target sm_90\n.address_size 64\n.entry k()\n{\n  griddepcontrol.wait;\n  ret;\n}\n",
    ),
  },
  "operand-count": {
    about:
      "Each instruction form has its number of operands, destination first. The note shows the form; operands in braces there may be left out.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
  "operand-kind": {
    about:
      "The operand is something else than the form asks for at this place: a register, a constant, an address in square brackets, a vector in braces, or a label. A result, for example, goes into a register, never into memory or a constant.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 1, %r0, 2;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 2;",
    ),
  },
  "operand-type": {
    about:
      "A register's type must agree with the instruction's (PTX ISA 9.4): the same size, and integers with integers, floats with the same float, while .b types go with everything of their size. Convert with cvt, or move the bits with mov.b32.",
    example: kernel(
      ".reg .f32 %f<2>;\n.reg .u32 %r<1>;\nmov.u32 %r0, %tid.x;\nadd.f32 %f0, %r0, 1.5;",
      ".reg .f32 %f<2>;\n.reg .u32 %r<1>;\nmov.u32 %r0, %tid.x;\ncvt.rn.f32.u32 %f1, %r0;\nadd.f32 %f0, %f1, 1.5;",
    ),
  },
  "operand-range": {
    about:
      "The constant is encoded in the instruction and has certain values only, such as a barrier's number 0 to 15. The message gives them.",
    example: kernel("bar.sync 16;", "bar.sync 15;"),
  },
  "operand-space": {
    about:
      "ld.shared reads shared memory, st.global writes global memory, and the variable named is in another space. Say the variable's space, or take a generic address (cvta) and leave the space out.",
    example: kernel(
      ".shared .u32 total;\n.reg .u32 %r<1>;\nld.global.u32 %r0, [total];",
      ".shared .u32 total;\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [total];",
    ),
  },
  call: {
    about:
      "A call gives as many arguments as the callee has parameters, each of the same type and size, and takes as many results. Through a register, the prototype named after the arguments decides.",
    example: module(
      ".func add1(.param .u32 x) { ret; }\n.entry k() { call add1; ret; }",
      ".func add1(.param .u32 x) { ret; }\n.entry k()\n{\n  .param .u32 a;\n  st.param.u32 [a], 1;\n  call add1, (a);\n  ret;\n}",
    ),
  },
} as const;

const advice = {
  "constant-truncated": {
    about:
      "A constant has more bits than the type it is used as, or than the 64 that constants are computed in. ptxas takes the low bits without a word; so does ptxkit. Write the value that is meant.",
    example: kernel(".reg .u16 %h<1>;\nmov.u16 %h0, 0x12345;", ".reg .u16 %h<1>;\nmov.u16 %h0, 0x2345;"),
  },
  "float-range": {
    about:
      "The constant is larger than the largest finite value of its type, so the instruction sees infinity. Where infinity is meant, write it: 0f7F800000 for .f32.",
    example: kernel(".reg .f32 %f<1>;\nmov.f32 %f0, 1.0e39;", ".reg .f32 %f<1>;\nmov.f32 %f0, 1.0e38;"),
  },
  "beyond-ptxas": {
    about:
      "The manual says that the size of each dimension of an array is a constant expression, and that a constant may be added to or subtracted from an index; ptxas takes a literal, and '+' alone. ptxkit reads both as the manual does, and 'link --emit ptx' writes what ptxas takes.",
    example: kernel(".local .b8 buffer[4 * 16];\nret;", ".local .b8 buffer[64];\nret;"),
  },
  "beyond-isa": {
    about:
      "In the manual a register has a constant added to it in an address only. ptxas takes 'register + constant' as a source operand of nearly every instruction, adds in the register's own width, and so does ptxkit: it puts an add in front of the instruction.",
    example: kernel(
      ".reg .u32 %r<3>;\nmov.u32 %r0, %tid.x;\nmul.lo.u32 %r1, %r0 + 1, %r0;",
      ".reg .u32 %r<3>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r2, %r0, 1;\nmul.lo.u32 %r1, %r2, %r0;",
    ),
  },
  "negative-modulo": {
    about:
      "In constant expressions PTX reads both operands of % as unsigned 64-bit numbers (PTX ISA 4.5.5), so that a negative one becomes very large. -7 % 3 is 0 in PTX and -1 in C.",
    example: module(".global .s32 rest = -7 % 3;", ".global .s32 rest = -1;"),
  },
  "shift-range": {
    about:
      "A shift by the width of its operand or more leaves zeros, or copies of the sign; in a constant expression the count is taken modulo 64. C leaves such shifts undefined, so code that comes from C rarely means it.",
    example: kernel(
      ".reg .b32 %r<2>;\nmov.b32 %r1, 1;\nshl.b32 %r0, %r1, 32;",
      ".reg .b32 %r<2>;\nmov.b32 %r1, 1;\nshl.b32 %r0, %r1, 31;",
    ),
  },
  "division-by-zero": {
    about:
      "Integer division by zero does not fault on a GPU; it gives a value that PTX leaves unspecified. A zero in the program text is hardly meant.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r1, 8;\ndiv.u32 %r0, %r1, 0;",
      ".reg .u32 %r<2>;\nmov.u32 %r1, 8;\ndiv.u32 %r0, %r1, 2;",
    ),
  },
  "unset-register": {
    about:
      "The register is read, and no instruction of the function writes it. Registers begin with whatever the hardware left in them, so the result may differ from run to run.",
    example: kernel(
      ".reg .u32 %r<2>;\nadd.u32 %r0, %r1, 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r1, %tid.x;\nadd.u32 %r0, %r1, 1;",
    ),
  },
  "written-twice": {
    about:
      "The instruction has several results and two of them go into one register. PTX does not say which of them is there afterwards. Use _ for an unused result.",
    example: kernel(
      ".shared .align 8 .b32 pair[2];\n.reg .b32 %r<2>;\nld.shared.v2.b32 {%r0, %r0}, [pair];",
      ".shared .align 8 .b32 pair[2];\n.reg .b32 %r<2>;\nld.shared.v2.b32 {%r0, %r1}, [pair];",
    ),
  },
  "misaligned-access": {
    about:
      "Loads and stores fault at addresses that are not a multiple of the bytes accessed, all elements of a vector together. The variable's alignment and the offset do not promise such an address. Raise the variable's .align, or use narrower accesses.",
    example: kernel(
      ".shared .b8 bytes[8];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [bytes];",
      ".shared .align 4 .b8 bytes[8];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [bytes];",
    ),
  },
  "out-of-bounds": {
    about:
      "The bytes accessed begin before the variable or end after it. The bytes there belong to another variable, or to none. The checker sees addresses that are a variable plus a constant, and warns. `run --sanitize` follows every pointer to the variable, buffer or heap block that it was derived from, and reports an error: test the index there.",
    example: kernel(
      ".shared .u32 table[4];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [table+16];",
      ".shared .u32 table[4];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [table+12];",
    ),
  },
  "launch-limit": {
    about:
      "The dimensions of .maxntid or .reqntid make more than the 1024 threads that a block can have, or .maxnreg is more than the 255 registers that a thread can have. ptxas says nothing of the first; a launch with so many threads fails.",
    example: module(".entry kernel() .maxntid 1024, 2 { ret; }", ".entry kernel() .maxntid 512, 2 { ret; }"),
  },
  "unknown-pragma": {
    about:
      "A pragma that a compiler does not know is ignored, so that a mistyped one has no effect and no message. PTX ISA chapter 12 lists those that exist.",
    example: kernel('.pragma "nounrol";', '.pragma "nounroll";'),
  },
} as const;

const linking = {
  "no-input": {
    about:
      "The linker was given no object. On the command line a response file may be empty, an archive may have no members, or none that is needed because nothing refers to them; in the library the list is empty.",
    example: situation("linkObjects([], {}, sink)", "linkObjects([object], {}, sink)"),
  },
  "already-linked": {
    about:
      "An image has fixed addresses and no open references, so there is nothing left to link. Give the objects it was made from.",
    example: situation("ptxkit link a.img b.o -o ab.img", "ptxkit link a.o b.o -o ab.img"),
  },
  "unknown-target": {
    about: "The name of the target is none that exists: sm_75 to sm_121, some with the suffix a or f.",
    example: situation(
      'linkObjects(objects, { arch: "sm_91" }, sink)',
      'linkObjects(objects, { arch: "sm_90" }, sink)',
    ),
  },
  "incompatible-target": {
    about:
      "PTX runs on its own architecture and on newer ones. With the suffix a it runs on exactly that one, with f on its family. The image is for the first input's target unless --arch says otherwise; choose one that all inputs can run on, or compile the newer input for an older target.",
    example: situation(
      "ptxkit link new.ptx old.ptx --arch sm_80 -o out.img, where new.ptx has .target sm_90",
      "ptxkit link new.ptx old.ptx --arch sm_90 -o out.img",
    ),
  },
  "address-size": {
    about:
      "A module says the size of its addresses by .address_size 32 or 64. One that says nothing is of 32 bits where its code holds a global or generic address in a register of 32 bits, as ptxas takes it, and fits both where it does not. Registers, initial values and parameters of the two kinds differ, so that they cannot share pointers.",
    example: situation(
      "ptxkit link old.ptx new.ptx -o out.img, where old.ptx has .address_size 32 and new.ptx .address_size 64",
      "Compile both for 64 bits (nvcc -m64), or link each with modules of its own kind.",
    ),
  },
  "not-in-version": {
    about:
      "link --emit ptx writes one module, and a module has one version: the latest that an input has or the target needs. What ended before it (registers and .local variables of module scope with PTX 3.0, numbered constant banks with 2.2) cannot be written there. Where --ptx-version names an older one, for a driver that knows no later, nothing may need more than that has; compilers write their own version whether anything needs it or not.",
    example: situation(
      "ptxkit link --emit ptx old.ptx new.ptx -o merged.ptx, where old.ptx has .version 2.3 and a .reg variable of module scope",
      "ptxkit link old.ptx new.ptx -o program.img",
    ),
  },
  "debug-dropped": {
    about:
      "link --emit ptx joins the DWARF sections of all modules: common tables, labels and numbers of files. Sections in which those cannot be found (macro information, forms that are not DWARF's, more than 127 shapes of entries) are left out, and the target option debug with them. Source lines are kept.",
    example: situation(
      "ptxkit link --emit ptx a.ptx b.ptx -o merged.ptx, where both have .debug_macinfo of clang -fdebug-macro",
      "ptxkit link --emit ptx lines.ptx -o merged.ptx, where lines.ptx was made by nvcc -lineinfo",
    ),
  },
  "name-dropped": {
    about:
      "In an image, a name of --defsym is a symbol of its own, by which a host can ask. PTX text cannot say that of a variable, or of a place inside one: code and data of the merged module refer to the symbol behind the name, and the name itself is gone.",
    example: situation(
      "ptxkit link --emit ptx --defsym gain=factor scale.ptx table.ptx -o merged.ptx",
      "ptxkit link --defsym gain=factor scale.ptx table.ptx -o scale.img",
    ),
  },
  "duplicate-symbol": {
    about:
      "Two modules define the same .visible name, and nothing says which of them is meant. Make one of them .extern, both .weak where they are equal (as C++ inline functions are), or leave .visible out where only its own module uses it.",
    example: link(
      [".visible .global .u32 counter = 1;", ".visible .global .u32 counter = 2;"],
      [".visible .global .u32 counter = 1;", ".extern .global .u32 counter;"],
    ),
  },
  "undefined-symbol": {
    about:
      "A module refers to an .extern name and no input defines it for others to see. The module that defines it is missing on the command line, defines it without .visible, or spells it otherwise. The message shows where the name is used, and names that come near.",
    example: link(
      [".extern .func helper();\n.visible .entry k() { call helper; ret; }", ".func helper() { ret; }"],
      [".extern .func helper();\n.visible .entry k() { call helper; ret; }", ".visible .func helper() { ret; }"],
    ),
  },
  "unresolved-symbol": {
    about:
      "No input defines the name, and --warn-unresolved-symbols makes that a warning, so that the image is still written. The driver would refuse to load it; ptxkit loads it, and a kernel that calls the function or touches the variable faults with its name.",
    example: situation(
      "ptxkit link --warn-unresolved-symbols main.ptx -o main.img",
      "ptxkit link main.ptx helpers.ptx -o main.img",
    ),
  },
  "repeated-definition": {
    about:
      "Several modules define the same .visible name, and --allow-multiple-definition makes that a warning: the first one on the command line is what every module means. Where the definitions differ, the modules of the others compute with something that they were not written for.",
    example: situation(
      "ptxkit link --allow-multiple-definition a.ptx b.ptx -o a.img",
      "ptxkit link a.ptx b.ptx -o a.img, with the definition in one of them and .extern in the other",
    ),
  },
  "common-symbol": {
    about:
      "--warn-common reports where a .common variable of one module met a definition or another .common variable of the same name. PTX makes them one: the definition, or the largest of the .common ones. That is what is meant by .common, and also what happens when two modules use one name by accident.",
    example: situation(
      "ptxkit link --warn-common a.ptx b.ptx -o a.img, both with .common .global .u32 count;",
      "ptxkit link --warn-common a.ptx b.ptx -o a.img, with .visible in one and .extern in the other",
    ),
  },
  "symbol-assignment": {
    about:
      "--defsym NAME=OTHER+OFFSET defines a name as a symbol of some module or an offset inside a variable. Names may refer to each other as long as the chain ends at a symbol; a kernel has one name, because its parameters and shared memory hang on it; and an offset must lie inside the variable.",
    example: situation(
      "ptxkit link --defsym a=b --defsym b=a main.ptx -o main.img",
      "ptxkit link --defsym a=b --defsym b=table+16 main.ptx -o main.img",
    ),
  },
  "symbol-kind": {
    about:
      "A name is a variable in one module and a function or kernel in another. One of them means something else than the other and needs another name.",
    example: link(
      [".extern .global .u32 limit;\n.visible .global .u64 p = limit;", ".visible .func limit() { ret; }"],
      [".extern .global .u32 limit;\n.visible .global .u64 p = limit;", ".visible .global .u32 limit;"],
    ),
  },
  "symbol-space": {
    about:
      "Modules declare one variable in different state spaces, so that one of them would use ld.const on global memory, or the other way round. Write the space of the definition everywhere.",
    example: link(
      [".visible .global .u32 limit = 7;", ".extern .const .u32 limit;\n.visible .global .u64 p = limit;"],
      [".visible .const .u32 limit = 7;", ".extern .const .u32 limit;\n.visible .global .u64 p = limit;"],
    ),
  },
  "symbol-managed": {
    about:
      "A managed variable lives where host and device both reach it, and the driver sets that up from its attribute. All modules must declare it so, or none.",
    example: link(
      [
        ".visible .global .attribute(.managed) .u32 shared_count;",
        ".extern .global .u32 shared_count;\n.visible .global .u64 p = shared_count;",
      ],
      [
        ".visible .global .attribute(.managed) .u32 shared_count;",
        ".extern .global .attribute(.managed) .u32 shared_count;\n.visible .global .u64 p = shared_count;",
      ],
    ),
  },
  "symbol-unified": {
    about:
      "The attribute .unified, with its two numbers, says that a variable or function has one address on the host and on every device; such variables are read with ld.unified only. A module that does not know it would read it otherwise. All modules must write the same attribute, or none.",
    example: situation(
      "a.ptx: .visible .global .attribute(.unified(1, 2)) .u32 limit;   b.ptx: .extern .global .u32 limit;",
      "b.ptx: .extern .global .attribute(.unified(1, 2)) .u32 limit;",
    ),
  },
  "symbol-size": {
    about:
      "The modules disagree on how many bytes the variable has, so that one would read or write beyond what the other defines. Usually one of them was not compiled again after a change. An open array, `[]`, agrees with every size.",
    example: link(
      [".visible .global .u32 table[4];", ".extern .global .u32 table[8];\n.visible .global .u64 p = table;"],
      [".visible .global .u32 table[4];", ".extern .global .u32 table[];\n.visible .global .u64 p = table;"],
    ),
  },
  "symbol-prototype": {
    about:
      "Caller and callee were compiled with different parameters or results, so that arguments would be looked for where they are not. The notes show both prototypes; compile the older module again.",
    example: link(
      [
        ".extern .func helper(.param .u32 x);\n.visible .entry k()\n{\n  .param .u32 a;\n  st.param.u32 [a], 1;\n  call helper, (a);\n  ret;\n}",
        ".visible .func helper(.param .u64 x) { ret; }",
      ],
      [
        ".extern .func helper(.param .u32 x);\n.visible .entry k()\n{\n  .param .u32 a;\n  st.param.u32 [a], 1;\n  call helper, (a);\n  ret;\n}",
        ".visible .func helper(.param .u32 x) { ret; }",
      ],
    ),
  },
  "driver-prototype": {
    about:
      "vprintf, malloc, free and __assertfail are functions of the driver: modules declare them, no module defines them, and linkers take any declaration. This one has other parameters or results than the driver's function, so that a call passes what the driver does not look for, and the kernel prints nonsense or faults. Declare the function as the message has it. A function of your own needs another name, or a definition.",
    example: link(
      [
        ".extern .func (.param .b64 p) malloc(.param .b32 size);\n.visible .entry k()\n{\n  .param .b32 a;\n  .param .b64 r;\n  st.param.b32 [a], 64;\n  call (r), malloc, (a);\n  ret;\n}",
      ],
      [
        ".extern .func (.param .b64 p) malloc(.param .b64 size);\n.visible .entry k()\n{\n  .param .b64 a;\n  .param .b64 r;\n  st.param.b64 [a], 64;\n  call (r), malloc, (a);\n  ret;\n}",
      ],
    ),
  },
  "symbol-type": {
    about:
      "The sizes agree and the types do not, as .u32 here and .f32 there. Nothing breaks while linking, but one module reads as a number what the other wrote as another. Where the bits are meant, declare a .b type on both sides. Of a sampler, texture or surface it says that modules set other fields (filter_mode, addr_mode_0): the image has those of the first.",
    example: link(
      [".visible .global .u32 scale;", ".extern .global .f32 scale;\n.visible .global .u64 p = scale;"],
      [".visible .global .f32 scale;", ".extern .global .f32 scale;\n.visible .global .u64 p = scale;"],
    ),
  },
  "odr-violation": {
    about:
      "Several modules define the name .weak, as C++ compilers do for inline functions and templates, and the first definition was taken. The language requires that all of them say the same, and these do not: other instructions, values or types. Modules were compiled from different sources or with different options, or two things have one name.",
    example: situation(
      "ptxkit link --detect-odr-violations a.ptx b.ptx -o out.img, where both have .weak .func step with other bodies",
      "the same, with both modules compiled from one header and with the same options",
    ),
  },
  "symbol-align": {
    about:
      "A module declares the variable with a larger .align than the definition has, and may use vector accesses that fault at addresses which are not a multiple of it. Give the definition the larger alignment.",
    example: link(
      [".visible .global .u32 table[4];", ".extern .global .align 16 .u32 table[4];\n.visible .global .u64 p = table;"],
      [
        ".visible .global .align 16 .u32 table[4];",
        ".extern .global .align 16 .u32 table[4];\n.visible .global .u64 p = table;",
      ],
    ),
  },
  "unknown-root": {
    about:
      "--kernels-used and --variables-used narrow what --gc-sections keeps to the names and patterns that they list. One of these fits no kernel, or no variable, of the inputs, so the image would lack a symbol that is needed. Names are those of the object, not of C++; * matches any text.",
    example: situation(
      "ptxkit link --gc-sections --kernels-used=saxpi saxpy.ptx -o saxpy.img",
      "ptxkit link --gc-sections --kernels-used=saxpy saxpy.ptx -o saxpy.img",
    ),
  },
  "nothing-live": {
    about:
      "--gc-sections keeps what kernels, .visible variables and the names of -u reach. The inputs have none of these, so everything would be dropped and the image would be empty. Modules of functions alone are no program: link them with the kernels that call them.",
    example: situation(
      "ptxkit link --gc-sections functions.ptx -o program.img",
      "ptxkit link --gc-sections functions.ptx kernels.ptx -o program.img, or with -u NAME for each function to keep",
    ),
  },
  "unknown-in-order": {
    about:
      "The file of --symbol-ordering-file says in which order variables and functions stand. A name of it belongs to nothing that is linked, or to a shared variable, whose place is another in each kernel. All others get their places as asked for.",
    example: situation(
      "ptxkit link --symbol-ordering-file order.txt a.ptx -o a.img, where order.txt says Table",
      "the same, where order.txt says table as a.ptx does",
    ),
  },
  "no-effect": {
    about:
      "The option only says more about another option, and that one is not on the command line: --print-gc-sections, --kernels-used and --variables-used concern the definitions that --gc-sections drops, and without it nothing is dropped.",
    example: situation(
      "ptxkit link --print-gc-sections a.ptx -o a.img",
      "ptxkit link --gc-sections --print-gc-sections a.ptx -o a.img",
    ),
  },
  "kernels-left-out": {
    about:
      "A link extracts the archive members that define symbols which other modules refer to. A kernel is launched by a host, and no code refers to it, so a member that holds only kernels is not extracted unless it is requested.",
    example: situation(
      "ptxkit link helpers.o libkernels.a -o program.img",
      "ptxkit link helpers.o --whole-archive libkernels.a -o program.img, or with -u KERNEL for single ones",
    ),
  },
  "ambiguous-kernel": {
    about:
      "Kernels without .visible belong to their module, as static functions do, so two of one name can be linked. But a host, a launch specification and -k know a kernel by its name alone, and get one of them.",
    example: link(
      [".entry step() { ret; }", ".entry step() { ret; }"],
      [".entry step_down() { ret; }", ".entry step_up() { ret; }"],
    ),
  },
  "unknown-stack": {
    about:
      "Each call that has not returned keeps its local memory, and a launch gives every thread a stack of one size. With recursion the required size is unknown: a program that recurses deeper than its stack faults or overwrites other memory. The notes name a shortest circle of each group of functions; a call through a register may reach every function of its type whose address is taken.",
    example: situation(
      ".visible .func fib() { call fib; ret; }\n.visible .entry k() { call fib; ret; }",
      "Make a loop of it, or set cudaLimitStackSize before the launch and build with -Wno-unknown-stack",
    ),
  },
  "shared-limit": {
    about:
      "All .shared variables that a kernel reaches, also through the functions it calls, share 49152 bytes (for targets of one architecture, such as sm_90a, all that its blocks can have). More is possible only as dynamic shared memory: an `.extern .shared` array whose size the launch gives.",
    example: link(
      [".shared .b8 tile[50000];\n.visible .entry k()\n{\n  st.shared.u8 [tile], 1;\n  ret;\n}"],
      [".extern .shared .b8 tile[];\n.visible .entry k()\n{\n  st.shared.u8 [tile], 1;\n  ret;\n}"],
    ),
  },
  "not-executed": {
    about:
      "ptxkit knows the instruction, checks and links it, but has no meaning for it yet that could be run; docs/isa.md lists which have one. Nothing of the launch was executed.",
    example: situation(
      "ptxkit run on a kernel that uses an instruction which docs/isa.md marks as not executed",
      "Compile for a target without it, such as an older sm_NN.",
    ),
  },
} as const;

const loading = {
  "launch-spec": {
    about:
      "The JSON file that says what to launch is not as docs/cli.md describes it, or does not fit the image: an unknown kernel, too few arguments, a buffer that is not declared. The place is that of the value concerned.",
    example: situation(
      '{ "launches": [{ "kernel": "scael", "grid": [1], "block": [32] }] }, while the image has a kernel scale',
      '{ "launches": [{ "kernel": "scale", "grid": [1], "block": [32] }] }',
    ),
  },
  "device-memory": {
    about:
      "Before a kernel runs, every .global variable and then every buffer of the launch gets its place in the device's memory, of which there are 4 GiB here, whatever GPU --gpu names. The message names the largest variable and its line, or the buffer that had no place any more.",
    example: situation(
      "ptxkit run big.ptx -k k -g 1 -b 1, where big.ptx declares .visible .global .b8 pool[5000000000];",
      "Declare as much as the launch uses, or let the kernel take a pointer and give it a buffer: -a u8[1000000]=0",
    ),
  },
} as const;

const running = {
  "illegal-address": {
    about:
      "A thread read or wrote an address that belongs to no allocation, or ran over the end of one. The message names the line, the block and the thread. Typical causes: no test against the number of elements, a buffer shorter than the grid, a host address passed for a device one.",
    example: situation(
      "A kernel for 1000 elements launched with 4 blocks of 256 threads writes x[i] for all 1024 of them",
      "Guard the access: setp.ge.u32 %p, %i, %n; @%p bra DONE;",
    ),
  },
  "misaligned-address": {
    about:
      "An access of n bytes needs an address that is a multiple of n (PTX ISA 6.4.1), and this one is not. For a vector, n is all of its elements together.",
    example: situation(
      "ld.global.v4.f32 from a buffer at offset 4",
      "Four single loads, or a buffer whose offset is a multiple of 16.",
    ),
  },
  trap: {
    about:
      "The kernel executed trap, which compilers put where the program must not get to (after abort, or where a switch has no case), or an instruction whose operands make it impossible.",
    example: situation(
      "A kernel calls __trap() because an argument was out of range",
      "Look at the line that the message names, and pass what it expects.",
    ),
  },
  assert: {
    about:
      "An assert() in the kernel's source was false. The message has the expression, file, line and function as the compiler recorded them.",
    example: situation(
      "assert(n > 0) with n = 0",
      "Pass a positive n. Compiling with -DNDEBUG takes the check away, not the cause.",
    ),
  },
  deadlock: {
    about:
      "No warp of the block can go on: each waits at a barrier that others will never reach, or for memory that no other thread will write. The notes show the location of every warp.",
    example: situation(
      "@%p bar.sync 0; where %p is false in one warp",
      "Let all warps of the block execute the barrier, whatever %p is.",
    ),
  },
  "instruction-limit": {
    about:
      "The launch issued as many warp instructions as --max-instructions allows. A loop may be endless, or the limit too small for the launch.",
    example: situation(
      "ptxkit run --max-instructions 1000 on a loop of 10000 turns",
      "A larger limit: --max-instructions 1000000",
    ),
  },
  "stack-overflow": {
    about:
      "Each call keeps its caller's local memory, and calls were nested deeper than there is room for. Most often a recursion has no end.",
    example: situation(".func deep() { call deep; ret; }", "Let the recursion end, or make a loop of it."),
  },
  interrupted: {
    about:
      "Ctrl-C was pressed. The launch stopped between two instructions; outputs are shown and written as far as they were computed.",
    example: situation("Ctrl-C during a long launch", "Let it run, or set --max-instructions to bound it."),
  },
} as const;

const sanitizing = {
  suppressions: {
    about:
      "`run --sanitize --suppressions FILE` leaves out the findings that a line of the file names: by kind, kernel and place, each of which may be a pattern with * and ?. Text after # is a comment.",
    example: situation("racy scan", "race scan* scan.cu:14"),
  },
  ratchet: {
    about:
      "`diff --ratchet FILE` fails only where a property of a function grew by more than a line of the file allows: a number, or a share of what it was. Properties are those that diff shows, with - for blanks. Text after # is a comment.",
    example: situation("registers more", "registers 0"),
  },
  "use-after-free": {
    about:
      "The memory belonged to a block that free has given back, or to a call that has returned its variable's address.",
    example: situation("free(p); *p = 1;", "Use *p first, then free(p)."),
  },
  "double-free": {
    about: "The address was given to free before, perhaps by another thread that shares the pointer.",
    example: situation("free(p) in every thread of the block", "if (threadIdx.x == 0) free(p)"),
  },
  misaligned: {
    about:
      "Loads and stores need addresses that are multiples of what they move: of all elements of a vector together.",
    example: situation("*(float4*)(p + 1) for a float* p", "Let vectors begin at multiples of four elements."),
  },
  uninitialized: {
    about:
      'Shared and local memory, the device heap, registers, and buffers with "undefined": true hold nothing until the kernel writes there. The finding is reported where such a value decides, addresses, or leaves the kernel.',
    example: situation("__shared__ int sum; atomicAdd(&sum, 1);", "if (threadIdx.x == 0) sum = 0; __syncthreads();"),
  },
  race: {
    about:
      "Accesses are ordered by barriers, by fences together with the strong accesses that they surround, by mbarriers, asynchronous waits and launches; never by what ran first. Lanes of a warp are threads like others.",
    example: situation("tile[t] = x; y = tile[t + 1];", "tile[t] = x; __syncthreads(); y = tile[t + 1];"),
  },
  barrier: {
    about:
      "Threads of a block went around a barrier that others wait at, a warp came to it in parts, its count is not the same for all, or an arrival at the cluster's barrier was never waited for.",
    example: situation("if (i < n) __syncthreads();", "Move the barrier after the branch."),
  },
  "warp-mask": {
    about: "Instructions ending in .sync wait for the lanes in their mask. Each lane names itself and the same others.",
    example: situation("if (lane < 16) __shfl_sync(0xffffffff, x, 0);", "Shuffle before the branch, or name 0xffff."),
  },
  "missing-wait": {
    about:
      "cp.async, bulk and tensor copies and st.async move their bytes at some time before the wait that covers them. The bytes were touched before a wait that the thread knows of.",
    example: situation(
      "cp.async ...; cp.async.commit_group; x = tile[t];",
      "Put cp.async.wait_group 0 and a barrier before the read.",
    ),
  },
  mbarrier: {
    about:
      "A phase of an mbarrier ends with as many arrivals as mbarrier.init said, and all bytes that were expected. Before init, beyond the count, or while it is in use, nothing it says can be relied on.",
    example: situation("mbarrier.init [b], 1; where 32 lanes arrive", "mbarrier.init [b], 32;"),
  },
  leak: {
    about: "The block is still allocated when the last launch has ended. The status stays as it is.",
    example: situation("int* p = new int[n]; without delete[]", "delete[] p; after the last use"),
  },
} as const;

/** The explanations by the stage that reports the code, in the order of the stages. */
export const explanationsByStage: Readonly<Record<string, Readonly<Record<string, Explanation>>>> = {
  "The command line": commandLine,
  Files: files,
  Parsing: parsing,
  "NVVM IR": nvvm,
  Checking: checking,
  "Checking: advice": advice,
  Linking: linking,
  "Reading a launch specification": loading,
  Running: running,
  Sanitizing: sanitizing,
};

/** The explanation of every code. */
export const explanations = {
  ...commandLine,
  ...files,
  ...parsing,
  ...nvvm,
  ...checking,
  ...advice,
  ...linking,
  ...loading,
  ...running,
  ...sanitizing,
} satisfies Record<CodeName, Explanation>;
