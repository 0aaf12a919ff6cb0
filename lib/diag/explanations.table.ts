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
      "An option is unknown, lacks its value, has an invalid value, or conflicts with another option. Most such errors are found before an input is read. The exit status is 2; errors in inputs have exit status 1.",
    example: situation(
      "ptxkit link a.ptx b.ptx",
      "ptxkit link a.ptx b.ptx -o ab.img (link has no default name for the image)",
    ),
  },
  "file-access": {
    about:
      "A file could not be opened, read or written. The message ends with the operating system's reason, followed by a remedy. Other inputs are still checked. An output is written to a temporary file in the same folder and then renamed. The folder must therefore be writable, and an existing file is not damaged by an error.",
    example: situation(
      "ptxkit as kernel.ptx -o build/kernel.o, without a folder build",
      "Create the folder first: mkdir -p build",
    ),
  },
  "not-supported": {
    about:
      "ptxkit does not support this combination of an option and a kind of file, or this version of LLVM bitcode. It reports an error instead of ignoring the option, because an incomplete result could go unnoticed.",
    example: situation(
      "ptxkit inspect --resource-usage kernel.o, where kernel.o contains PTX, whose registers are not yet allocated",
      "Use the view that the message names, or compile the PTX with ptxas -v.",
    ),
  },
} as const;

const files = {
  "unknown-format": {
    about:
      "ptxkit detects the format from the first bytes of an input, not from its name. An ELF file begins with the bytes 7F 45 4C 46. PTX and NVVM IR are text; PTX begins with .version after comments and white space. This file has no known format, or a format that this command does not accept. Often it is empty, compressed, or a C++ source.",
    example: situation(
      "ptxkit check kernel.cu",
      "Compile it to PTX first (nvcc -ptx kernel.cu), then: ptxkit check kernel.ptx",
    ),
  },
  "malformed-file": {
    about:
      "A size, count or offset in a header, section or symbol is out of range or refers to a structure of the wrong kind. The number after the file's name is a byte offset. Most such files were truncated by an incomplete copy. ptxkit does not guess missing contents.",
    example: situation("The first half of an object, from an interrupted download", "Fetch or build the file again."),
  },
  "broken-rule": {
    about:
      "inspect --verify checks the rules that all valid files of a kind follow. For example, references between tables are valid, symbols are inside their sections, kernel parameters are adjacent in their bank, and encoded functions decode. The note shows the violated rule. The number after the file's name is a byte offset. Tools may accept such a file, but can interpret it differently.",
    example: situation(
      "An image in which a tool moved a section without updating the symbols",
      "Build the file again with the tool that created it.",
    ),
  },
  "machine-code": {
    about:
      "The object contains SASS, the machine code of one GPU architecture. ptxkit links and runs PTX, which its own objects contain in encoded form. For cubins it supports inspection only (ptxkit inspect).",
    example: situation(
      "ptxkit link kernel.cubin -o kernel.img, with a cubin from ptxas",
      "Use the PTX from which the cubin was compiled: ptxkit link kernel.ptx -o kernel.img",
    ),
  },
  "no-such-member": {
    about:
      "FILE(NAME) selects a part of a file: a member of an archive, or an entry of a fatbin or of a host object that contains one. The archive or fatbin exists, but has no member or entry of this name. Entries have names such as 1.sm_90.ptx; a number selects by position, from 1. 'ptxkit inspect FILE' lists the names. --hex and --function select sections and functions of the file.",
    example: situation(
      "ptxkit inspect 'libkernels.a(scale.obj)', where the member is named scale.o",
      "ptxkit inspect 'libkernels.a(scale.o)'",
    ),
  },
  "no-embedded-ptx": {
    about:
      "nvcc embeds GPU code into host objects as a fatbin: machine code (SASS) or PTX for some architectures, or LTO-IR with -dlto. ptxkit links the latest PTX that the target supports. This fatbin has no PTX, or only PTX for later architectures. 'ptxkit inspect FILE' lists its contents.",
    example: situation(
      "ptxkit link a.o -o a.img, where a.o was built with nvcc -dc -arch=sm_90, which embeds machine code only",
      "Embed PTX: nvcc -dc -gencode arch=compute_90,code=compute_90 a.cu",
    ),
  },
  "embedded-left-out": {
    about:
      "A program or shared library from nvcc contains the GPU code of every library that it was linked with. With nvcc -rdc=true this includes the device runtime, which has PTX for the latest architecture only. ptxkit links the parts with PTX for the target; the message names the others. References to the latter are undefined symbols, and their kernels cannot be launched. 'ptxkit inspect FILE' lists the contents.",
    example: situation(
      "nvcc -rdc=true -gencode arch=compute_90,code=compute_90 a.cu b.cu -o program, then ptxkit link program -o a.img",
      "Link the objects instead: ptxkit link a.o b.o -o a.img. Or omit the device runtime: nvcc -cudadevrt none",
    ),
  },
} as const;

const parsing = {
  syntax: {
    about:
      "The text is not valid PTX at this location; the message names what was expected. Checking continues with the next statement or declaration, so that later errors are reported too. The most common cause is a missing semicolon, comma or bracket on the line before.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
} as const;

const nvvm = {
  "nvvm-syntax": {
    about:
      "The text is not valid LLVM IR at this location; the message names what was expected. Parsing continues with the next instruction or declaration. All versions of textual IR are supported, from LLVM 3.2 (NVVM IR 1.0) to the current one.",
    example: situation("%s = add i32 %a %b", "%s = add i32 %a, %b"),
  },
  "nvvm-dialect": {
    about:
      "LLVM 15 replaced typed pointers such as i32* by the opaque pointer type ptr. A module uses one of the two. The syntax of NVVM IR 1.0, such as a load without a result type, is not valid with opaque pointers. Modules of different versions can be linked.",
    example: situation("define void @f(ptr %p, i32* %q)", "define void @f(ptr %p, ptr %q)"),
  },
  "nvvm-undefined": {
    about:
      "The module, or the function, does not define the name or number. The message suggests a similar name if there is one. Functions and variables of other modules require a declaration: declare void @f(), @v = external global i32.",
    example: situation("br label %exti, in a function with the block exit", "br label %exit"),
  },
  "nvvm-redefined": {
    about:
      "A local name refers to one value or block of its function, a global name to one variable, function or alias of the module. The numbers of unnamed values increase in the order of the text, so a smaller number is already in use.",
    example: situation(
      "%x = add i32 %a, 1, followed by %x = add i32 %a, 2",
      "%x = add i32 %a, 1, and %y = add i32 %a, 2",
    ),
  },
  "nvvm-mismatch": {
    about:
      "Each operand, or the first of several, is preceded by its type, which must be the type of the value's definition. Floating-point constants must be exactly representable: 0.1 is not a valid float, because decimal constants are read as doubles.",
    example: situation(
      "%a = load i64, ptr %p, followed by add i32 %a, 1",
      "%b = trunc i64 %a to i32, followed by add i32 %b, 1",
    ),
  },
  "nvvm-alias": {
    about:
      "An alias of a function becomes a .alias directive of PTX. An alias of a variable is replaced by the variable plus the alias's offset, and the object exports the alias's name. The linker supports such names only for offsets inside the variable. Uses in the module itself are not affected.",
    example: situation(
      "ptxkit as a.ll, where @a is an i32 and @b = alias i32, getelementptr (i32, ptr addrspace(1) @a, i64 -1)",
      "let @b refer to an offset from @a to @a + 4",
    ),
  },
  "nvvm-compiler-error": {
    about:
      "llvm.nvvm.compiler.error(p) makes the compiler report the string at p as an error. Libraries call it under a condition on __nvvm_reflect or the target, so that it is removed in valid configurations.",
    example: situation(
      'call void @llvm.nvvm.compiler.error(ptr @text), where @text is c"needs sm_90\\00"',
      "Compile the module for the target or with the options that the string requires.",
    ),
  },
  "nvvm-compiler-warning": {
    about:
      "llvm.nvvm.compiler.warn(p) makes the compiler report the string at p as a warning. Compilation continues. Libraries call it under a condition on __nvvm_reflect or the target.",
    example: situation(
      'call void @llvm.nvvm.compiler.warn(ptr @text), where @text is c"slow on this target\\00"',
      "Remove the call, or pass -Wno-nvvm-compiler-warning.",
    ),
  },
  "nvvm-annotation": {
    about:
      "!nvvm.annotations declares which functions are kernels, their block sizes, and which variables are textures or surfaces. Linking merges the annotations of all modules first. Two values for one property are an error, in one module or across modules.",
    example: situation(
      'a.ll: !0 = !{ptr @k, !"maxntidx", i32 128} and b.ll: !0 = !{ptr @k, !"maxntidx", i32 256}',
      "Both specify i32 128, or only the module that defines @k has the annotation.",
    ),
  },
  "nvvm-version": {
    about:
      "Later versions of NVVM IR relaxed the rules: half, atomic loads and stores, min and max came after 1.0. !nvvmir.version contains the version as two numbers, or as four with the version of the debug information. Without it, a module in the syntax of NVVM IR 1.0 is treated as version 1.0, any other as LLVM IR without NVVM restrictions.",
    example: situation("!nvvmir.version = !{!0} and !0 = !{i32 9, i32 0}", "!0 = !{i32 2, i32 0}"),
  },
  "nvvm-layout": {
    about:
      "The data layout specifies the size and alignment of types. On a GPU these are fixed (NVVM IR 1.0 section 3.13). A layout can only repeat the fixed values and select 32-bit or 64-bit pointers.",
    example: situation(
      'target datalayout = "E-p:64:64:64"',
      'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"',
    ),
  },
  "nvvm-triple": {
    about:
      "The module was compiled for a CPU or for another vendor's GPU. Its type sizes, address spaces and calling conventions are those of that machine, so it cannot be compiled for an NVIDIA GPU.",
    example: situation('target triple = "x86_64-unknown-linux-gnu"', 'target triple = "nvptx64-nvidia-cuda"'),
  },
  "nvvm-name": {
    about:
      "Names in NVVM IR 1.0 must be valid in PTX, so they have no dots. Later versions and LLVM IR accept any name; characters that PTX does not allow are replaced, a dot by _$_. Names that begin with llvm. are always reserved for the compiler, names that begin with nvvm. in NVVM IR 1.0.",
    example: situation(
      "@a.b = addrspace(1) global i32 0, in a module of version 1.0",
      "@a_b = addrspace(1) global i32 0",
    ),
  },
  "nvvm-linkage": {
    about:
      "The linkage type controls how the linker treats a name. A GPU has no DLLs, and names cannot stay undefined (extern_weak). Appending linkage applies to llvm.used and llvm.compiler.used only. An alias refers to a definition in the same module.",
    example: situation("@v = dllexport addrspace(1) global i32 0", "@v = addrspace(1) global i32 0"),
  },
  "nvvm-unsupported": {
    about:
      "NVVM IR is LLVM IR without the features that have no meaning on a GPU, such as thread-local storage, linker sections and static constructors. The message gives the remedy for each.",
    example: situation("@t = thread_local global i32 0", "%t = alloca i32, which is private to a thread"),
  },
  "nvvm-attribute": {
    about:
      "Function attributes follow the parameter list; parameter attributes precede the parameter's name. zeroext and signext apply to integers, byval and noalias to pointers. Ten function attributes of LLVM are errors in modules that declare an NVVM IR version, such as naked and ssp. Other modules may have them; they have no effect.",
    example: situation("define void @f(float zeroext %x)", "define void @f(float %x)"),
  },
  "nvvm-align": {
    about:
      "Caller and callee must agree on the location of arguments. An alignment other than the natural one requires an annotation of the function. Its value has the position in the upper 16 bits and the number of bytes in the lower. Indirect calls require !callalign, ordered by position.",
    example: situation(
      '!{void (i32)* @f, !"align", i32 65544}, which aligns parameter 1, an i32, to 8 bytes',
      "i32 65540, which aligns it to 4 bytes, or no annotation",
    ),
  },
  "nvvm-call": {
    about:
      "A call must pass the number and types of arguments that the function declares. In NVVM IR 1.0 a function with variable arguments, such as vprintf, can be declared and called but not defined, because va_arg is missing. Later versions and LLVM IR have both.",
    example: situation("define void @log(i8* %format, ...)", "define void @log(i8* %format, i8* %arguments)"),
  },
  "nvvm-atomic": {
    about:
      "Atomic operations access global and shared memory, or generic pointers to them. Local memory is private to a thread, and constant memory is read-only. In version 1.0, a fence is a call of llvm.nvvm.membar.cta, .gl or .sys, and an atomic load is a volatile load.",
    example: situation(
      "%old = atomicrmw add i16 addrspace(1)* %p, i16 1 seq_cst",
      "%old = atomicrmw add i32 addrspace(1)* %q, i32 1 seq_cst",
    ),
  },
  "nvvm-type": {
    about:
      "A GPU supports integers, float and double; later versions of NVVM IR add half and bfloat. A structure may contain itself only through a pointer. Loads and allocations require a type with a known size.",
    example: situation("%s = type { i32, %s }", "%s = type { i32, %s* }"),
  },
  "nvvm-asm": {
    about:
      "Inline assembly is PTX. Each operand has a constraint that matches its type. Constraints of results begin with =; an operand that shares a register with a result uses the result's number. Later versions also accept b for i1, q for i128, and n and i for constants.",
    example: situation(
      'call i32 asm "mov.b32 $0, $1;", "=r,l"(i32 %x)',
      'call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)',
    ),
  },
  "nvvm-instruction": {
    about:
      "These instructions require stack unwinding or jumps to computed addresses. Compilers generate them for exceptions, which -fno-exceptions disables, and for computed goto, which a switch can replace.",
    example: situation("invoke void @f() to label %a unwind label %b", "call void @f() and br label %a"),
  },
  "nvvm-intrinsic": {
    about:
      "Functions whose names begin with llvm. are intrinsics of the compiler. An unknown name or another signature cannot be compiled; the message suggests the nearest known name. Some arguments must be constants.",
    example: situation("declare i32 @llvm.nvvm.read.ptx.sreg.tidx()", "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"),
  },
  "nvvm-space": {
    about:
      "A variable is in the generic, global, shared or constant address space, as its type specifies. Constant memory is read-only, and code can only be called. A generic pointer can be converted back to the address space of the original pointer only.",
    example: situation("@v = addrspace(5) global i32 0", "@v = addrspace(1) global i32 0"),
  },
  "nvvm-space-mismatch": {
    about:
      "An address in shared memory is an offset from the start of the block's shared memory; an address in global memory is not. The same bits therefore refer to different bytes in each space. Only generic pointers can refer to any address space.",
    example: situation(
      "load i32, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr addrspace(3) @s to i64) to ptr addrspace(1))",
      "load i32, ptr addrspace(3) @s",
    ),
  },
  "nvvm-no-kernel": {
    about:
      "The directives .maxntid, .reqntid, .minnctapersm and .maxnreg apply to kernels. A called function inherits the limits of the kernel that calls it.",
    example: situation(
      '!0 = !{ptr @f, !"maxntidx", i32 128}',
      '!0 = !{ptr @f, !"kernel", i32 1, !"maxntidx", i32 128}',
    ),
  },
  "nvvm-kernel-call": {
    about:
      "Kernels are launched by the host, with their parameters in constant memory. A call from device code passes arguments as for a function and does not start new threads.",
    example: situation("call void @kernel(), in another kernel", "call void @work(), which @kernel also calls"),
  },
  "nvvm-texture": {
    about:
      "The host binds an object to the name of the variable. The variable's handle, an i64, is the operand of texture instructions. Its address has no contents: the variable cannot be loaded, stored, or passed as a pointer.",
    example: situation(
      "load i64, i64 addrspace(1)* @tex",
      "call i64 @llvm.nvvm.texsurf.handle.p1i64(metadata !{i64 addrspace(1)* @tex}, i64 addrspace(1)* @tex)",
    ),
  },
  "nvvm-limit": {
    about:
      "Variables in address space 4 share one constant bank of 64 KiB, which is fast if all threads of a warp read the same address. Put larger tables into global memory.",
    example: situation(
      "@t = addrspace(4) constant [20000 x i32] zeroinitializer",
      "@t = addrspace(1) constant [20000 x i32] zeroinitializer",
    ),
  },
  "nvvm-misprint": {
    about:
      "Sections 12 and 13 of the specification print some intrinsic names with the letter l instead of the digit 1 of address space 1. Modules that use these names are accepted with this warning.",
    example: situation(
      "declare i64 @llvm.nvvm.texsurf.handle.pli64(metadata, i64 addrspace(1)*)",
      "declare i64 @llvm.nvvm.texsurf.handle.p1i64(metadata, i64 addrspace(1)*)",
    ),
  },
  "nvvm-operand": {
    about:
      "IR has no implicit conversions. Conversions between integer widths, between integers and floats, and between pointers and integers require an instruction. Vector operands must have equal lengths.",
    example: situation("%s = add float %a, %b", "%s = fadd float %a, %b"),
  },
  "nvvm-ssa": {
    about:
      "IR is in SSA form. A value computed in one arm of a branch is not available after it, unless a phi selects between the values of both arms. Phis are the first instructions of a block and have one value for each predecessor.",
    example: situation(
      "%x is computed in block then alone, and used after it",
      "%y = phi i32 [ %x, %then ], [ 0, %entry ], and %y used",
    ),
  },
  "nvvm-annotation-elsewhere": {
    about:
      "A function is compiled as a kernel, with its directives, in the module that defines it. An annotation of a declaration applies to that other module. link reads the annotations of all modules before it compiles them, but as compiles one module alone.",
    example: situation(
      'ptxkit as a.ll, where a.ll has declare void @k() and !{ptr @k, !"kernel", i32 1}',
      "ptxkit link a.ll b.ll -o ab.img, where b.ll defines @k; or move the annotation to b.ll",
    ),
  },
  "nvvm-32-bit": {
    about:
      "The data layout, or the triple if there is no layout, specifies the size of pointers. ptxkit compiles, links and runs modules of both sizes; NVIDIA's tools support only 64 bits since CUDA 12.",
    example: situation('target triple = "nvptx-nvidia-cuda"', 'target triple = "nvptx64-nvidia-cuda"'),
  },
  "nvvm-initializer": {
    about:
      "The value of a variable must be known when the module is loaded: numbers, addresses of functions and variables, and such addresses plus a number of bytes, through casts to and from integers. The difference of two addresses, or a multiple of one, is not known. Shared variables are uninitialised when a block starts.",
    example: situation(
      "@d = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 ptrtoint (ptr addrspace(1) @b to i64))",
      "@d = addrspace(1) global i64 0, to which a kernel writes",
    ),
  },
} as const;

const checking = {
  "unsupported-version": {
    about:
      "The .version directive specifies the version of the PTX ISA for which the module is written. This version does not exist, or is newer than the newest one that ptxkit supports (9.4). --assume-version reads a newer version as 9.4. Because new versions mostly add features, only their additions are then unknown.",
    example: file(
      ".version 99.0\n.target sm_90\n.address_size 64\n",
      ".version 9.0\n.target sm_90\n.address_size 64\n",
    ),
  },
  "assumed-version": {
    about:
      "The module declares a PTX ISA version newer than the newest one that ptxkit supports, and --assume-version reads it as that. Changes of the newer version are unknown; instructions that it added are still errors.",
    example: situation(
      "ptxkit check --assume-version newer.ptx, where newer.ptx has .version 9.5",
      "Use a ptxkit that supports the version, or let the compiler write an older one: nvcc of an older toolkit, llc -mattr=+ptx94",
    ),
  },
  "unsupported-target": {
    about:
      "The name in .target is not a GPU architecture, or is not valid with the rest of the header. Targets are sm_NN; the suffix a selects exactly that GPU, f its family.",
    example: file(".version 9.0\n.target sm_91\n.address_size 64\n", ".version 9.0\n.target sm_90\n.address_size 64\n"),
  },
  "target-version": {
    about:
      "Each architecture was introduced with a version of the PTX ISA, and a module for it must declare at least that version. PTX ISA 11.1.2 lists them; the message names the required version.",
    example: file(
      ".version 7.0\n.target sm_90\n.address_size 64\n.global .u32 x;",
      ".version 7.8\n.target sm_90\n.address_size 64\n.global .u32 x;",
    ),
  },
  "unknown-type": {
    about:
      "Variables and registers have the types of PTX ISA 5.2: .u .s .b of 8 to 64 bits, .b128, .f16, .f16x2, .f32, .f64 and .pred. Narrow floating-point types (.bf16, .e4m3 and others) occur in instructions only; their values are stored in variables with a .b type of the same size.",
    example: situation(
      "checkModule with a syntax tree that a program created, with a variable of type u33; in PTX text the parser reports syntax first",
      "The type u32, or an array of bytes for other sizes.",
    ),
  },
  "vector-too-large": {
    about:
      "A vector is loaded and stored in one access of at most 128 bits. Therefore .v4 requires types of up to 32 bits, and .v2 types of up to 64. Use an array for more elements; it takes the same memory.",
    example: module(".global .v4 .f64 corners;", ".global .v2 .f64 corners[2];"),
  },
  "bad-alignment": {
    about:
      "The operand of .align is the number of bytes of which the variable's address must be a multiple. It must be a power of two.",
    example: module(".global .align 12 .b8 buffer[24];", ".global .align 16 .b8 buffer[24];"),
  },
  "variable-too-large": {
    about:
      "The product of the array bounds and the element size exceeds the memory that a GPU can address. Usually one bound is wrong. If the size is only known at run time, the host allocates the memory and passes its address to the kernel.",
    example: module(".global .f64 field[1048576][1048576][1024];", ".global .f64 field[1024][1024];"),
  },
  "image-too-large": {
    about:
      "Objects and images store initialised data in full, including zeros between two values. It exceeds the limit, which is 256 MiB unless --max-image-size sets another one. Uninitialised variables do not count.",
    example: module(".global .u8 table[1000000000] = {1};", ".global .u8 table[1000000000];"),
  },
  "link-too-large": {
    about:
      "The linker stores file offsets as 32-bit numbers. The inputs together, each output file, and the initialised bytes of each section must be smaller than 2 GiB. Uninitialised variables have no bytes in a file and do not count.",
    example: situation(
      ".visible .global .u8 table[2147483640] = {1}; linked with --max-image-size 2G",
      ".visible .global .u8 table[2147483640]; filled by a launch specification or a kernel",
    ),
  },
  "incomplete-type": {
    about:
      "An array bound may be omitted only if the size is defined elsewhere: by the initialiser, or for an .extern array by another module. Here neither defines it.",
    example: module(".global .u32 table[];", ".global .u32 table[] = {1, 2, 3};"),
  },
  "variable-space": {
    about:
      "Each state space has a scope in which it can be declared (PTX ISA 5.1). .global, .const and .shared variables are declared at module scope or in functions. .local and .reg variables are declared in functions, .param variables in signatures and around calls.",
    example: module(".param .u32 limit;", ".const .u32 limit = 7;"),
  },
  linkage: {
    about:
      ".extern, .visible, .weak and .common define how a name is shared with other modules. Not every declaration supports all of them. .common, which lets several modules define one zero-initialised variable, applies to .global variables only. An .extern function cannot have a body.",
    example: module(".common .const .u32 limit;", ".common .global .u32 limit;"),
  },
  attribute: {
    about:
      "The attributes .managed and .unified define how host and device share memory. .managed applies to .global variables. .unified takes two numbers, applies to .global variables and functions, and requires sm_90.",
    example: module(".const .attribute(.managed) .u32 limit = 7;", ".global .attribute(.managed) .u32 limit = 7;"),
  },
  alias: {
    about:
      "`.alias NEW, OLD;` defines a second name for a function. NEW must be declared before, with the same prototype and without a body. OLD must be a .func that this module defines and that is not .weak.",
    example: module(
      ".extern .func once();\n.visible .func twice();\n.alias twice, once;",
      ".visible .func once() { ret; }\n.visible .func twice();\n.alias twice, once;",
    ),
  },
  directive: {
    about:
      "Directives such as .maxntid, .reqntid and .minnctapersm specify how a kernel will be launched, so that the compiler can allocate registers. Their values must be possible on a GPU and must not contradict each other (PTX ISA 11.4).",
    example: module(".entry k() .maxntid 0 { ret; }", ".entry k() .maxntid 256 { ret; }"),
  },
  "constant-bank": {
    about:
      "All .const variables of an image share one constant bank of 65536 bytes. Put larger tables into .global memory and read them with ld.global.nc.",
    example: module(".const .u32 table[20000];", ".global .u32 table[20000];"),
  },
  "too-many-functions": {
    about:
      "A module with more than 131072 function bodies is rejected, which limits the memory that a small input can require. Compilers generate a few thousand at most. Split the module, and link the parts.",
    example: situation("A generated module with 200000 functions", "Two modules with 100000 functions each, linked."),
  },
  "parameter-space": {
    about:
      "A kernel's parameters are copied to the device at each launch and have at most 32764 bytes. Before PTX ISA 8.1 or sm_70 the limit is 4352 bytes, before PTX ISA 2.0 it is 256. Put larger data into memory and pass its address.",
    example: module(".entry k(.param .b8 table[40000]) { ret; }", ".entry k(.param .u64 table) { ret; }"),
  },
  redeclaration: {
    about:
      "A name has one meaning in its scope. It may be declared several times if all declarations have the same type, size, space and linkage, and defined once. The note shows the earlier declaration.",
    example: module(".global .u32 counter;\n.global .u64 counter;", ".global .u32 counter;\n.global .u64 total;"),
  },
  "undefined-function": {
    about:
      "A function that is declared without .extern must be defined later in the same module, but is not. With .extern, another module may define it.",
    example: module(
      ".func helper();\n.entry k() { call helper; ret; }",
      ".extern .func helper();\n.entry k() { call helper; ret; }",
    ),
  },
  "unknown-name": {
    about:
      "PTX requires the declaration of registers, variables and functions before their use; only labels may be declared later. The name may be misspelt, declared further down, or declared in another block: a declaration between braces ends at the closing brace.",
    example: kernel("mov.u32 %count, 1;", ".reg .u32 %count;\nmov.u32 %count, 1;"),
  },
  "constant-expression": {
    about:
      "Constant expressions are evaluated during checking, with C's operators on 64-bit integers (PTX ISA 4.5). Division by zero has no result, and % ~ << >> & | ^ do not accept floats.",
    example: module(".global .u32 size = 100 / 0;", ".global .u32 size = 100 / 4;"),
  },
  "initializer-type": {
    about:
      "The value must match the variable's type (PTX ISA 5.4.4): integers for integer and bit types, floats for floating-point and bit types, and addresses for .u32 and .u64.",
    example: module(".global .u32 ratio = 0.5;", ".global .f32 ratio = 0.5;"),
  },
  "initializer-shape": {
    about:
      "Braces nest as the dimensions do: one pair for each array, one for a vector, none for a scalar. An array may have fewer values than elements, but not more. A vector lists all its elements.",
    example: module(".global .u32 table[2] = {1, 2, 3};", ".global .u32 table[3] = {1, 2, 3};"),
  },
  "initializer-space": {
    about:
      "Only .global and .const variables exist before a kernel starts, so only they can have initial values. For the same reason, only their addresses and those of functions are known. Memory in .shared is uninitialised for each block, in .local for each thread; the kernel must write it. Parameters and .extern variables have no initial value either.",
    example: module(".shared .u32 counter = 0;", ".shared .u32 counter;"),
  },
  "driver-address": {
    about:
      "vprintf, malloc, free, __assertfail and others are functions of the driver. Modules declare them and call them by name; neither the linker nor a kernel knows their addresses. ptxas rejects such an address, too. Define a function that forwards its parameters, and use its address.",
    example: module(
      ".extern .func free(.param .b64 p);\n.global .u64 release = free;",
      ".extern .func free(.param .b64 p);\n.func pass(.param .b64 p)\n{\n  .reg .b64 %a;\n  .param .b64 q;\n  ld.param.b64 %a, [p];\n  st.param.b64 [q], %a;\n  call free, (q);\n  ret;\n}\n.global .u64 release = pass;",
    ),
  },
  "initializer-mask": {
    about:
      "mask(address) selects one byte of an address for a narrower variable: 0xFF the lowest byte, 0xFF00 the next, and so on. Other masks do not select a whole byte.",
    example: module(".global .u32 x;\n.global .u8 low = 0x0F(x);", ".global .u32 x;\n.global .u8 low = 0xFF(x);"),
  },
  "initializer-truncated": {
    about:
      "The value has more bits than the variable. ptxkit stores the low bits, as ptxas does without a warning. This is rarely intended. Write the value to be stored, or use a larger type.",
    example: module(".global .u8 flags = 0x1FF;", ".global .u16 flags = 0x1FF;"),
  },
  "initializer-short-row": {
    about:
      "An inner list of a multidimensional array has fewer values than its row has elements. According to the PTX ISA the rest of the row is zero; ptxas instead stores the next row's values there. ptxkit follows the PTX ISA. Write all values, so that all tools agree.",
    example: module(
      ".global .u32 grid[2][3] = {{1, 2}, {3, 4, 5}};",
      ".global .u32 grid[2][3] = {{1, 2, 0}, {3, 4, 5}};",
    ),
  },
  "float-raw-bits": {
    about:
      "0fXXXXXXXX specifies the 32 bits of a single-precision float. In a 64-bit variable they are stored without conversion, so the variable has another value. 0dXXXXXXXXXXXXXXXX specifies the 64 bits of a double.",
    example: module(".global .f64 half = 0f3F000000;", ".global .f64 half = 0d3FE0000000000000;"),
  },
  "narrow-address": {
    about:
      "With .address_size 64 an address has 64 bits, of which the variable stores 32. The program works only if the upper half is zero, which is not guaranteed for global memory.",
    example: module(
      ".global .u32 x;\n.global .u32 pointer = generic(x);",
      ".global .u32 x;\n.global .u64 pointer = generic(x);",
    ),
  },
  "register-type": {
    about:
      "Registers are scalars or vectors of the types of PTX ISA 5.2. Predicates are scalars only, and texture, sampler and surface references cannot be registers. Registers have no addresses and therefore no array bounds; `%r<8>` declares the eight registers %r0 to %r7.",
    example: kernel(".reg .u32 %r[8];", ".reg .u32 %r<8>;"),
  },
  "section-data": {
    about:
      "A .section, mostly debug information, contains .b8, .b16, .b32 and .b64 values and labels. Each value must fit its type, because debuggers read the data by offset. A label is an offset of 32 or 64 bits.",
    example: module(".section .debug_str { .b8 300 }", ".section .debug_str { .b8 44, 1 }"),
  },
  location: {
    about:
      ".file assigns a number to a source file, and .loc specifies the line of the following instructions. A .file number is declared once, and inlined_at must repeat the file, line and column of an earlier .loc (PTX ISA 11.5).",
    example: module('.file 1 "a.cu"\n.file 1 "b.cu"\n', '.file 1 "a.cu"\n.file 2 "b.cu"\n'),
  },
  "unknown-instruction": {
    about:
      "An instruction is an opcode with modifiers in a fixed order. The PTX ISA, up to version 9.4, has no such combination. The message says whether the opcode, a modifier or the combination is unknown, and suggests the nearest valid one.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u33 %r1, %r0, 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
  requires: {
    about:
      "The instruction, modifier or directive exists, but requires a newer PTX version or another target than .version and .target declare. Raise them if all devices of the program allow it; otherwise use a feature of older GPUs.",
    example: file(
      ".version 6.5\n.target sm_75\n.address_size 64\n.entry k()\n{\n  griddepcontrol.wait;\n  ret;\n}\n",
      ".version 7.8\n.target sm_90\n.address_size 64\n.entry k()\n{\n  griddepcontrol.wait;\n  ret;\n}\n",
    ),
  },
  "operand-count": {
    about:
      "Each form of an instruction has a fixed number of operands, the destination first. The note shows the form, with optional operands in braces.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 1;",
    ),
  },
  "operand-kind": {
    about:
      "The form requires another kind of operand here: a register, a constant, an address in square brackets, a vector in braces, or a label. A result, for example, must be a register, never memory or a constant.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 1, %r0, 2;",
      ".reg .u32 %r<2>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r1, %r0, 2;",
    ),
  },
  "operand-type": {
    about:
      "A register's type must be compatible with the instruction's type (PTX ISA 9.4). Sizes must be equal. Integers are compatible with integers, floats with the same floating-point type, and .b types with every type of their size. Convert with cvt, or copy the bits with mov.b32.",
    example: kernel(
      ".reg .f32 %f<2>;\n.reg .u32 %r<1>;\nmov.u32 %r0, %tid.x;\nadd.f32 %f0, %r0, 1.5;",
      ".reg .f32 %f<2>;\n.reg .u32 %r<1>;\nmov.u32 %r0, %tid.x;\ncvt.rn.f32.u32 %f1, %r0;\nadd.f32 %f0, %f1, 1.5;",
    ),
  },
  "operand-range": {
    about:
      "The instruction encodes the constant, which must be in a certain range, such as 0 to 15 for a barrier number. The message gives the range.",
    example: kernel("bar.sync 16;", "bar.sync 15;"),
  },
  "operand-space": {
    about:
      "ld.shared reads shared memory and st.global writes global memory, but the variable is in another space. Use the variable's space, or convert its address to generic (cvta) and omit the space.",
    example: kernel(
      ".shared .u32 total;\n.reg .u32 %r<1>;\nld.global.u32 %r0, [total];",
      ".shared .u32 total;\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [total];",
    ),
  },
  call: {
    about:
      "A call passes as many arguments as the callee has parameters, each with the same type and size, and receives as many results. For an indirect call, the prototype after the arguments is used.",
    example: module(
      ".func add1(.param .u32 x) { ret; }\n.entry k() { call add1; ret; }",
      ".func add1(.param .u32 x) { ret; }\n.entry k()\n{\n  .param .u32 a;\n  st.param.u32 [a], 1;\n  call add1, (a);\n  ret;\n}",
    ),
  },
} as const;

const lints = {
  "constant-truncated": {
    about:
      "A constant has more bits than its type, or than the 64 bits of constant expressions. ptxkit uses the low bits, as ptxas does without a warning. Write the intended value.",
    example: kernel(".reg .u16 %h<1>;\nmov.u16 %h0, 0x12345;", ".reg .u16 %h<1>;\nmov.u16 %h0, 0x2345;"),
  },
  "float-range": {
    about:
      "The constant exceeds the largest finite value of its type, so the instruction uses infinity. If infinity is intended, write it explicitly: 0f7F800000 for .f32.",
    example: kernel(".reg .f32 %f<1>;\nmov.f32 %f0, 1.0e39;", ".reg .f32 %f<1>;\nmov.f32 %f0, 1.0e38;"),
  },
  "beyond-ptxas": {
    about:
      "According to the PTX ISA, array dimensions are constant expressions, and a constant may be added to or subtracted from an index. ptxas accepts only a literal dimension and only '+'. ptxkit follows the PTX ISA, and 'link --emit ptx' writes the syntax that ptxas accepts.",
    example: kernel(".local .b8 buffer[4 * 16];\nret;", ".local .b8 buffer[64];\nret;"),
  },
  "beyond-isa": {
    about:
      "According to the PTX ISA, a constant can be added to a register in an address only. ptxas accepts 'register + constant' as a source operand of nearly every instruction and adds in the width of the register. ptxkit does the same with an add instruction before this one.",
    example: kernel(
      ".reg .u32 %r<3>;\nmov.u32 %r0, %tid.x;\nmul.lo.u32 %r1, %r0 + 1, %r0;",
      ".reg .u32 %r<3>;\nmov.u32 %r0, %tid.x;\nadd.u32 %r2, %r0, 1;\nmul.lo.u32 %r1, %r2, %r0;",
    ),
  },
  "negative-modulo": {
    about:
      "In constant expressions, PTX treats both operands of % as unsigned 64-bit numbers (PTX ISA 4.5.5), so a negative operand becomes very large. -7 % 3 is 0 in PTX and -1 in C.",
    example: module(".global .s32 rest = -7 % 3;", ".global .s32 rest = -1;"),
  },
  "shift-range": {
    about:
      "A shift by the width of the operand or more produces zeros or copies of the sign bit. In a constant expression the count is taken modulo 64. In C such shifts are undefined, so code that was written in C rarely intends them.",
    example: kernel(
      ".reg .b32 %r<2>;\nmov.b32 %r1, 1;\nshl.b32 %r0, %r1, 32;",
      ".reg .b32 %r<2>;\nmov.b32 %r1, 1;\nshl.b32 %r0, %r1, 31;",
    ),
  },
  "division-by-zero": {
    about:
      "Integer division by zero does not fault on a GPU; it produces an unspecified value. A literal zero divisor is most likely a mistake.",
    example: kernel(
      ".reg .u32 %r<2>;\nmov.u32 %r1, 8;\ndiv.u32 %r0, %r1, 0;",
      ".reg .u32 %r<2>;\nmov.u32 %r1, 8;\ndiv.u32 %r0, %r1, 2;",
    ),
  },
  "unset-register": {
    about:
      "The register is read, but no instruction of the function writes it. The initial value of a register is unspecified, so the result may differ from run to run.",
    example: kernel(
      ".reg .u32 %r<2>;\nadd.u32 %r0, %r1, 1;",
      ".reg .u32 %r<2>;\nmov.u32 %r1, %tid.x;\nadd.u32 %r0, %r1, 1;",
    ),
  },
  "written-twice": {
    about:
      "The instruction has several results, and two of them are the same register. PTX does not define which value the register then has. Use _ for an unused result.",
    example: kernel(
      ".shared .align 8 .b32 pair[2];\n.reg .b32 %r<2>;\nld.shared.v2.b32 {%r0, %r0}, [pair];",
      ".shared .align 8 .b32 pair[2];\n.reg .b32 %r<2>;\nld.shared.v2.b32 {%r0, %r1}, [pair];",
    ),
  },
  "misaligned-access": {
    about:
      "Loads and stores fault if the address is not a multiple of the access size, for a vector that of all elements together. The variable's alignment and the offset do not guarantee such an address. Increase the variable's .align, or use narrower accesses.",
    example: kernel(
      ".shared .b8 bytes[8];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [bytes];",
      ".shared .align 4 .b8 bytes[8];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [bytes];",
    ),
  },
  "out-of-bounds": {
    about:
      "The access begins before the variable or ends after it, in bytes that belong to another variable or to none. The checker reports addresses that are a variable plus a constant, as warnings. `run --sanitize` tracks each pointer to the variable, buffer or heap block from which it was derived, and reports errors. Check the index before the access.",
    example: kernel(
      ".shared .u32 table[4];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [table+16];",
      ".shared .u32 table[4];\n.reg .u32 %r<1>;\nld.shared.u32 %r0, [table+12];",
    ),
  },
  "launch-limit": {
    about:
      "The product of the dimensions of .maxntid or .reqntid exceeds 1024, the limit of threads of a block. Or .maxnreg exceeds 255, the limit of registers of a thread. ptxas accepts the former, but a launch with so many threads fails.",
    example: module(".entry kernel() .maxntid 1024, 2 { ret; }", ".entry kernel() .maxntid 512, 2 { ret; }"),
  },
  "unknown-pragma": {
    about:
      "Compilers ignore unknown pragmas, so a misspelt one has no effect and no error message. PTX ISA chapter 12 lists the pragmas that exist, their operands and the places where they are allowed.",
    example: kernel('.pragma "nounrol";', '.pragma "nounroll";'),
  },
} as const;

const linking = {
  "no-input": {
    about:
      "The linker received no object. On the command line, a response file may be empty, or nothing refers to the members of an archive. In the library, the list of objects is empty.",
    example: situation("linkObjects([], {}, sink)", "linkObjects([object], {}, sink)"),
  },
  "already-linked": {
    about:
      "An image has fixed addresses and no unresolved references, so it cannot be linked again. Link the objects from which it was made, or write a relocatable object with link -r instead of an image.",
    example: situation("ptxkit link a.img b.o -o ab.img", "ptxkit link a.o b.o -o ab.img"),
  },
  "unknown-target": {
    about:
      "The target's name is not an architecture. ptxkit supports sm_75 to sm_121, some with the suffix a or f; older targets are linked as sm_75.",
    example: situation(
      'linkObjects(objects, { arch: "sm_91" }, sink)',
      'linkObjects(objects, { arch: "sm_90" }, sink)',
    ),
  },
  "incompatible-target": {
    about:
      "An input links for its own architecture and for later ones of the same family, which is nvlink's rule: sm_80, sm_86 and sm_89 are compatible, and so are sm_100 and sm_103, or sm_120 and sm_121. With the suffix a, it links for its own architecture only. The image's target is that of the first input unless --arch sets another one. Choose a target for which all inputs link, or compile them for the same one.",
    example: situation(
      "ptxkit link new.ptx old.ptx --arch sm_80 -o out.img, where new.ptx has .target sm_86 and old.ptx .target sm_80",
      "ptxkit link new.ptx old.ptx --arch sm_86 -o out.img",
    ),
  },
  "address-size": {
    about:
      ".address_size 32 or 64 declares the size of a module's addresses. Without it, a module has 32-bit addresses if its code uses a 32-bit register for a global or generic address, as in ptxas; otherwise it is compatible with both. Registers, initial values and parameters differ between the two sizes, so such modules cannot share pointers.",
    example: situation(
      "ptxkit link old.ptx new.ptx -o out.img, where old.ptx has .address_size 32 and new.ptx .address_size 64",
      "Compile both for 64 bits (nvcc -m64), or link each with modules of its own address size.",
    ),
  },
  "not-in-version": {
    about:
      "link --emit ptx writes one module with one version: the latest that an input has or the target requires. Features that this version has removed cannot be written: module-scope registers and .local variables (removed in PTX 3.0) and numbered constant banks (removed in 2.2). --ptx-version selects an older version for older drivers; then no input may use a feature that the version lacks. Compilers declare their own version even if the code does not require it.",
    example: situation(
      "ptxkit link --emit ptx old.ptx new.ptx -o merged.ptx, where old.ptx has .version 2.3 and a module-scope .reg variable",
      "ptxkit link old.ptx new.ptx -o program.img",
    ),
  },
  "debug-dropped": {
    about:
      "link --emit ptx merges the DWARF sections of all modules: shared tables, labels and file numbers. Sections that cannot be merged are left out, together with the target option debug: macro information, unknown DWARF forms, and more than 127 abbreviations. Source lines are kept.",
    example: situation(
      "ptxkit link --emit ptx a.ptx b.ptx -o merged.ptx, where both have .debug_macinfo from clang -fdebug-macro",
      "ptxkit link --emit ptx lines.ptx -o merged.ptx, where lines.ptx was built with nvcc -lineinfo",
    ),
  },
  "name-dropped": {
    about:
      "In an image, a name from --defsym is a symbol of its own, which host code can look up. PTX text has no such aliases of variables or of offsets in them. References in the merged module use the other symbol, and the name itself is dropped.",
    example: situation(
      "ptxkit link --emit ptx --defsym gain=factor scale.ptx table.ptx -o merged.ptx",
      "ptxkit link --defsym gain=factor scale.ptx table.ptx -o scale.img",
    ),
  },
  "duplicate-symbol": {
    about:
      "Two modules define the same .visible name. Make one of them .extern, or make both .weak if they are equal, as C++ inline functions are. If only its own module uses the name, remove .visible.",
    example: link(
      [".visible .global .u32 counter = 1;", ".visible .global .u32 counter = 2;"],
      [".visible .global .u32 counter = 1;", ".extern .global .u32 counter;"],
    ),
  },
  "undefined-symbol": {
    about:
      "A module refers to an .extern name, but no input has a visible definition. The module that defines it is missing on the command line, defines it without .visible, or spells it differently. The message shows where the name is used and suggests similar names.",
    example: link(
      [".extern .func helper();\n.visible .entry k() { call helper; ret; }", ".func helper() { ret; }"],
      [".extern .func helper();\n.visible .entry k() { call helper; ret; }", ".visible .func helper() { ret; }"],
    ),
  },
  "unresolved-symbol": {
    about:
      "No input defines the name, and --warn-unresolved-symbols makes this a warning, so that the image is still written. The driver would reject the image. ptxkit loads it, and a kernel that calls the function or accesses the variable faults with a message that names it.",
    example: situation(
      "ptxkit link --warn-unresolved-symbols main.ptx -o main.img",
      "ptxkit link main.ptx helpers.ptx -o main.img",
    ),
  },
  "repeated-definition": {
    about:
      "Several modules define the same .visible name, and --allow-multiple-definition makes this a warning. All references resolve to the first definition on the command line. If the definitions differ, some modules use one that they were not compiled with.",
    example: situation(
      "ptxkit link --allow-multiple-definition a.ptx b.ptx -o a.img",
      "ptxkit link a.ptx b.ptx -o a.img, with the definition in one of them and .extern in the other",
    ),
  },
  "common-symbol": {
    about:
      "--warn-common reports where a .common variable has the same name as a definition or another .common variable. The linker merges them into the definition, or into the largest .common variable. This is what .common is for, but it also happens if two modules use one name by accident.",
    example: situation(
      "ptxkit link --warn-common a.ptx b.ptx -o a.img, both with .common .global .u32 count;",
      "ptxkit link --warn-common a.ptx b.ptx -o a.img, with .visible in one and .extern in the other",
    ),
  },
  "symbol-assignment": {
    about:
      "--defsym NAME=OTHER+OFFSET defines a name as a symbol of some module, or as an offset in a variable. Names may refer to each other if the chain ends at a symbol. A kernel cannot have a second name, because its parameters and shared memory belong to its name. An offset must be inside the variable.",
    example: situation(
      "ptxkit link --defsym a=b --defsym b=a main.ptx -o main.img",
      "ptxkit link --defsym a=b --defsym b=table+16 main.ptx -o main.img",
    ),
  },
  "symbol-kind": {
    about:
      "A name is a variable in one module and a function or kernel in another. They are different symbols, so one of them must be renamed.",
    example: link(
      [".extern .global .u32 limit;\n.visible .global .u64 p = limit;", ".visible .func limit() { ret; }"],
      [".extern .global .u32 limit;\n.visible .global .u64 p = limit;", ".visible .global .u32 limit;"],
    ),
  },
  "symbol-space": {
    about:
      "Modules declare one variable in different state spaces, so one of them would, for example, access global memory with ld.const. Use the state space of the definition in all modules.",
    example: link(
      [".visible .global .u32 limit = 7;", ".extern .const .u32 limit;\n.visible .global .u64 p = limit;"],
      [".visible .const .u32 limit = 7;", ".extern .const .u32 limit;\n.visible .global .u64 p = limit;"],
    ),
  },
  "symbol-managed": {
    about:
      "Managed variables are in memory that host and device share, which the driver sets up if the attribute is present. All modules must declare the attribute, or none.",
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
      "The attribute .unified, with its two numbers, declares that a variable or function has the same address on the host and on every device. Such variables are read with ld.unified only. A module without the attribute would read another address. All modules must declare the same attribute, or none.",
    example: situation(
      "a.ptx: .visible .global .attribute(.unified(1, 2)) .u32 limit;   b.ptx: .extern .global .u32 limit;",
      "b.ptx: .extern .global .attribute(.unified(1, 2)) .u32 limit;",
    ),
  },
  "symbol-size": {
    about:
      "The modules declare different sizes for the variable, so one of them could access bytes beyond the definition. Usually one of them was not recompiled after a change. An unsized array, `[]`, is compatible with every size.",
    example: link(
      [".visible .global .u32 table[4];", ".extern .global .u32 table[8];\n.visible .global .u64 p = table;"],
      [".visible .global .u32 table[4];", ".extern .global .u32 table[];\n.visible .global .u64 p = table;"],
    ),
  },
  "symbol-prototype": {
    about:
      "Caller and callee were compiled with different parameters or results, so the callee would read arguments from the wrong locations. The notes show both prototypes. Recompile the older module.",
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
      "vprintf, malloc, free and __assertfail are functions of the driver. Modules declare but do not define them, and linkers accept any declaration. This one has other parameters or results than the driver's function, so a call passes wrong arguments, and the kernel prints wrong values or faults. Use the declaration in the message. A function of your own needs another name, or a definition.",
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
      "The sizes agree but the types differ, for example .u32 and .f32. The link continues, but one module may read values with another type than they were written with. If that is intended, declare a .b type on both sides. Also reported if two declarations have different array dimensions, or if modules initialise other fields of a sampler, texture or surface (filter_mode, addr_mode_0). The image uses the fields of the first one.",
    example: link(
      [".visible .global .u32 scale;", ".extern .global .f32 scale;\n.visible .global .u64 p = scale;"],
      [".visible .global .f32 scale;", ".extern .global .f32 scale;\n.visible .global .u64 p = scale;"],
    ),
  },
  "odr-violation": {
    about:
      "Several modules define the name as .weak, as C++ compilers do for inline functions and templates. The linker used the first definition. C++ requires all definitions to be the same, but these have different instructions, values or types. The modules were compiled from different sources or with different options, or two entities have the same name.",
    example: situation(
      "ptxkit link --detect-odr-violations a.ptx b.ptx -o out.img, where both have .weak .func step with different bodies",
      "the same command, with both modules compiled from one header and with the same options",
    ),
  },
  "symbol-align": {
    about:
      "A module declares the variable with a larger .align than its definition. It may use vector accesses that fault if the address is not a multiple of that alignment. Give the definition the larger alignment.",
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
      "--kernels-used and --variables-used restrict the symbols that --gc-sections keeps. A name or pattern in these options matches no kernel, or no variable, so a required symbol would be missing in the image. Names are those in the object, not C++ names; * matches any text.",
    example: situation(
      "ptxkit link --gc-sections --kernels-used=saxpi saxpy.ptx -o saxpy.img",
      "ptxkit link --gc-sections --kernels-used=saxpy saxpy.ptx -o saxpy.img",
    ),
  },
  "nothing-live": {
    about:
      "--gc-sections keeps everything that is reachable from kernels, .visible variables and the names of -u. The inputs have none of these, so the image would be empty. A library of functions is not a program: link it with the kernels that call it.",
    example: situation(
      "ptxkit link --gc-sections functions.ptx -o program.img",
      "ptxkit link --gc-sections functions.ptx kernels.ptx -o program.img, or with -u NAME for each function to keep",
    ),
  },
  "unknown-in-order": {
    about:
      "The file of --symbol-ordering-file specifies the order of variables and functions. One of its names is not a symbol of the link, or is a shared variable, whose offset differs between kernels. All other symbols are ordered as specified.",
    example: situation(
      "ptxkit link --symbol-ordering-file order.txt a.ptx -o a.img, where order.txt contains Table",
      "the same command, where order.txt contains table, as in a.ptx",
    ),
  },
  "no-effect": {
    about:
      "The option modifies another option that is not on the command line, does not apply to this output, or has a pattern that matches nothing. For example, --print-gc-sections, --kernels-used and --variables-used modify --gc-sections, without which nothing is discarded. --export and --localize have no effect if their patterns match no symbol.",
    example: situation(
      "ptxkit link --print-gc-sections a.ptx -o a.img",
      "ptxkit link --gc-sections --print-gc-sections a.ptx -o a.img",
    ),
  },
  "kernels-left-out": {
    about:
      "The linker extracts the archive members that define symbols to which other modules refer. Kernels are launched by the host, and no device code refers to them. A member that contains only kernels is therefore not extracted unless an option requests it.",
    example: situation(
      "ptxkit link helpers.o libkernels.a -o program.img",
      "ptxkit link helpers.o --whole-archive libkernels.a -o program.img, or with -u KERNEL for single kernels",
    ),
  },
  "ambiguous-kernel": {
    about:
      "Kernels without .visible are local to their module, like static functions, so two kernels with one name can be linked. However, the host, a launch specification and -k select a kernel by name alone, and get one of them.",
    example: link(
      [".entry step() { ret; }", ".entry step() { ret; }"],
      [".entry step_down() { ret; }", ".entry step_up() { ret; }"],
    ),
  },
  "unknown-stack": {
    about:
      "Each call in progress keeps its local memory, and all threads of a launch have a stack of the same size. With recursion, the required size is unknown. If the recursion is too deep for the stack, the kernel faults or overwrites other memory. The notes show a shortest cycle of each group of functions. An indirect call may reach every function of its type whose address is taken.",
    example: situation(
      ".visible .func fib() { call fib; ret; }\n.visible .entry k() { call fib; ret; }",
      "Replace the recursion by a loop, or set cudaLimitStackSize before the launch and build with -Wno-unknown-stack",
    ),
  },
  "shared-limit": {
    about:
      "All .shared variables that a kernel uses, directly or in the functions that it calls, share 49152 bytes. For architecture-specific targets such as sm_90a, the limit is all of a block's shared memory. Otherwise more is available only as dynamic shared memory: an `.extern .shared` array whose size is given at the launch.",
    example: link(
      [".shared .b8 tile[50000];\n.visible .entry k()\n{\n  st.shared.u8 [tile], 1;\n  ret;\n}"],
      [".extern .shared .b8 tile[];\n.visible .entry k()\n{\n  st.shared.u8 [tile], 1;\n  ret;\n}"],
    ),
  },
  "not-executed": {
    about:
      "ptxkit can check and link the instruction, but the execution engine does not implement it. docs/isa.md lists which instructions can be executed. No instruction of the launch was executed.",
    example: situation(
      "ptxkit run on a kernel with an instruction that docs/isa.md marks as not executed",
      "Compile for a target without it, such as an older sm_NN.",
    ),
  },
} as const;

const loading = {
  "launch-spec": {
    about:
      "The JSON file that specifies the launches does not have the format in docs/cli.md, or does not match the image: an unknown kernel, too few arguments, an undeclared buffer. The location is that of the wrong value.",
    example: situation(
      '{ "launches": [{ "kernel": "scael", "grid": [1], "block": [32] }] }, where the image has a kernel scale',
      '{ "launches": [{ "kernel": "scale", "grid": [1], "block": [32] }] }',
    ),
  },
  "device-memory": {
    about:
      "Before a kernel runs, every .global variable and then every buffer of the launch is allocated in device memory. A simulated device has 4 GiB, whatever GPU --gpu names. The message names the largest variable and its line, or the buffer that did not fit.",
    example: situation(
      "ptxkit run big.ptx -k k -g 1 -b 1, where big.ptx declares .visible .global .b8 pool[5000000000];",
      "Declare only what the launch uses, or let the kernel take a pointer and pass a buffer: -a u8[1000000]=0",
    ),
  },
} as const;

const running = {
  "illegal-address": {
    about:
      "A thread accessed an address outside every allocation, or the access extends past the end of one. Calls through an address that is not a function's are reported with this code, too. The message names the line, the block and the thread. Typical causes are a missing bounds check, a buffer shorter than the grid, and a host address that is used on the device.",
    example: situation(
      "A kernel for 1000 elements, launched with 4 blocks of 256 threads, writes x[i] in all 1024 threads",
      "Guard the access: setp.ge.u32 %p, %i, %n; @%p bra DONE;",
    ),
  },
  "misaligned-address": {
    about:
      "The address of an access of n bytes must be a multiple of n (PTX ISA 6.4.1). For a vector, n is the size of all elements together.",
    example: situation(
      "ld.global.v4.f32 from a buffer at offset 4",
      "Use four scalar loads, or a buffer whose offset is a multiple of 16.",
    ),
  },
  trap: {
    about:
      "The kernel executed trap, or an instruction with invalid operands. Compilers generate trap where execution must not continue, such as after abort or for an impossible case of a switch.",
    example: situation(
      "A kernel calls __trap() because an argument was out of range",
      "Check the line that the message names, and pass a valid argument.",
    ),
  },
  assert: {
    about:
      "An assert() in the kernel's source was false. The message shows the expression, file, line and function as the compiler recorded them.",
    example: situation(
      "assert(n > 0) with n = 0",
      "Pass a positive n. Compiling with -DNDEBUG only removes the check.",
    ),
  },
  deadlock: {
    about:
      "No warp of the block can continue: each waits at a barrier that other warps will not reach, or for memory that no other thread will write. The notes show the location of every warp.",
    example: situation(
      "@%p bar.sync 0; where %p is false in one warp",
      "Let all warps of the block execute the barrier, whatever the value of %p.",
    ),
  },
  "instruction-limit": {
    about:
      "The launch reached the number of warp instructions that --max-instructions allows. A loop may be endless, or the limit may be too small for the launch.",
    example: situation(
      "ptxkit run --max-instructions 1000 with a loop of 10000 iterations",
      "Use a larger limit: --max-instructions 1000000",
    ),
  },
  "stack-overflow": {
    about:
      "A thread has at most 524288 bytes of local memory, and each call in progress keeps its local variables there. The usual cause is endless recursion; large local arrays can exceed the limit as well.",
    example: situation(".func deep() { call deep; ret; }", "Terminate the recursion, or replace it by a loop."),
  },
  interrupted: {
    about:
      "Ctrl-C was pressed. The launch stopped between two instructions. Outputs are shown and written with their contents at that time.",
    example: situation("Ctrl-C during a long launch", "Let the launch finish, or limit it with --max-instructions."),
  },
} as const;

const sanitizing = {
  suppressions: {
    about:
      "`run --sanitize --suppressions FILE` omits the findings that match a line of the file: by kind, kernel and location, each of which may be a pattern with * and ?. Text after # is a comment.",
    example: situation("racy scan", "race scan* scan.cu:14"),
  },
  ratchet: {
    about:
      "`diff --ratchet FILE` fails only if a property of a function grew by more than a line of the file allows: a number, or a percentage of the old value. Properties are those that diff shows, with - for blanks. Text after # is a comment.",
    example: situation("registers more", "registers 0"),
  },
  "use-after-free": {
    about:
      "The memory belonged to a heap block that free has released, or was a local variable of a function that has returned.",
    example: situation("free(p); *p = 1;", "Use *p first, then call free(p)."),
  },
  "double-free": {
    about: "The address was passed to free before, possibly by another thread that has the same pointer.",
    example: situation("free(p) in every thread of the block", "if (threadIdx.x == 0) free(p)"),
  },
  misaligned: {
    about:
      "The address of a load or store must be a multiple of the access size; for a vector, of the size of all elements together.",
    example: situation("*(float4*)(p + 1) for a float* p", "Let vectors begin at multiples of four elements."),
  },
  uninitialized: {
    about:
      'Shared and local memory, the device heap, registers, and buffers with "undefined": true are uninitialised until the kernel writes them. A finding is reported where such a value affects control flow, is part of an address, or is stored to an output.',
    example: situation("__shared__ int sum; atomicAdd(&sum, 1);", "if (threadIdx.x == 0) sum = 0; __syncthreads();"),
  },
  race: {
    about:
      "Barriers, fences with the strong accesses around them, mbarriers, asynchronous waits and launches order accesses. The order in which they happened to execute does not. This applies to the lanes of one warp, too.",
    example: situation("tile[t] = x; y = tile[t + 1];", "tile[t] = x; __syncthreads(); y = tile[t + 1];"),
  },
  barrier: {
    about:
      "Some threads of the block bypass a barrier at which others wait, the lanes of a warp reach it separately, or its counts differ. An arrival at the cluster's barrier without a wait is reported, too.",
    example: situation("if (i < n) __syncthreads();", "Move the barrier after the branch."),
  },
  "warp-mask": {
    about:
      "Instructions with the suffix .sync wait for the lanes in their mask. Each lane must specify the same mask, which includes the lane itself. Otherwise the instruction waits for lanes that cannot arrive, or reads registers of lanes that do not execute it.",
    example: situation(
      "if (lane < 16) __shfl_sync(0xffffffff, x, 0);",
      "Shuffle before the branch, or use the mask 0xffff.",
    ),
  },
  "missing-wait": {
    about:
      "cp.async, bulk and tensor copies and st.async access memory at any time before the wait that completes them. The thread accessed the bytes before such a wait.",
    example: situation(
      "cp.async ...; cp.async.commit_group; x = tile[t];",
      "Insert cp.async.wait_group 0 and a barrier before the read.",
    ),
  },
  mbarrier: {
    about:
      "A phase of an mbarrier completes after the number of arrivals that mbarrier.init specified, and after all expected bytes have arrived. Use before mbarrier.init, arrivals beyond the count, and initialisation while the mbarrier is in use have undefined results.",
    example: situation("mbarrier.init [b], 1; where 32 lanes arrive", "mbarrier.init [b], 32;"),
  },
  leak: {
    about: "The block is still allocated after the last launch. The exit status does not change.",
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
  "Checking: lints": lints,
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
  ...lints,
  ...linking,
  ...loading,
  ...running,
  ...sanitizing,
} satisfies Record<CodeName, Explanation>;
