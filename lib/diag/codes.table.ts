// Every code a Diagnostic can carry: its severity, a title, and a longer explanation. Grouped by the stage that reports
// it. Warnings can be raised to errors; errors can never be lowered, because there is no result to continue with.

interface CodeRow {
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly explanation: string;
  /** The general remedy, which a message may replace. All codes but one have one. */
  readonly remedy?: string;
}

const table = {
  // the command line
  "command-line": {
    severity: "error",
    title: "the command line is invalid",
    explanation: "Options contradict each other, or one has a value that it cannot have.",
    remedy: "ptxkit help lists the commands; ptxkit help COMMAND shows its options",
  },
  "file-access": {
    severity: "error",
    title: "a file cannot be read or written",
    explanation: "The operating system refused; the message gives its reason.",
    remedy: "see that the file is there and may be read, or its folder written (ls -l)",
  },
  "not-supported": {
    severity: "error",
    title: "this version cannot do that",
    explanation: "The option or the kind of input is known and comes with a later version.",
    remedy: "leave the option out, or use a version that has it",
  },
  // files
  "unknown-format": {
    severity: "error",
    title: "the file is of no known format",
    explanation:
      "Inputs are recognised by content: PTX text begins with .version (after comments), an object with the ELF magic.",
    remedy:
      "ptxkit takes PTX text, its own objects and images, archives, fatbins and host objects with PTX: file NAME says what this is",
  },
  "malformed-file": {
    severity: "error",
    title: "a binary file contradicts itself",
    explanation: "A count, size or offset in the file points outside it or at something of another kind.",
    remedy: "fetch or assemble the file again: most such files were cut off by an incomplete copy",
  },
  "broken-rule": {
    severity: "error",
    title: "a file breaks a rule of its kind",
    explanation:
      "The file can be read, but is not as every file of its kind is; inspect --verify says which rule it breaks.",
  },
  "machine-code": {
    severity: "error",
    title: "the file holds NVIDIA's machine code",
    explanation:
      "A cubin holds SASS, which ptxkit shows but neither links nor runs. Its own objects and PTX text are what it links.",
    remedy: "give the PTX that it was made from, for example from nvcc --ptx or cuobjdump -ptx",
  },
  "no-such-member": {
    severity: "error",
    title: "the file holds nothing of that name",
    explanation: "FILE(NAME) selects a member of an archive or an entry of a fatbin, by its name or its number.",
    remedy:
      "name an archive, a fatbin or a host file with PTX or machine code in it: ptxkit inspect lists its contents",
  },
  "no-embedded-ptx": {
    severity: "error",
    title: "a fatbin has no PTX for the target",
    explanation:
      "nvcc puts code for several architectures into an object. Only PTX is linked, and none of it is for this target.",
    remedy: "compile with PTX for the target: nvcc -gencode arch=compute_90,code=compute_90",
  },
  "embedded-left-out": {
    severity: "warning",
    title: "part of a program has no PTX for the target, and is left out",
    explanation:
      "A program holds the libraries that it was linked with. Those without PTX for this target are not in the image.",
    remedy: "compile the library with PTX for the target, or leave it out",
  },
  // ptx: lexing and parsing
  syntax: {
    severity: "error",
    title: "the text is not PTX here",
    explanation: "The PTX grammar allows something else at this place; the message names what was expected.",
    remedy: "compare it with the module that ptxkit explain syntax prints",
  },
  // nvvm: NVVM IR, by its specification (docs/nvvm.md)
  "nvvm-syntax": {
    severity: "error",
    title: "the text is not valid IR",
    explanation: "The grammar of IR allows something else at this place; the message names what was expected.",
    remedy: "write what was expected there; the LLVM Language Reference has the syntax",
  },
  "nvvm-dialect": {
    severity: "error",
    title: "spellings of different IR versions are mixed",
    explanation:
      "A module's pointers are all typed (i32*) or all opaque (ptr), and spellings of NVVM IR 1.0 go with typed ones.",
    remedy: "make the module with one compiler, or write all of it in one spelling",
  },
  "nvvm-undefined": {
    severity: "error",
    title: "a name is used that nothing defines",
    explanation:
      "Values, blocks, globals, types, metadata nodes, attribute groups and comdats are defined where they are used, in any order.",
    remedy: "define it, or declare it where it is a function or a variable",
  },
  "nvvm-redefined": {
    severity: "error",
    title: "a name is defined twice",
    explanation: "A name has one definition: in its function that of a value or block, in the module all others.",
    remedy: "rename one of them, or leave one out",
  },
  "nvvm-mismatch": {
    severity: "error",
    title: "a value is not of the type that is written",
    explanation: "IR writes a type before each value, and it is the type that the value has.",
    remedy: "write the value's own type, or convert it first",
  },
  "nvvm-alias": {
    severity: "warning",
    title: "an alias is for its own module only",
    explanation:
      "Other modules see an alias of a variable as a name for a place inside that variable. This one lies outside of it, or is an alias of a texture, sampler or surface, which has no place.",
    remedy: "let the alias refer to a place from the start to the end of a variable",
  },
  "nvvm-compiler-error": {
    severity: "error",
    title: "a call of llvm.nvvm.compiler.error remains",
    explanation: "The module has such a call where it must not be compiled for this target or these options.",
    remedy: "follow the text, or remove the call with the branch that it is in",
  },
  "nvvm-compiler-warning": {
    severity: "warning",
    title: "a call of llvm.nvvm.compiler.warn remains",
    explanation: "The module has such a call where it wants its user to know something.",
    remedy: "follow the text, or remove the call with the branch that it is in",
  },
  "nvvm-annotation": {
    severity: "error",
    title: "an annotation is invalid",
    explanation:
      "A node of !nvvm.annotations names what it annotates, then properties with i32 values; one property has one value in all modules (NVVM IR 1.0 section 11.2).",
    remedy: 'write a node as !{ptr @k, !"kernel", i32 1}, and give each property one value',
  },
  "nvvm-version": {
    severity: "error",
    title: "the module's version of NVVM IR is not known",
    explanation:
      "The named metadata !nvvmir.version says which rules hold for a module. Known are 1.0 to 1.11 and 2.0 to 3.2; without it a module is NVVM IR 1.0 where it is spelled so, and LLVM's otherwise.",
    remedy: "write !{i32 2, i32 0} for what today's compilers make",
  },
  "nvvm-layout": {
    severity: "error",
    title: "the data layout is not one of a GPU",
    explanation:
      "A module for a GPU has one of two layouts, with pointers of 32 or of 64 bits; it may be written in any order, or left out.",
    remedy: "leave the data layout out, or write the one of NVVM IR",
  },
  "nvvm-triple": {
    severity: "error",
    title: "the module is made for another machine",
    explanation: "The target triple of a module for NVIDIA's GPUs begins with nvptx or nvptx64.",
    remedy: "compile it for nvptx64-nvidia-cuda",
  },
  "nvvm-name": {
    severity: "error",
    title: "a name cannot be one",
    explanation:
      "NVVM IR 1.0 has names of letters, digits, $ and _; names that begin with nvvm. or llvm. are the compiler's (chapters 2 and 7).",
    remedy: "rename it",
  },
  "nvvm-linkage": {
    severity: "error",
    title: "a linkage is not possible here",
    explanation: "NVVM IR has the linkages of section 14.1, each as a directive of PTX.",
    remedy: "write external, internal or weak",
  },
  "nvvm-unsupported": {
    severity: "error",
    title: "a GPU cannot do that",
    explanation:
      "The feature is LLVM's, and NVVM IR does not have it: thread_local, sections, constructors, addresses of blocks.",
    remedy: "write it another way; the message says which",
  },
  "nvvm-attribute": {
    severity: "error",
    title: "an attribute is not allowed here",
    explanation:
      "Attributes are of functions, of parameters or of results, and some of certain types alone (NVVM IR 1.0 sections 3.9 and 3.11).",
    remedy: "leave it out, or write it where it belongs",
  },
  "nvvm-align": {
    severity: "error",
    title: "an alignment contradicts another",
    explanation:
      "The annotation align and the metadata !callalign say alignments that are not natural; what is natural, or said by align of byval, must not be said otherwise (NVVM IR 1.0 section 3.2.1).",
    remedy: "leave it out, or write the natural alignment",
  },
  "nvvm-call": {
    severity: "error",
    title: "a call or a function's signature is not possible",
    explanation:
      "Arguments are those of the function's type; variable arguments can be passed, and not be received (NVVM IR 1.0 section 3.2.1).",
    remedy: "pass what the function's type has",
  },
  "nvvm-atomic": {
    severity: "error",
    title: "an atomic access is not possible",
    explanation:
      "NVVM IR 1.0 has cmpxchg and atomicrmw of i32 and i64 in global and shared memory (sections 3.16 and 8.6); later versions have atomic loads and stores, fences and more types.",
    remedy: "use another type or address space, or a later version",
  },
  "nvvm-type": {
    severity: "error",
    title: "a type cannot be used",
    explanation:
      "NVVM IR 1.0 has no half (later versions do); fp128, x86_fp80, ppc_fp128, x86_mmx and scalable vectors do not exist on a GPU (chapter 4).",
    remedy: "use float or double",
  },
  "nvvm-asm": {
    severity: "error",
    title: "inline assembly does not fit its call",
    explanation:
      "A constraint says in which register an operand is: h r l for integers of 16, 32 and 64 bits, c for i8, f and d for float and double (NVVM IR 1.0 section 6.1).",
    remedy: "use the constraint for the operand's type",
  },
  "nvvm-instruction": {
    severity: "error",
    title: "an instruction is not supported",
    explanation:
      "NVVM IR has no exceptions and no addresses of blocks: invoke, landingpad, resume, unwind and indirectbr do not exist (chapter 8).",
    remedy: "compile without exceptions, and use switch",
  },
  "nvvm-intrinsic": {
    severity: "error",
    title: "an intrinsic function is not known, or not as it is used",
    explanation:
      "The name, the types and the constant arguments of an intrinsic function are given; NVVM IR 1.0 has those of its chapters 9 and 13.",
    remedy: "write the name and types as the language reference has them",
  },
  "nvvm-space": {
    severity: "error",
    title: "an address space is invalid",
    explanation:
      "Address spaces are 0 (generic), 1 (global), 3 (shared), 4 (constant) and 5 (local); code is not readable memory (NVVM IR 1.0 chapter 10).",
    remedy: "use the address space that the object is in, or a generic pointer",
  },
  "nvvm-space-mismatch": {
    severity: "warning",
    title: "an access is to another address space than its variable is in",
    explanation: "The pointer was cast from one address space to another; what it points to there is not the variable.",
    remedy: "convert the pointer to generic (addrspacecast), and use that",
  },
  "nvvm-no-kernel": {
    severity: "warning",
    title: "a property of kernels is given to a function that is none",
    explanation: "Block sizes and numbers of registers are of kernels: for another function they have no effect.",
    remedy: 'add !"kernel", i32 1 to its annotations',
  },
  "nvvm-kernel-call": {
    severity: "warning",
    title: "a kernel is called like a function",
    explanation: "PTX lets a kernel be called, with the parameters of an entry; compilers for CUDA refuse it.",
    remedy: "put the kernel's body into a function that both call",
  },
  "nvvm-texture": {
    severity: "error",
    title: "a texture or surface is used like memory",
    explanation:
      "A texture or surface is an i64 variable in address space 1 that only metadata, llvm.used and the handle intrinsic use (NVVM IR 1.0 chapter 12).",
    remedy: "take its handle, and use that in inline assembly",
  },
  "nvvm-limit": {
    severity: "error",
    title: "there is not that much memory",
    explanation: "Constant memory of a module has 65536 bytes.",
    remedy: "put the largest variable into addrspace(1)",
  },
  "nvvm-misprint": {
    severity: "warning",
    title: "a name is a misprint of the specification",
    explanation: "NVVM IR 1.0 prints pli64 where p1i64 is meant: the letter l for the digit 1. Both are taken.",
    remedy: "write p1",
  },
  "nvvm-operand": {
    severity: "error",
    title: "an operand is of a type that the instruction does not take",
    explanation:
      "Each instruction has operands of certain types: add of integers, fadd of floats, trunc from a wider integer to a narrower one.",
    remedy: "use the instruction for the type, or convert the value",
  },
  "nvvm-ssa": {
    severity: "error",
    title: "a value is not available where it is used",
    explanation:
      "Every value is computed once, on each path to its uses; a phi has one value for each block that precedes its own; every block ends with a branch, a return or unreachable.",
    remedy: "compute the value in a block that every path passes, or use phi",
  },
  "nvvm-annotation-elsewhere": {
    severity: "warning",
    title: "an annotation is of a function that another module defines",
    explanation:
      "Annotations are merged where modules are linked; of a module that is compiled alone, those of declarations are lost.",
    remedy: "annotate the function where it is defined, or give ptxkit link both modules",
  },
  "nvvm-32-bit": {
    severity: "warning",
    title: "a module has addresses of 32 bits",
    explanation: "ptxas of CUDA 12 and later, and the drivers of that time, refuse PTX of .address_size 32.",
    remedy: 'write target triple = "nvptx64-nvidia-cuda" and its data layout, or keep to an older ptxas',
  },
  "nvvm-initializer": {
    severity: "error",
    title: "an initial value cannot be one",
    explanation:
      "An initial value is made of numbers and of addresses: one symbol plus a constant offset, seen through casts (NVVM IR 1.0 chapter 5).",
    remedy: "compute the value in a kernel, or write it as a symbol plus a number",
  },
  // check
  "unsupported-version": {
    severity: "error",
    title: "the PTX ISA version is not known",
    explanation: "The version in .version is newer than the instruction table, or no version of PTX at all.",
    remedy: "write a .version that exists, or read a newer one as the newest with --assume-version",
  },
  "assumed-version": {
    severity: "warning",
    title: "a newer PTX ISA version is read as the newest known",
    explanation: "--assume-version reads such a module by the rules of the newest version that is known.",
    remedy: "hold results against a driver that knows the version",
  },
  "unsupported-target": {
    severity: "error",
    title: "the target is not known or not possible",
    explanation:
      "The architecture in .target does not exist or needs a newer .version, or .address_size says neither 32 nor 64.",
    remedy: "write a target that exists, such as sm_80 or sm_90a",
  },
  "target-version": {
    severity: "error",
    title: "the target is newer than the PTX version",
    explanation: "PTX ISA 11.1.2 says which version introduced a target.",
    remedy: "write the later .version, or an older .target",
  },
  "unknown-type": {
    severity: "error",
    title: "no such type",
    explanation: "Types of variables are listed in PTX ISA 5.2; alternate float formats are stored in .b types.",
    remedy: "write a type of the PTX ISA (section 5.2), such as .b32 or .f64",
  },
  "vector-too-large": {
    severity: "error",
    title: "a vector type is too large",
    explanation: "A vector has at most 128 bits (PTX ISA 5.4.2).",
    remedy: "make it an array, or a vector of fewer or smaller elements",
  },
  "bad-alignment": {
    severity: "error",
    title: "an alignment is not a power of two",
    explanation: "`.align` takes 1, 2, 4, 8 and so on.",
    remedy: "write a power of two",
  },
  "variable-too-large": {
    severity: "error",
    title: "a variable is larger than any memory",
    explanation: "Its array bounds multiply to more than 2^47 bytes.",
    remedy: "make it smaller, or pass a pointer to memory that is allocated for the launch",
  },
  "image-too-large": {
    severity: "error",
    title: "too much initialised data",
    explanation: "The image would be larger than --max-image-size.",
    remedy: "fill it from the kernel or the launch, or raise --max-image-size",
  },
  "link-too-large": {
    severity: "error",
    title: "a link is larger than the linker can handle",
    explanation: "Inputs, outputs and the initialised bytes of a section have to be smaller than 2 GiB.",
    remedy: "initialise large variables when the program runs, or link fewer modules at once",
  },
  "incomplete-type": {
    severity: "error",
    title: "a variable has no size",
    explanation: "An array bound is missing or zero where the variable is defined.",
    remedy: "write how many elements it has, or give it an initial value",
  },
  "variable-space": {
    severity: "error",
    title: "the state space is not possible here",
    explanation: "Which spaces can be declared at module scope, in functions and as parameters: PTX ISA 5.1.",
    remedy: "declare it in a state space, and of a type, that is allowed here (PTX ISA section 5.1)",
  },
  linkage: {
    severity: "error",
    title: "the linkage is not possible here",
    explanation: ".common is for .global variables only.",
    remedy: "leave the word out, or write the linkage that such a thing can have",
  },
  attribute: {
    severity: "error",
    title: "an attribute is not possible here",
    explanation: "`.managed` and `.unified` belong to .global variables; .unified needs sm_90.",
    remedy: "leave the attribute out, or put it where it can stand",
  },
  alias: {
    severity: "error",
    title: "an alias is invalid",
    explanation: ".alias names a declared function without body and a defined one.",
    remedy: "let the alias name a function that this module defines, declared in the same way before it",
  },
  directive: {
    severity: "error",
    title: "a performance directive is invalid",
    explanation: "PTX ISA 11.4 lists the directives and what they take.",
    remedy: "leave the directive out, or write the values that it takes (PTX ISA section 11.4)",
  },
  "constant-bank": {
    severity: "error",
    title: "the constant bank overflows",
    explanation: "All .const variables together have 65536 bytes.",
    remedy: "move large tables to .global",
  },
  "too-many-functions": {
    severity: "error",
    title: "a module has too many functions",
    explanation:
      "One module may have 131072 functions with bodies; the largest that compilers make have some thousands.",
    remedy: "split the module into several, and link them",
  },
  "parameter-space": {
    severity: "error",
    title: "a kernel has too many bytes of parameters",
    explanation: "A kernel has at most 32764 bytes of parameters, before PTX ISA 8.1 at most 4352.",
    remedy: "pass a pointer to the larger ones",
  },
  redeclaration: {
    severity: "error",
    title: "a name is declared in two ways",
    explanation: "Declarations of one name in a module must agree, and only one may define it.",
    remedy: "rename or remove one of them; declarations of one name must agree",
  },
  "undefined-function": {
    severity: "error",
    title: "a function is declared but never defined",
    explanation: "Only .extern functions may be left to other modules.",
    remedy: "define it in this module, or declare it .extern and link what defines it",
  },
  "unknown-name": {
    severity: "error",
    title: "a name is not declared",
    explanation: "PTX wants every name declared before its use; only labels may come later.",
    remedy: "declare it before it is used, or correct its name",
  },
  "constant-expression": {
    severity: "error",
    title: "a constant expression cannot be folded",
    explanation: "PTX ISA 4.5 says which operators take which operands.",
    remedy: "write an expression that has a value: numbers of at most 64 bits, and operators that take them",
  },
  "initializer-type": {
    severity: "error",
    title: "an initial value has the wrong type",
    explanation:
      "PTX ISA 5.4.4: addresses go into .u32 and .u64, floats into float and bit types, integers into integer and bit types.",
    remedy: "write a value of the variable's type",
  },
  "initializer-shape": {
    severity: "error",
    title: "an initialiser does not match the variable's dimensions",
    explanation: "Lists nest as the dimensions do; a scalar has no braces; a vector lists every element.",
    remedy: "write braces and values as the variable's dimensions say",
  },
  "initializer-space": {
    severity: "error",
    title: "an initial value is not possible here",
    explanation:
      "Only .global and .const variables that are defined here have initial values, and only such variables' addresses can be one.",
    remedy: "leave the value out here; a kernel can store it",
  },
  "driver-address": {
    severity: "error",
    title: "the address of a function of the driver",
    explanation: "The driver's functions have no address in a module; they can only be called, by name.",
    remedy: "define a function that calls it, and take that one's address",
  },
  "initializer-mask": {
    severity: "error",
    title: "a mask selects no byte",
    explanation: "mask() takes 0xFF shifted by whole bytes.",
    remedy: "write 0xFF, shifted by whole bytes",
  },
  "initializer-truncated": {
    severity: "warning",
    title: "an initial value does not fit",
    explanation: "The low bits are stored, as ptxas does without a word.",
    remedy: "write a value that fits, or a larger type",
  },
  "initializer-short-row": {
    severity: "warning",
    title: "an inner list is shorter than its row",
    explanation: "The rest of the row is zero, as the manual says; ptxas packs the next row after it.",
    remedy: "write every value of the row, zeros too",
  },
  "float-raw-bits": {
    severity: "warning",
    title: "an 0f literal in a 64-bit holder",
    explanation: "Its 32 bits are stored as they are; ptxas does the same.",
    remedy: "write 0d and 16 digits",
  },
  "narrow-address": {
    severity: "warning",
    title: "an address does not fit its holder",
    explanation: "Only the low 32 bits of a 64-bit address are stored.",
    remedy: "make the holder .u64",
  },
  "constant-truncated": {
    severity: "warning",
    title: "a constant loses bits",
    explanation: "An integer does not fit its type, or 64 bits; the low bits are used, as ptxas does without a word.",
    remedy: "write a constant that fits, or a larger type",
  },
  "float-range": {
    severity: "warning",
    title: "a float constant becomes infinite",
    explanation: "It is larger than any finite value of its type.",
    remedy: "write a number in range, or .f64",
  },
  "beyond-ptxas": {
    severity: "warning",
    title: "ptxas refuses what the manual has",
    explanation: "The text is right by PTX ISA 5.4.3 or 6.4.2, and ptxas 13.0 refuses it.",
    remedy: "write it as ptxas takes it where the module is for NVIDIA's tools too",
  },
  "beyond-isa": {
    severity: "warning",
    title: "ptxas takes what the manual has not",
    explanation: "PTX ISA chapter 6 has no such operand; it means what ptxas 13.0 makes of it.",
    remedy: "write an instruction of the PTX ISA",
  },
  "negative-modulo": {
    severity: "warning",
    title: "`%` of a negative number",
    explanation: "PTX ISA 4.5.5 reads both operands of % as .u64, so that -7 % 3 is 0; in C it is -1.",
    remedy: "write the number that is meant",
  },
  "shift-range": {
    severity: "warning",
    title: "a shift by as many bits as there are, or more",
    explanation:
      "shl and shr leave nothing but zeros or signs; in a constant expression the count is taken modulo 64, as ptxas does.",
    remedy: "shift by less",
  },
  "division-by-zero": {
    severity: "warning",
    title: "an integer is divided by the constant zero",
    explanation: "div and rem by zero give an unspecified value (PTX ISA 9.7.1.8, 9.7.1.9).",
    remedy: "divide by another number, or test before",
  },
  "unset-register": {
    severity: "warning",
    title: "a register is read that nothing writes",
    explanation: "No instruction of the function has it as a result, so its value is whatever the hardware left there.",
    remedy: "write the register before it is read, or correct its name",
  },
  "written-twice": {
    severity: "warning",
    title: "an instruction writes a register twice",
    explanation: "Two of its results are the same register; PTX does not say which one stays.",
    remedy: "name another register for one of the results",
  },
  "misaligned-access": {
    severity: "warning",
    title: "an access of a variable is misaligned",
    explanation:
      "An address must be a multiple of the bytes accessed (PTX ISA 6.4.1), all of a vector's; the variable's alignment and the offset do not make it one.",
    remedy: "declare the variable with .align, or access fewer bytes",
  },
  "out-of-bounds": {
    severity: "warning",
    title: "an access lies outside its variable",
    explanation:
      "The bytes accessed begin before or end after the variable, buffer or heap block that the address was made from. A constant offset is a warning; what `run --sanitize` finds is an error, even where other memory lies there.",
    remedy: "correct the offset or test the index, or make the variable larger",
  },
  "launch-limit": {
    severity: "warning",
    title: "a kernel's directive asks for more than any device has",
    explanation:
      "A block has 1024 threads at most, and a thread 255 registers; such a kernel cannot be launched as it says.",
    remedy: "write a number that a device has",
  },
  "unknown-pragma": {
    severity: "warning",
    title: "a pragma is not known",
    explanation:
      "PTX ISA chapter 12 lists nounroll, used_bytes_mask, enable_smem_spilling and frequency; others do nothing.",
    remedy: "correct its name; unknown ones have no effect",
  },
  "register-type": {
    severity: "error",
    title: "a register is declared with array bounds or an impossible type",
    explanation: "`%r<N>` declares N registers.",
    remedy: "declare registers of a plain type, several as %r<N>",
  },
  "section-data": {
    severity: "error",
    title: "a value of a section does not fit its type",
    explanation: "The values of .b8, .b16 and .b32 data have that many bits.",
    remedy: "write a value that fits, or a larger type",
  },
  location: {
    severity: "error",
    title: "a source location is invalid",
    explanation:
      "inlined_at repeats the file, line and column of a .loc above it, and .file numbers are given once (PTX ISA 11.5).",
    remedy: "declare the file with .file, and number lines from 1",
  },
  "unknown-instruction": {
    severity: "error",
    title: "no such instruction",
    explanation: "The opcode, a modifier, or the combination is not in PTX ISA 9.4, as far as that is known.",
    remedy: "write an instruction of the PTX ISA, with modifiers and types that go together",
  },
  requires: {
    severity: "error",
    title: "something needs a newer PTX version or another target",
    explanation: "The message says what it needs.",
    remedy: "raise .version or .target as required",
  },
  "operand-count": {
    severity: "error",
    title: "an instruction has too few or too many operands",
    explanation: "The note shows the form.",
    remedy: "write as many operands and elements as the instruction takes",
  },
  "operand-kind": {
    severity: "error",
    title: "an operand is of the wrong kind",
    explanation: "A register, a constant, an address, a vector or a label is expected.",
    remedy: "write what the instruction takes there; other values go through a register",
  },
  "operand-type": {
    severity: "error",
    title: "an operand's type does not agree",
    explanation:
      "PTX ISA 9.4: sizes must be equal, bit types agree with all, integers with integers, floats with the same float.",
    remedy: "use a register of the instruction's type, or convert it with cvt or mov",
  },
  "operand-range": {
    severity: "error",
    title: "an immediate is out of range",
    explanation: "The instruction takes certain values only.",
    remedy: "write a value that it can have",
  },
  "operand-space": {
    severity: "error",
    title: "a variable is in another state space than the instruction",
    explanation: "ld.shared reads .shared variables, and so on; a generic ld takes any.",
    remedy: "use an instruction for the state space that it is in, or another variable",
  },
  call: {
    severity: "error",
    title: "a call does not fit its callee",
    explanation: "Arguments and results must match the prototype in number, size and type.",
    remedy: "call a function, with what its declaration says, in its order",
  },
  // link
  "no-input": {
    severity: "error",
    title: "nothing to link",
    explanation: "At least one input is needed.",
    remedy: "name an object, a PTX module, an archive or a fatbin",
  },
  "already-linked": {
    severity: "error",
    title: "an input is an image",
    explanation: "An image's addresses are fixed; only relocatable objects can be linked again.",
    remedy: "link what the image was made of, or make an object of it with link -r",
  },
  "unknown-target": {
    severity: "error",
    title: "no such target",
    explanation: "Targets are written sm_NN, sm_NNa or sm_NNf.",
    remedy: "name a target like sm_90, sm_90a or sm_100f",
  },
  "incompatible-target": {
    severity: "error",
    title: "an input cannot be linked for the image's target",
    explanation: "Code runs on its own architecture, on newer ones of its family, and with suffix `a` on its own only.",
    remedy: "compile the input for the image's target, or name another with --arch",
  },
  "address-size": {
    severity: "error",
    title: "modules have addresses of two sizes",
    explanation: "PTX ISA 11.1.3: linked modules have addresses of one size, 32 or 64 bits.",
    remedy: "compile every module for one size of addresses",
  },
  "not-in-version": {
    severity: "error",
    title: "a merged module cannot be of one version of PTX",
    explanation: "An old module says what that version has no more, or a newer one what --ptx-version has not yet.",
    remedy: "merge it with modules of such versions only, or link an image",
  },
  "debug-dropped": {
    severity: "warning",
    title: "debug information is left out of a merged module",
    explanation: "DWARF sections of several modules could not be joined; source lines are kept.",
    remedy: "link an image to debug, or compile with -lineinfo instead of -G",
  },
  "name-dropped": {
    severity: "warning",
    title: "a name of --defsym is not in a merged module",
    explanation:
      "References resolve to the definition that the option names. PTX has aliases only of functions of the same module.",
    remedy: "let hosts ask for the other name, or link an image, which has both",
  },
  "duplicate-symbol": {
    severity: "error",
    title: "a name is defined twice",
    explanation: "Of .visible definitions of one name there may be one in all modules; .weak ones give way to it.",
    remedy: "keep one definition, make the others .weak or static, or rename them",
  },
  "undefined-symbol": {
    severity: "error",
    title: "nothing defines a name",
    explanation: "A variable or function is declared .extern, and no module defines it for others to see.",
    remedy: "link the module that defines it",
  },
  "unresolved-symbol": {
    severity: "warning",
    title: "an undefined symbol stays undefined",
    explanation: "--warn-unresolved-symbols lets the link go on; a kernel that uses the symbol faults.",
    remedy: "link the module that defines it before a kernel uses it",
  },
  "repeated-definition": {
    severity: "warning",
    title: "of several definitions the first one counts",
    explanation: "--allow-multiple-definition lets the link go on; the other definitions are never used.",
    remedy: "keep one definition, or make the others .weak",
  },
  "common-symbol": {
    severity: "warning",
    title: "a .common variable meets others of its name",
    explanation: "Said only with --warn-common.",
    remedy: "define the variable in one module, and declare it .extern in the others",
  },
  "symbol-assignment": {
    severity: "error",
    title: "a --defsym cannot be carried out",
    explanation: "Its names form a cycle, or it defines an alias of a kernel or an address outside a variable.",
    remedy: "define the name as a defined symbol, or an offset inside it",
  },
  "symbol-kind": {
    severity: "error",
    title: "one name for different things",
    explanation: "A name is a variable, a function, a kernel or a reference, and the same in all modules.",
    remedy: "rename one of them",
  },
  "symbol-space": {
    severity: "error",
    title: "a variable in two state spaces",
    explanation: "All modules must declare a variable in the space of its definition.",
    remedy: "declare it in the state space of its definition",
  },
  "symbol-managed": {
    severity: "error",
    title: "a variable managed in one module only",
    explanation: "The driver places managed variables differently.",
    remedy: "write .attribute(.managed) in all modules, or in none",
  },
  "symbol-unified": {
    severity: "error",
    title: "a variable or function unified in one module only",
    explanation:
      "PTX ISA 5.4.8: a unified variable has the same address on host and devices, and is read by ld.unified.",
    remedy: "write the same .attribute(.unified(...)) in all modules",
  },
  "symbol-size": {
    severity: "error",
    title: "a variable of two sizes",
    explanation: "The modules would disagree on what belongs to it; an open array `[]` agrees with every size.",
    remedy: "declare it as it is defined, or as an open array",
  },
  "symbol-prototype": {
    severity: "error",
    title: "a function of two prototypes",
    explanation: "Caller and callee would disagree on where arguments are.",
    remedy: "declare it as it is defined, and compile what calls it again",
  },
  "driver-prototype": {
    severity: "warning",
    title: "a function of the driver is declared with another signature",
    explanation: "The driver would look for arguments where the caller put none.",
    remedy: "declare it with the signature of the driver, and compile its callers again",
  },
  "symbol-type": {
    severity: "warning",
    title: "a variable of two types",
    explanation:
      "The sizes agree, so the link goes on; one module reads what another never wrote. So it is of a texture, sampler or surface that modules begin with different values.",
    remedy: "declare it as it is defined",
  },
  "odr-violation": {
    severity: "warning",
    title: "weak definitions that differ",
    explanation: "--detect-odr-violations found .weak definitions of one name that do not say the same.",
    remedy: "build all modules with the same source and options",
  },
  "symbol-align": {
    severity: "warning",
    title: "a declaration asks for more alignment than there is",
    explanation: "Vector accesses that rely on it may fault.",
    remedy: "give the definition the alignment that the declaration asks for",
  },
  "unknown-root": {
    severity: "error",
    title: "an option names a root that no input has",
    explanation: "--kernels-used and --variables-used say what to keep; a name or pattern of theirs fits nothing.",
    remedy: "name a symbol that an input defines; --print-gc-sections lists what is dropped",
  },
  "nothing-live": {
    severity: "error",
    title: "--gc-sections would leave an empty image",
    explanation: "No input has a kernel, no .visible variable counts as a root, and -u names no defined symbol.",
    remedy: "name what to keep with -u, or link without --gc-sections",
  },
  "unknown-in-order": {
    severity: "warning",
    title: "an order file names a symbol that no input has",
    explanation: "--symbol-ordering-file has a name that is neither a function nor a variable outside shared memory.",
    remedy: "take the name out of the file, or write it as the inputs have it",
  },
  "no-effect": {
    severity: "warning",
    title: "an option changes nothing here",
    explanation:
      "The option says more about another one, which was not given, or about what this output does not have.",
    remedy: "leave the option out, or give the one that it goes with",
  },
  "kernels-left-out": {
    severity: "warning",
    title: "the image has no kernel, but members that were not taken have",
    explanation: "A member of an archive is taken when code refers to what it defines. No code refers to a kernel.",
    remedy: "name the kernels with -u, or take all members with --whole-archive",
  },
  "ambiguous-kernel": {
    severity: "warning",
    title: "several kernels have one name",
    explanation:
      "Kernels that are not .visible remain separate in the image, but a launch knows a kernel by its name alone.",
    remedy: "make the kernels .visible under names of their own",
  },
  "unknown-stack": {
    severity: "warning",
    title: "no size of stack is known to be enough for a kernel",
    explanation: "Functions that it reaches call themselves or each other, so that calls may be nested to any depth.",
    remedy: "bound the recursion; a host sets the stack with cudaDeviceSetLimit(cudaLimitStackSize, ...)",
  },
  "shared-limit": {
    severity: "error",
    title: "a kernel's static shared memory is too large",
    explanation:
      "A block has 49152 bytes of static shared memory; more must be dynamic, but for targets like sm_90a, which have all that a block can have.",
    remedy: "make the largest variable smaller, or dynamic: .extern .shared, with its size given at the launch",
  },
  "not-executed": {
    severity: "error",
    title: "an instruction cannot be executed yet",
    explanation: "The instruction is known, checked and encoded, but the engine has no meaning for it yet.",
    remedy: "replace it by other instructions: docs/execution.md lists the unsupported ones",
  },
  // load
  "launch-spec": {
    severity: "error",
    title: "the launch specification is invalid",
    explanation: "docs/cli.md describes it: buffers, symbols, launches and outputs.",
    remedy: "ptxkit explain launch-spec shows the format",
  },
  "device-memory": {
    severity: "error",
    title: "variables and buffers do not fit in device memory",
    explanation: "A device has 4294967296 bytes of memory here, for .global variables and the launch's buffers.",
    remedy: "make the variable smaller, or pass what a launch needs as a buffer",
  },
  // run: why a kernel stopped (docs/execution.md, "How a launch stops")
  "illegal-address": {
    severity: "error",
    title: "a kernel accessed memory that is not allocated",
    explanation: "The address lies in no allocation, or runs over the end of one.",
    remedy: "test the index against the number of elements, or make the buffer larger",
  },
  "misaligned-address": {
    severity: "error",
    title: "a kernel used a misaligned address",
    explanation: "An access needs an address that is a multiple of its size (PTX ISA 6.4.1).",
    remedy: "make the address a multiple of the bytes that are accessed, all of a vector's",
  },
  trap: {
    severity: "error",
    title: "a kernel trapped",
    explanation: "The kernel executed trap, or an instruction that its operands make impossible.",
    remedy: "see what leads to this line: a printf before it shows what values did",
  },
  assert: {
    severity: "error",
    title: "an assertion of a kernel failed",
    explanation: "The kernel called __assertfail.",
    remedy: "look at what the assertion compares: it is false for this thread",
  },
  deadlock: {
    severity: "error",
    title: "a kernel cannot go on",
    explanation: "Every warp waits for another one, at a barrier or elsewhere.",
    remedy: "see that all threads that a barrier counts reach it, also those that have nothing to do",
  },
  "instruction-limit": {
    severity: "error",
    title: "a launch issued more instructions than allowed",
    explanation: "--max-instructions sets the limit.",
    remedy: "look for a loop without an end, or give --max-instructions a larger number",
  },
  "stack-overflow": {
    severity: "error",
    title: "calls are nested too deeply",
    explanation: "Each call keeps its caller's frame; recursion without an end runs out of them.",
    remedy: "look for recursion without an end",
  },
  suppressions: {
    severity: "error",
    title: "a line of a suppressions file is invalid",
    explanation:
      "A line has a kind of finding, a kernel, and a place as FILE:LINE; words may be patterns or be missing at the end.",
    remedy: "write KIND KERNEL FILE:LINE, such as: race scan* scan.cu:14",
  },
  ratchet: {
    severity: "error",
    title: "a line of a ratchet file is invalid",
    explanation:
      "A line has a property of functions, as ptxkit diff shows it, and how much that may grow: a number or a share.",
    remedy: "write PROPERTY GROWTH, such as: registers 0, or: code 2%",
  },
  // run --sanitize (docs/sanitizer.md); out-of-bounds is above
  "use-after-free": {
    severity: "error",
    title: "memory is used that is gone",
    explanation: "A block of the device heap has been freed, or the function of a local variable has returned.",
    remedy: "free the block after its last use",
  },
  "double-free": {
    severity: "error",
    title: "a block of the device heap is freed twice",
    explanation: "free takes each address that malloc gave once.",
    remedy: "free each block once, by one thread",
  },
  misaligned: {
    severity: "error",
    title: "an address is not a multiple of the bytes accessed",
    explanation: "An access needs an address that is a multiple of its size (PTX ISA 6.4.1).",
    remedy: "make the address a multiple of the bytes that are accessed, all of a vector's",
  },
  uninitialized: {
    severity: "error",
    title: "a value that nothing wrote is used",
    explanation:
      "It decides what is executed, is part of an address, or goes to an output. Copying it is not reported.",
    remedy: "write the variable before it is read",
  },
  race: {
    severity: "error",
    title: "two threads access the same byte and nothing orders them",
    explanation: "At least one of the accesses writes, and they are not both atomic. Which one is first is chance.",
    remedy: "put a barrier between the two, or use atomic operations",
  },
  barrier: {
    severity: "error",
    title: "a barrier is not reached as it has to be",
    explanation: "All threads that a barrier counts have to reach it, those of a warp together where it is aligned.",
    remedy: "move the barrier out of the branch",
  },
  "warp-mask": {
    severity: "error",
    title: "the mask of a warp instruction is wrong",
    explanation:
      "It has to name all lanes that execute the instruction, the same for each, and no lane that cannot come.",
    remedy: "name the lanes that come here, computed before they part",
  },
  "missing-wait": {
    severity: "error",
    title: "bytes of an asynchronous copy are touched before it is complete",
    explanation:
      "A copy is complete for a thread that has waited for its group or its mbarrier, or is ordered after one that has.",
    remedy: "wait for the copy first",
  },
  mbarrier: {
    severity: "error",
    title: "an mbarrier is not used as it has to be",
    explanation:
      "It is initialised once before its use, takes as many arrivals and bytes in a phase as it expects, and ends each phase.",
    remedy: "see that its count is that of all that arrive",
  },
  leak: {
    severity: "warning",
    title: "blocks of the device heap are never freed",
    explanation: "What malloc gave stays until the process ends.",
    remedy: "free the block when it is not needed any more",
  },
  interrupted: {
    severity: "error",
    title: "the run was interrupted",
    explanation: "Outputs show what had been done until then.",
    remedy: "let it run on, or give --max-instructions to stop it by itself",
  },
} as const satisfies Record<string, CodeRow>;

/** The code of a diagnostic, such as "undefined-symbol". */
export type CodeName = keyof typeof table;

/** Every diagnostic by its code: severity, title and general remedy. */
export const codes: { readonly [Name in CodeName]: CodeRow } = table;
