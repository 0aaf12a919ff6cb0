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
    explanation: "Options contradict each other, or an option has an invalid value.",
    remedy: "ptxkit help lists the commands; ptxkit help COMMAND shows its options",
  },
  "file-access": {
    severity: "error",
    title: "a file cannot be read or written",
    explanation: "The operating system refused the access; the message gives its reason.",
    remedy: "check that the file exists and is readable, or that its folder is writable (ls -l)",
  },
  "not-supported": {
    severity: "error",
    title: "this version does not support the request",
    explanation: "ptxkit recognises the option or the kind of input, but does not support the combination.",
    remedy: "leave the option out, or use a version that supports it",
  },
  // files
  "unknown-format": {
    severity: "error",
    title: "the file format is not recognised",
    explanation:
      "Inputs are recognised by content, not by name: text without control characters is PTX or NVVM IR, other formats have a signature.",
    remedy:
      "inputs are PTX, NVVM IR, ptxkit's objects and images, archives, fatbins, and host objects with PTX: file NAME identifies this one",
  },
  "malformed-file": {
    severity: "error",
    title: "a binary file is malformed",
    explanation: "A count, size or offset in the file is out of range, or refers to a structure of the wrong kind.",
    remedy: "fetch or build the file again: most malformed files were truncated by an incomplete copy",
  },
  "broken-rule": {
    severity: "error",
    title: "a file violates a rule of its format",
    explanation:
      "The file can be read, but it lacks a property that all valid files of its kind have. inspect --verify names the rule.",
  },
  "machine-code": {
    severity: "error",
    title: "the file contains machine code (SASS)",
    explanation:
      "A cubin contains SASS, which ptxkit can inspect but neither link nor run. It links PTX, NVVM IR and its own objects.",
    remedy: "use the PTX from which the cubin was compiled, for example from nvcc --ptx or cuobjdump -ptx",
  },
  "no-such-member": {
    severity: "error",
    title: "the file has no member of that name",
    explanation: "FILE(NAME) selects a member of an archive or an entry of a fatbin, by name or by number.",
    remedy:
      "select from an archive, a fatbin or a host file with PTX or machine code: ptxkit inspect lists the contents",
  },
  "no-embedded-ptx": {
    severity: "error",
    title: "a fatbin has no PTX for the target",
    explanation:
      "nvcc embeds code for several architectures into an object. Only PTX can be linked, and none of it is for this target.",
    remedy: "compile with PTX for the target: nvcc -gencode arch=compute_90,code=compute_90",
  },
  "embedded-left-out": {
    severity: "warning",
    title: "an embedded part without PTX for the target is left out",
    explanation:
      "A host program contains the libraries that it was linked with. Those without PTX for this target are not in the image.",
    remedy: "compile the library with PTX for the target, or leave it out",
  },
  // ptx: lexing and parsing
  syntax: {
    severity: "error",
    title: "the text is not valid PTX",
    explanation: "The PTX grammar does not allow this token here; the message names what was expected.",
    remedy: "compare the text with the example that ptxkit explain syntax shows",
  },
  // nvvm: NVVM IR, by its specification (docs/nvvm.md)
  "nvvm-syntax": {
    severity: "error",
    title: "the text is not valid LLVM IR",
    explanation: "The grammar of LLVM IR does not allow this token here; the message names what was expected.",
    remedy: "write what was expected; the LLVM Language Reference defines the syntax",
  },
  "nvvm-dialect": {
    severity: "error",
    title: "the module mixes the syntax of different IR versions",
    explanation:
      "All pointers of a module are typed (i32*) or all are opaque (ptr). The syntax of NVVM IR 1.0 requires typed pointers.",
    remedy: "produce the module with one compiler, or use one syntax throughout",
  },
  "nvvm-undefined": {
    severity: "error",
    title: "a name is used but not defined",
    explanation:
      "Values, blocks, globals, types, metadata nodes, attribute groups and comdats must be defined in the module, before or after their use.",
    remedy: "define the name; a function or variable of another module needs a declaration",
  },
  "nvvm-redefined": {
    severity: "error",
    title: "a name is defined more than once",
    explanation: "A local name has one definition in its function, a global name one in its module.",
    remedy: "rename or remove one of the definitions",
  },
  "nvvm-mismatch": {
    severity: "error",
    title: "an operand's type differs from the type of its value",
    explanation: "IR writes a type before each operand. It must be the type with which the value was defined.",
    remedy: "write the type of the value, or convert the value first",
  },
  "nvvm-alias": {
    severity: "warning",
    title: "an alias is not visible to other modules",
    explanation:
      "The linker exports an alias of a variable as a name for an offset in that variable. This alias points outside the variable, or refers to a texture, sampler or surface, which has no address.",
    remedy: "let the alias refer to an offset from the start to the end of a variable",
  },
  "nvvm-compiler-error": {
    severity: "error",
    title: "the module calls llvm.nvvm.compiler.error",
    explanation:
      "The call remains after optimisation. The module's author uses it to reject this target or these options.",
    remedy: "follow the message, or remove the call together with its branch",
  },
  "nvvm-compiler-warning": {
    severity: "warning",
    title: "the module calls llvm.nvvm.compiler.warn",
    explanation:
      "The call remains after optimisation. The module's author uses it to warn about this target or these options.",
    remedy: "follow the message, or remove the call together with its branch",
  },
  "nvvm-annotation": {
    severity: "error",
    title: "an annotation is invalid",
    explanation:
      "A node of !nvvm.annotations lists a function or variable, then properties with i32 values. A property has the same value in all linked modules (NVVM IR 1.0 section 11.2).",
    remedy: 'write nodes such as !{ptr @k, !"kernel", i32 1}, and give each property one value',
  },
  "nvvm-version": {
    severity: "error",
    title: "the NVVM IR version is not supported",
    explanation:
      "The named metadata !nvvmir.version selects the rules for the module. Versions 1.0 to 1.11 and 2.0 to 3.2 are supported.",
    remedy: "write !{i32 2, i32 0} for modules of current compilers",
  },
  "nvvm-layout": {
    severity: "error",
    title: "the data layout is not that of a GPU",
    explanation:
      "NVVM IR defines two data layouts, with 32-bit or 64-bit pointers. Their parts may be in any order, or the layout omitted.",
    remedy: "omit the data layout, or use one of NVVM IR's",
  },
  "nvvm-triple": {
    severity: "error",
    title: "the module's target triple is not a GPU",
    explanation: "The target triple of a module for NVIDIA GPUs begins with nvptx or nvptx64.",
    remedy: "compile it for nvptx64-nvidia-cuda",
  },
  "nvvm-name": {
    severity: "error",
    title: "a name is invalid",
    explanation:
      "Names in NVVM IR 1.0 consist of letters, digits, $ and _. Names that begin with llvm., and in NVVM IR 1.0 with nvvm., are reserved for the compiler (chapters 2 and 7).",
    remedy: "rename it",
  },
  "nvvm-linkage": {
    severity: "error",
    title: "a linkage type is invalid",
    explanation: "NVVM IR has the linkage types of section 14.1, each of which maps to a PTX directive.",
    remedy: "use external, internal or weak linkage",
  },
  "nvvm-unsupported": {
    severity: "error",
    title: "an LLVM feature is not available on a GPU",
    explanation:
      "LLVM IR has the feature but NVVM IR does not: thread_local, sections, constructors, ifuncs, block addresses.",
    remedy: "replace it as the message says",
  },
  "nvvm-attribute": {
    severity: "error",
    title: "an attribute is invalid here",
    explanation:
      "Each attribute applies to functions, to parameters or to results, and some only to certain types (NVVM IR 1.0 sections 3.9 and 3.11).",
    remedy: "remove the attribute, or move it to where it applies",
  },
  "nvvm-align": {
    severity: "error",
    title: "alignments contradict each other",
    explanation:
      "The annotation align and the metadata !callalign specify alignments other than the natural one. They must not contradict a natural alignment or the align of a byval parameter (NVVM IR 1.0 section 3.2.1).",
    remedy: "remove the annotation, or specify the natural alignment",
  },
  "nvvm-call": {
    severity: "error",
    title: "a call or a function signature is invalid",
    explanation:
      "Arguments must match the callee's type. In NVVM IR 1.0, functions with variable arguments can be called but not defined (section 3.2.1).",
    remedy: "pass the arguments that the function's type specifies",
  },
  "nvvm-atomic": {
    severity: "error",
    title: "an atomic access is invalid",
    explanation:
      "NVVM IR 1.0 has cmpxchg and atomicrmw for i32 and i64 in global and shared memory (sections 3.16 and 8.6). Later versions add atomic loads and stores, fences and more types.",
    remedy: "use another type or address space, or declare a later version",
  },
  "nvvm-type": {
    severity: "error",
    title: "a type is not supported",
    explanation:
      "NVVM IR 1.0 has no half; later versions do. A GPU has no fp128, x86_fp80, ppc_fp128, x86_mmx or scalable vectors (chapter 4).",
    remedy: "use float or double",
  },
  "nvvm-asm": {
    severity: "error",
    title: "inline assembly does not match its call",
    explanation:
      "A constraint must match the operand's type: h, r, l for i16, i32, i64, c for i8, f for float, d for double (NVVM IR 1.0 section 6.1).",
    remedy: "use the constraint for the operand's type",
  },
  "nvvm-instruction": {
    severity: "error",
    title: "an instruction is not supported",
    explanation:
      "NVVM IR has neither exceptions nor block addresses. invoke, landingpad, resume, unwind and indirectbr are not supported (chapter 8).",
    remedy: "compile without exceptions, and use switch",
  },
  "nvvm-intrinsic": {
    severity: "error",
    title: "an intrinsic is unknown or used incorrectly",
    explanation:
      "The name, the types and the constant arguments of an intrinsic are fixed. NVVM IR 1.0 has the intrinsics of its chapters 9 and 13.",
    remedy: "use the name and types that the language reference specifies",
  },
  "nvvm-space": {
    severity: "error",
    title: "an address space is invalid",
    explanation:
      "Address spaces are 0 (generic), 1 (global), 3 (shared), 4 (constant) and 5 (local). Code is not readable memory (NVVM IR 1.0 chapter 10).",
    remedy: "use the address space of the object, or a generic pointer",
  },
  "nvvm-space-mismatch": {
    severity: "warning",
    title: "an access uses an address space other than the variable's",
    explanation:
      "The pointer was cast between address spaces without a conversion. In the new space its bits are the address of other bytes.",
    remedy: "convert the pointer to generic with addrspacecast",
  },
  "nvvm-no-kernel": {
    severity: "warning",
    title: "a kernel property is on a function that is not a kernel",
    explanation: "Block sizes and register limits apply to kernels. On other functions they have no effect.",
    remedy: 'add !"kernel", i32 1 to its annotations',
  },
  "nvvm-kernel-call": {
    severity: "warning",
    title: "a kernel is called as a function",
    explanation: "PTX permits such a call, but compilers for CUDA reject it.",
    remedy: "move the kernel's body to a function that both call",
  },
  "nvvm-texture": {
    severity: "error",
    title: "a texture or surface is accessed as memory",
    explanation:
      "A texture or surface is an i64 variable in address space 1. Only metadata, llvm.used and the handle intrinsic may refer to it (NVVM IR 1.0 chapter 12).",
    remedy: "get its handle with llvm.nvvm.texsurf.handle, and use that",
  },
  "nvvm-limit": {
    severity: "error",
    title: "constant memory overflows",
    explanation: "A module has at most 65536 bytes of constant memory (address space 4).",
    remedy: "move the largest variable to addrspace(1)",
  },
  "nvvm-misprint": {
    severity: "warning",
    title: "an intrinsic has a misprinted name",
    explanation: "NVVM IR 1.0 prints pli64 (letter l) for p1i64 (digit 1). ptxkit accepts both.",
    remedy: "write p1",
  },
  "nvvm-operand": {
    severity: "error",
    title: "an instruction does not accept the operand's type",
    explanation:
      "Each instruction accepts certain types: add integers, fadd floats, and trunc converts an integer to a narrower one.",
    remedy: "use the instruction for the type, or convert the value",
  },
  "nvvm-ssa": {
    severity: "error",
    title: "SSA form is violated",
    explanation:
      "Each value is computed once, on every path to its uses. A phi has one value for each predecessor of its block. Every block ends with a branch, a return or unreachable.",
    remedy: "compute the value in a block that dominates its uses, or use a phi",
  },
  "nvvm-annotation-elsewhere": {
    severity: "warning",
    title: "an annotation belongs to a function of another module",
    explanation:
      "Linking merges annotations. In a module that is compiled alone, annotations of declarations have no effect.",
    remedy: "annotate the function where it is defined, or pass both modules to ptxkit link",
  },
  "nvvm-32-bit": {
    severity: "warning",
    title: "the module has 32-bit addresses",
    explanation: "ptxas of CUDA 12 and later, and drivers of that generation, reject PTX with .address_size 32.",
    remedy: 'write target triple = "nvptx64-nvidia-cuda" and its data layout, or use an older ptxas',
  },
  "nvvm-initializer": {
    severity: "error",
    title: "an initialiser is invalid",
    explanation:
      "An initialiser consists of numbers and addresses. An address is one symbol plus a constant offset, through casts (NVVM IR 1.0 chapter 5). A shared variable has none.",
    remedy: "compute the value in a kernel, or write it as a symbol plus a number",
  },
  // check
  "unsupported-version": {
    severity: "error",
    title: "the PTX ISA version is not supported",
    explanation: "The version in .version does not exist, or is newer than the newest version that ptxkit supports.",
    remedy: "write an existing version, or read a newer module with --assume-version",
  },
  "assumed-version": {
    severity: "warning",
    title: "a newer PTX ISA version is read as the newest supported one",
    explanation: "--assume-version applies the rules of the newest supported version to such modules.",
    remedy: "compare results with those of a driver that supports the version",
  },
  "unsupported-target": {
    severity: "error",
    title: "the target is unknown or unavailable",
    explanation:
      "The architecture in .target does not exist or requires a newer .version, or .address_size is neither 32 nor 64.",
    remedy: "use an existing target, such as sm_80 or sm_90a",
  },
  "target-version": {
    severity: "error",
    title: "the target requires a newer PTX version",
    explanation: "PTX ISA 11.1.2 lists the version that introduced each target.",
    remedy: "raise .version, or use an older .target",
  },
  "unknown-type": {
    severity: "error",
    title: "the type does not exist",
    explanation: "PTX ISA 5.2 lists the types of variables. Alternate floating-point formats are stored in .b types.",
    remedy: "use a type of PTX ISA section 5.2, such as .b32 or .f64",
  },
  "vector-too-large": {
    severity: "error",
    title: "a vector type is too large",
    explanation: "A vector has at most 128 bits (PTX ISA 5.4.2).",
    remedy: "declare an array, or a vector with fewer or smaller elements",
  },
  "bad-alignment": {
    severity: "error",
    title: "an alignment is not a power of two",
    explanation: "`.align` accepts 1, 2, 4, 8 and so on.",
    remedy: "write a power of two",
  },
  "variable-too-large": {
    severity: "error",
    title: "a variable exceeds the address space",
    explanation: "The product of its array bounds and its element size is more than 2^47 bytes.",
    remedy: "declare it smaller, or pass a pointer to memory that the host allocates",
  },
  "image-too-large": {
    severity: "error",
    title: "the image has too much initialised data",
    explanation: "Initialised data exceeds --max-image-size.",
    remedy: "fill the data from the kernel or the launch, or raise --max-image-size",
  },
  "link-too-large": {
    severity: "error",
    title: "the link exceeds a size limit of the linker",
    explanation: "The inputs together, each output, and the initialised bytes of a section must be smaller than 2 GiB.",
    remedy: "initialise large variables at run time, or link fewer modules at once",
  },
  "incomplete-type": {
    severity: "error",
    title: "a variable has no size",
    explanation: "An array bound of the definition is missing or zero.",
    remedy: "specify the number of elements, or add an initialiser",
  },
  "variable-space": {
    severity: "error",
    title: "the state space is not allowed here",
    explanation: "PTX ISA 5.1 defines which spaces can be declared at module scope, in functions and as parameters.",
    remedy: "declare the variable in a state space and with a type that are allowed here (PTX ISA section 5.1)",
  },
  linkage: {
    severity: "error",
    title: "the linkage directive is not allowed here",
    explanation: ".common applies to .global variables only. An .extern function has no body.",
    remedy: "remove the directive, or use one that applies to this declaration",
  },
  attribute: {
    severity: "error",
    title: "the attribute is not allowed here",
    explanation:
      "`.managed` applies to .global variables, `.unified` to .global variables and functions. .unified requires sm_90.",
    remedy: "remove the attribute, or move it to a declaration to which it applies",
  },
  alias: {
    severity: "error",
    title: "an alias is invalid",
    explanation: ".alias names a declared function without a body, and a function that this module defines.",
    remedy: "declare the new name with the prototype of a function that this module defines, before .alias",
  },
  directive: {
    severity: "error",
    title: "a performance directive is invalid",
    explanation: "PTX ISA 11.4 lists the performance directives and their values.",
    remedy: "remove the directive, or give it a valid value (PTX ISA section 11.4)",
  },
  "constant-bank": {
    severity: "error",
    title: "the constant bank overflows",
    explanation: "All .const variables together must fit in 65536 bytes.",
    remedy: "move large tables to .global",
  },
  "too-many-functions": {
    severity: "error",
    title: "a module has too many functions",
    explanation:
      "A module has at most 131072 functions with bodies. The largest modules of compilers have a few thousand.",
    remedy: "split the module, and link the parts",
  },
  "parameter-space": {
    severity: "error",
    title: "a kernel's parameters are too large",
    explanation: "A kernel has at most 32764 bytes of parameters, before PTX ISA 8.1 at most 4352.",
    remedy: "pass a pointer instead of the largest parameters",
  },
  redeclaration: {
    severity: "error",
    title: "declarations of a name differ",
    explanation: "Declarations of one name in a module must agree, and at most one may be a definition.",
    remedy: "rename or remove one of the declarations",
  },
  "undefined-function": {
    severity: "error",
    title: "a function is declared but never defined",
    explanation: "Only .extern functions may be defined in other modules.",
    remedy: "define the function in this module, or declare it .extern and link the module that defines it",
  },
  "unknown-name": {
    severity: "error",
    title: "an undeclared name is used",
    explanation: "PTX requires the declaration of a name before its use. Only labels may be declared later.",
    remedy: "declare the name before its use, or correct its spelling",
  },
  "constant-expression": {
    severity: "error",
    title: "a constant expression cannot be evaluated",
    explanation: "PTX ISA 4.5 defines the operators and their operand types.",
    remedy: "use numbers of at most 64 bits, and operators that accept their types",
  },
  "initializer-type": {
    severity: "error",
    title: "an initial value has the wrong type",
    explanation:
      "PTX ISA 5.4.4: .u32 and .u64 hold addresses, floating-point and bit types hold floats, integer and bit types hold integers.",
    remedy: "write a value of the variable's type",
  },
  "initializer-shape": {
    severity: "error",
    title: "an initialiser does not match the variable's dimensions",
    explanation: "Lists nest as the dimensions do. A scalar has no braces, and a vector lists every element.",
    remedy: "nest the braces and values as the dimensions do",
  },
  "initializer-space": {
    severity: "error",
    title: "an initial value is not allowed here",
    explanation:
      "Only definitions of .global and .const variables have initial values. An initial value may be the address of such a variable or of a function.",
    remedy: "remove the initial value, and store it from a kernel",
  },
  "driver-address": {
    severity: "error",
    title: "the address of a driver function is used",
    explanation: "Functions of the driver have no address in a module. They can only be called, by name.",
    remedy: "define a function that calls the driver function, and use its address",
  },
  "initializer-mask": {
    severity: "error",
    title: "a mask does not select a byte",
    explanation: "mask() accepts 0xFF shifted by whole bytes.",
    remedy: "use 0xFF shifted by whole bytes",
  },
  "initializer-truncated": {
    severity: "warning",
    title: "an initial value is truncated",
    explanation:
      "The value has more bits than its type. The low bits are stored; ptxas does the same without a warning.",
    remedy: "use a value that fits, or a larger type",
  },
  "initializer-short-row": {
    severity: "warning",
    title: "an inner list is shorter than its row",
    explanation:
      "The remaining elements of the row are zero, as the PTX ISA specifies; ptxas instead continues with the next row's values.",
    remedy: "write every value of the row, including zeros",
  },
  "float-raw-bits": {
    severity: "warning",
    title: "an 0f literal in a 64-bit variable",
    explanation: "The 32 bits of an 0f literal are stored without conversion; ptxas does the same.",
    remedy: "use an 0d literal with 16 digits",
  },
  "narrow-address": {
    severity: "warning",
    title: "an address is truncated",
    explanation: "The variable stores only the low 32 bits of a 64-bit address.",
    remedy: "declare the variable as .u64",
  },
  "constant-truncated": {
    severity: "warning",
    title: "a constant is truncated",
    explanation:
      "An integer has more bits than its type, or than 64. The low bits are used; ptxas does the same without a warning.",
    remedy: "use a constant that fits, or a larger type",
  },
  "float-range": {
    severity: "warning",
    title: "a floating-point constant overflows to infinity",
    explanation: "The constant exceeds the largest finite value of its type.",
    remedy: "use a value in range, or .f64",
  },
  "beyond-ptxas": {
    severity: "warning",
    title: "ptxas rejects this valid PTX",
    explanation: "PTX ISA 5.4.3 or 6.4.2 allows the syntax, but ptxas 13.0 rejects it.",
    remedy: "use the syntax that ptxas accepts if the module is also compiled with NVIDIA's tools",
  },
  "beyond-isa": {
    severity: "warning",
    title: "ptxas accepts this invalid PTX",
    explanation: "PTX ISA chapter 6 has no such operand. ptxkit gives it the meaning that ptxas 13.0 gives it.",
    remedy: "use an instruction of the PTX ISA",
  },
  "negative-modulo": {
    severity: "warning",
    title: "the operand of `%` is negative",
    explanation: "PTX ISA 4.5.5 treats both operands of % as .u64, so -7 % 3 is 0; in C it is -1.",
    remedy: "write the intended number",
  },
  "shift-range": {
    severity: "warning",
    title: "a shift count is not less than the operand's width",
    explanation:
      "shl and shr then produce zeros or copies of the sign bit. In a constant expression the count is taken modulo 64, as in ptxas.",
    remedy: "use a smaller shift count",
  },
  "division-by-zero": {
    severity: "warning",
    title: "an integer is divided by the constant zero",
    explanation: "div and rem by zero produce an unspecified value (PTX ISA 9.7.1.8, 9.7.1.9).",
    remedy: "use another divisor, or test it first",
  },
  "unset-register": {
    severity: "warning",
    title: "a register is read but never written",
    explanation: "No instruction of the function writes the register, so its value is unspecified.",
    remedy: "write the register before reading it, or correct its name",
  },
  "written-twice": {
    severity: "warning",
    title: "an instruction writes the same register twice",
    explanation: "Two results of the instruction are the same register. PTX does not define which one is kept.",
    remedy: "use another register for one of the results",
  },
  "misaligned-access": {
    severity: "warning",
    title: "an access to a variable is misaligned",
    explanation:
      "An address must be a multiple of the access size (PTX ISA 6.4.1); for a vector, of the whole vector. The variable's alignment and the offset do not guarantee that.",
    remedy: "declare the variable with .align, or use narrower accesses",
  },
  "out-of-bounds": {
    severity: "warning",
    title: "an access is outside its variable",
    explanation:
      "The access begins before or ends after the variable, buffer or heap block from which its address was derived. For a constant offset this is a warning. `run --sanitize` reports it as an error, even if the bytes belong to another object.",
    remedy: "correct the offset, check the index, or make the variable larger",
  },
  "launch-limit": {
    severity: "warning",
    title: "a directive exceeds the limits of every device",
    explanation:
      "A block has at most 1024 threads, and a thread at most 255 registers. A kernel cannot be launched beyond these limits.",
    remedy: "use a value that devices support",
  },
  "unknown-pragma": {
    severity: "warning",
    title: "a pragma is unknown",
    explanation:
      "Known pragmas are nounroll, used_bytes_mask, enable_smem_spilling, mma_throughput and frequency (PTX ISA chapter 12). Others have no effect.",
    remedy: "correct its name, or remove it",
  },
  "register-type": {
    severity: "error",
    title: "a register declaration is invalid",
    explanation: "Registers have no array bounds, and some types are not available: `%r<N>` declares N registers.",
    remedy: "declare registers with a fundamental type, and several of them as %r<N>",
  },
  "section-data": {
    severity: "error",
    title: "a value in a section does not fit its type",
    explanation: "A .b8, .b16 or .b32 value has at most that many bits. A label is an offset of 32 or 64 bits.",
    remedy: "use a value that fits, or a larger type",
  },
  location: {
    severity: "error",
    title: "a source location is invalid",
    explanation:
      "Each .file number is declared once. inlined_at repeats the file, line and column of an earlier .loc (PTX ISA 11.5).",
    remedy: "declare the file with .file, and number lines from 1",
  },
  "unknown-instruction": {
    severity: "error",
    title: "the instruction does not exist",
    explanation: "PTX ISA 9.4 and earlier versions have no such opcode, modifier or combination.",
    remedy: "use an instruction of the PTX ISA with a valid combination of modifiers and types",
  },
  requires: {
    severity: "error",
    title: "a feature requires a newer PTX version or another target",
    explanation: "The message names the .version and .target that the feature requires.",
    remedy: "raise .version or .target as required",
  },
  "operand-count": {
    severity: "error",
    title: "an instruction has the wrong number of operands",
    explanation: "The note shows the operands of this form.",
    remedy: "write the operands and vector elements that the form has",
  },
  "operand-kind": {
    severity: "error",
    title: "an operand has the wrong kind",
    explanation: "The instruction requires a register, a constant, an address, a vector or a label.",
    remedy: "use an operand of the required kind; move other values to a register first",
  },
  "operand-type": {
    severity: "error",
    title: "an operand has the wrong type",
    explanation:
      "PTX ISA 9.4: sizes must be equal. Bit types are compatible with all types of their size, integers with integers, and floats with the same floating-point type.",
    remedy: "use a register of the instruction's type, or convert the value with cvt or mov",
  },
  "operand-range": {
    severity: "error",
    title: "an immediate is out of range",
    explanation: "The instruction encodes the constant and accepts certain values only.",
    remedy: "use a value in the range that the message gives",
  },
  "operand-space": {
    severity: "error",
    title: "an instruction accesses another state space than the variable's",
    explanation: "ld.shared reads .shared variables, and so on; a generic ld reads any.",
    remedy: "use an instruction for the variable's state space, or another variable",
  },
  call: {
    severity: "error",
    title: "a call does not match its callee",
    explanation: "Arguments and results must match the prototype in number, size and type.",
    remedy: "pass the arguments and results that the declaration specifies, in its order",
  },
  // link
  "no-input": {
    severity: "error",
    title: "nothing to link",
    explanation: "A link requires at least one input.",
    remedy: "pass an object, a PTX module, an archive or a fatbin",
  },
  "already-linked": {
    severity: "error",
    title: "an input is an image",
    explanation: "The addresses in an image are fixed. Only relocatable objects can be linked again.",
    remedy: "link the objects from which the image was made, or make a relocatable object of them with link -r",
  },
  "unknown-target": {
    severity: "error",
    title: "the target does not exist",
    explanation: "Targets are sm_NN, sm_NNa and sm_NNf.",
    remedy: "use a target such as sm_90, sm_90a or sm_100f",
  },
  "incompatible-target": {
    severity: "error",
    title: "an input cannot be linked for the image's target",
    explanation:
      "Inputs link for their own architecture and for later ones of its family, as in nvlink. An input for sm_NNa links for that architecture only.",
    remedy: "compile the input for the image's target, or choose another target with --arch",
  },
  "address-size": {
    severity: "error",
    title: "modules have different address sizes",
    explanation: "PTX ISA 11.1.3: all modules of a link have 32-bit addresses, or all have 64-bit addresses.",
    remedy: "compile every module for the same address size",
  },
  "not-in-version": {
    severity: "error",
    title: "a merged module cannot have one PTX version",
    explanation:
      "A merged module has one PTX version. An old module uses a feature that this version has removed, or a newer one a feature that --ptx-version lacks.",
    remedy: "merge modules of compatible versions, or link an image",
  },
  "debug-dropped": {
    severity: "warning",
    title: "debug information is left out of a merged module",
    explanation: "The DWARF sections of the modules could not be merged. Source lines are kept.",
    remedy: "link an image for debugging, or compile with -lineinfo instead of -G",
  },
  "name-dropped": {
    severity: "warning",
    title: "a merged module lacks a name that --defsym defines",
    explanation:
      "References are resolved to the definition that the option names. PTX has aliases only for functions of the same module.",
    remedy: "use the other name in host code, or link an image, which has both names",
  },
  "duplicate-symbol": {
    severity: "error",
    title: "a symbol is defined more than once",
    explanation: "All modules together may have one .visible definition of a name. It overrides .weak definitions.",
    remedy: "keep one definition, and make the others .weak or static, or rename them",
  },
  "undefined-symbol": {
    severity: "error",
    title: "a symbol is undefined",
    explanation: "A variable or function is declared .extern, but no module has a visible definition.",
    remedy: "link the module that defines the symbol",
  },
  "unresolved-symbol": {
    severity: "warning",
    title: "an undefined symbol remains in the image",
    explanation:
      "--warn-unresolved-symbols reports undefined symbols as warnings. A kernel that uses the symbol faults.",
    remedy: "link the module that defines the symbol before a kernel uses it",
  },
  "repeated-definition": {
    severity: "warning",
    title: "only the first of several definitions is used",
    explanation:
      "--allow-multiple-definition reports duplicate definitions as warnings. The other definitions are not used.",
    remedy: "keep one definition, or make the others .weak",
  },
  "common-symbol": {
    severity: "warning",
    title: "a .common variable is merged with another definition",
    explanation: "Reported with --warn-common only.",
    remedy: "define the variable in one module, and declare it .extern in the others",
  },
  "symbol-assignment": {
    severity: "error",
    title: "a --defsym is invalid",
    explanation: "The names form a cycle, or the option defines an alias of a kernel or an address outside a variable.",
    remedy: "define the name as a defined symbol, or as an offset inside one",
  },
  "symbol-kind": {
    severity: "error",
    title: "a symbol has different kinds",
    explanation: "A symbol is a variable, a function, a kernel or a reference, and must be the same in all modules.",
    remedy: "rename one of the symbols",
  },
  "symbol-space": {
    severity: "error",
    title: "a variable is declared in different state spaces",
    explanation: "All modules must declare a variable in the state space of its definition.",
    remedy: "declare the variable in the state space of its definition",
  },
  "symbol-managed": {
    severity: "error",
    title: "a variable is managed in some modules only",
    explanation: "The driver allocates managed variables in a different way.",
    remedy: "write .attribute(.managed) in all modules, or in none",
  },
  "symbol-unified": {
    severity: "error",
    title: "a variable or function is unified in some modules only",
    explanation:
      "PTX ISA 5.4.8: a unified variable has the same address on the host and all devices, and is read with ld.unified.",
    remedy: "write the same .attribute(.unified(...)) in all modules",
  },
  "symbol-size": {
    severity: "error",
    title: "a variable has different sizes",
    explanation:
      "The modules would access different extents. A declaration with an unsized array `[]` is compatible with every size.",
    remedy: "declare the variable as its definition does, or as an unsized array",
  },
  "symbol-prototype": {
    severity: "error",
    title: "a function has different prototypes",
    explanation: "Caller and callee would use different locations for the arguments.",
    remedy: "declare the function as its definition does, and recompile its callers",
  },
  "driver-prototype": {
    severity: "warning",
    title: "a driver function is declared with another signature",
    explanation: "The driver would read arguments from locations that the caller did not write.",
    remedy: "declare the function with the driver's signature, and recompile its callers",
  },
  "symbol-type": {
    severity: "warning",
    title: "a variable has different types",
    explanation:
      "The sizes are equal, so the link continues, but one module may misinterpret values that another wrote. Also reported for arrays with different dimensions, and for textures, samplers and surfaces with different initial fields.",
    remedy: "declare the variable as its definition does",
  },
  "odr-violation": {
    severity: "warning",
    title: "weak definitions differ",
    explanation: "--detect-odr-violations found .weak definitions of one name with different contents.",
    remedy: "build all modules from the same source with the same options",
  },
  "symbol-align": {
    severity: "warning",
    title: "a declaration requires more alignment than the definition has",
    explanation: "Vector accesses that rely on the alignment may fault.",
    remedy: "give the definition the alignment of the declaration",
  },
  "unknown-root": {
    severity: "error",
    title: "an option names a symbol that no input defines",
    explanation: "A name or pattern of --kernels-used or --variables-used matches no symbol.",
    remedy: "use a symbol that an input defines; --print-gc-sections lists the discarded ones",
  },
  "nothing-live": {
    severity: "error",
    title: "--gc-sections would discard everything",
    explanation: "No input has a kernel, no .visible variable is a root, and -u names no defined symbol.",
    remedy: "name a symbol to keep with -u, or link without --gc-sections",
  },
  "unknown-in-order": {
    severity: "warning",
    title: "an order file names an unknown symbol",
    explanation:
      "A name in the file of --symbol-ordering-file is neither a function nor a variable outside shared memory.",
    remedy: "remove the name from the file, or use the name in the inputs",
  },
  "no-effect": {
    severity: "warning",
    title: "an option has no effect",
    explanation:
      "The option modifies another one that was not given, does not apply to this output, or has a pattern that matches nothing.",
    remedy: "remove the option, or add the one that it modifies",
  },
  "kernels-left-out": {
    severity: "warning",
    title: "the image has no kernel, but members that were not extracted have some",
    explanation:
      "An archive member is extracted if it defines a symbol that other code references. No code references a kernel.",
    remedy: "name the kernels with -u, or extract all members with --whole-archive",
  },
  "ambiguous-kernel": {
    severity: "warning",
    title: "several kernels have the same name",
    explanation:
      "Kernels that are not .visible stay separate in the image, but a launch selects a kernel by name alone.",
    remedy: "make the kernels .visible with different names",
  },
  "unknown-stack": {
    severity: "warning",
    title: "the stack size of a kernel is unbounded",
    explanation: "The kernel reaches recursive functions, so its calls may be nested to any depth.",
    remedy: "bound the recursion; a host sets the stack with cudaDeviceSetLimit(cudaLimitStackSize, ...)",
  },
  "shared-limit": {
    severity: "error",
    title: "a kernel's static shared memory is too large",
    explanation:
      "A block has at most 49152 bytes of static shared memory; for architecture-specific targets such as sm_90a, all of its shared memory. Larger arrays must be dynamic.",
    remedy: "make the largest variable smaller, or dynamic: .extern .shared, with its size given at the launch",
  },
  "not-executed": {
    severity: "error",
    title: "an instruction cannot be executed yet",
    explanation: "The instruction can be checked and linked, but the execution engine does not implement it.",
    remedy: "use other instructions: docs/execution.md lists the unsupported ones",
  },
  // load
  "launch-spec": {
    severity: "error",
    title: "the launch specification is invalid",
    explanation: "docs/cli.md describes the format: buffers, symbols, launches and outputs.",
    remedy: "ptxkit explain launch-spec shows the format",
  },
  "device-memory": {
    severity: "error",
    title: "variables and buffers exceed device memory",
    explanation: "A simulated device has 4294967296 bytes of memory for .global variables and the launch's buffers.",
    remedy: "make the variable or buffer smaller, or pass data as a buffer of the size that the launch needs",
  },
  // run: why a kernel stopped (docs/execution.md, "Faults and deadlocks")
  "illegal-address": {
    severity: "error",
    title: "a kernel used an illegal address",
    explanation:
      "The accessed bytes are outside every allocation, or extend past the end of one. Also reported for calls through an address that is not a function's.",
    remedy: "check the index against the number of elements, or make the buffer larger",
  },
  "misaligned-address": {
    severity: "error",
    title: "a kernel used a misaligned address",
    explanation: "An address must be a multiple of the access size (PTX ISA 6.4.1).",
    remedy: "make the address a multiple of the access size; for a vector, of the whole vector's",
  },
  trap: {
    severity: "error",
    title: "a kernel trapped",
    explanation: "The kernel executed trap, or an instruction with invalid operands.",
    remedy: "find out why the kernel reached this line: printf before it shows the values",
  },
  assert: {
    severity: "error",
    title: "an assertion in a kernel failed",
    explanation: "The kernel called __assertfail.",
    remedy: "check the values that the assertion compares: it is false for this thread",
  },
  deadlock: {
    severity: "error",
    title: "a kernel is deadlocked",
    explanation: "Every warp waits for another one, at a barrier or elsewhere.",
    remedy: "let all threads that a barrier counts reach it, including those without work",
  },
  "instruction-limit": {
    severity: "error",
    title: "a launch issued more instructions than allowed",
    explanation: "--max-instructions sets the limit.",
    remedy: "look for an endless loop, or raise --max-instructions",
  },
  "stack-overflow": {
    severity: "error",
    title: "a thread exceeds its local memory",
    explanation:
      "Calls and local variables of a thread need more than 524288 bytes. Each call in progress keeps its local variables.",
    remedy: "look for endless recursion, or make local arrays smaller",
  },
  suppressions: {
    severity: "error",
    title: "a line of a suppressions file is invalid",
    explanation:
      "A line consists of a kind of finding, a kernel, and a location as FILE:LINE. Words may be patterns, and may be omitted at the end.",
    remedy: "write KIND KERNEL FILE:LINE, such as: race scan* scan.cu:14",
  },
  ratchet: {
    severity: "error",
    title: "a line of a ratchet file is invalid",
    explanation:
      "A line consists of a function property, as ptxkit diff shows it, and its allowed growth: a number or a percentage.",
    remedy: "write PROPERTY GROWTH, such as: registers 0, or: code 2%",
  },
  // run --sanitize (docs/sanitizer.md); out-of-bounds is above
  "use-after-free": {
    severity: "error",
    title: "memory is used after it was freed",
    explanation: "A block of the device heap was freed, or the function of a local variable has returned.",
    remedy: "free the block after its last use",
  },
  "double-free": {
    severity: "error",
    title: "a block of the device heap is freed twice",
    explanation: "free accepts an address from malloc once.",
    remedy: "free each block once, by one thread",
  },
  misaligned: {
    severity: "error",
    title: "an address is not a multiple of the access size",
    explanation: "An address must be a multiple of the access size (PTX ISA 6.4.1).",
    remedy: "make the address a multiple of the access size; for a vector, of the whole vector's",
  },
  uninitialized: {
    severity: "error",
    title: "an uninitialised value is used",
    explanation:
      "The value affects control flow, is part of an address, or is stored to an output. Copies are not reported.",
    remedy: "write the variable before it is read",
  },
  race: {
    severity: "error",
    title: "two threads access the same byte without ordering",
    explanation: "At least one of the accesses writes, and they are not both atomic. Their order is undefined.",
    remedy: "put a barrier between the two accesses, or use atomic operations",
  },
  barrier: {
    severity: "error",
    title: "a barrier is used incorrectly",
    explanation:
      "All threads that a barrier counts must reach it; for an aligned barrier, the threads of a warp together.",
    remedy: "move the barrier out of the branch",
  },
  "warp-mask": {
    severity: "error",
    title: "a warp instruction has a wrong mask",
    explanation:
      "All participating lanes must specify the same mask. It must contain every lane that executes the instruction, and no lane that has exited.",
    remedy: "compute the mask of participating lanes before they diverge",
  },
  "missing-wait": {
    severity: "error",
    title: "data of an asynchronous copy is used before the copy is complete",
    explanation:
      "A copy is complete for a thread that has waited for its group or mbarrier, and for threads ordered after that one.",
    remedy: "wait for the copy first",
  },
  mbarrier: {
    severity: "error",
    title: "an mbarrier is used incorrectly",
    explanation:
      "An mbarrier is initialised once before its first use. Each phase must receive exactly the expected arrivals and bytes.",
    remedy: "initialise it with the number of threads that arrive",
  },
  leak: {
    severity: "warning",
    title: "blocks of the device heap are never freed",
    explanation: "A block from malloc stays allocated until the process ends.",
    remedy: "free the block after its last use",
  },
  interrupted: {
    severity: "error",
    title: "the run was interrupted",
    explanation: "Outputs show the state at the interruption.",
    remedy: "let the run finish, or limit it with --max-instructions",
  },
} as const satisfies Record<string, CodeRow>;

/** The code of a diagnostic, such as "undefined-symbol". */
export type CodeName = keyof typeof table;

/** Every diagnostic by its code: severity, title and general remedy. */
export const codes: { readonly [Name in CodeName]: CodeRow } = table;
