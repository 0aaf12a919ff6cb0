// Every rule of the verifier: its message, its section of the specification, and the versions of IR for which it holds. A rule is
// looked for in code, by its name here; whether it holds is this table's word.

import type { CodeName } from "../../diag/codes.table.js";

/**
 * `1.0`: modules of NVVM IR 1.0 alone, later versions have relaxed it; `nvvm`: every module that says its version of NVVM
 * IR; `all`: those of LLVM without such a version as well.
 */
export type Holds = "1.0" | "nvvm" | "all";

export interface Rule {
  readonly code: CodeName;
  /** Of NVVM IR 1.0; "" of what LLVM asks of every module, and of what PTX cannot have. */
  readonly section: string;
  readonly holds: Holds;
  /** `{0}`, `{1}`: words of the case. */
  readonly text: string;
  readonly remedy?: string;
}

const rule = (code: CodeName, section: string, holds: Holds, text: string, remedy?: string): Rule =>
  remedy === undefined ? { code, section, holds, text } : { code, section, holds, text, remedy };

const later = "or give the module a later version of NVVM IR";

export const rules = {
  // ------------------------------------------------------------------------------------ version, layout, triple
  version: rule(
    "nvvm-version",
    "3.8",
    "all",
    "version {0} of NVVM IR is not known: known are 1.0 to 1.11 and 2.0 to 3.2",
    "write !{i32 2, i32 0} for what today's compilers make",
  ),
  "version-form": rule(
    "nvvm-version",
    "3.8",
    "all",
    "!nvvmir.version is a node of two i32, or of four with the version of debug information",
    "write !nvvmir.version = !{!0} and !0 = !{i32 2, i32 0}",
  ),
  layout: rule(
    "nvvm-layout",
    "3.13",
    "all",
    "'{0}' is not how types are laid out on a GPU: {1}",
    "leave the data layout out, or write the one of NVVM IR for pointers of 32 or 64 bits",
  ),
  "layout-triple": rule(
    "nvvm-layout",
    "3.13",
    "all",
    "the data layout has pointers of {0} bits, and the target triple has {1}",
    "write nvptx for 32 bits and nvptx64 for 64",
  ),
  triple: rule(
    "nvvm-triple",
    "",
    "all",
    "the module is made for '{0}', which is not a GPU of NVIDIA's",
    "compile it for nvptx64-nvidia-cuda: clang --cuda-device-only, or -target nvptx64-nvidia-cuda",
  ),
  // -------------------------------------------------------------------------------------------------------- names
  name: rule(
    "nvvm-name",
    "2",
    "1.0",
    "'{0}' is not a name of a function or variable: it has letters, digits, '$' and '_', and no digit first",
    `rename it, ${later}, which writes '_$_' for a dot`,
  ),
  reserved: rule(
    "nvvm-name",
    "2",
    "1.0",
    "'{0}' is reserved: names that begin with 'nvvm.' or 'llvm.nvvm.' are the compiler's",
    "take another name",
  ),
  intrinsic: rule("nvvm-intrinsic", "9", "all", "'{0}' is not an intrinsic function"),
  "intrinsic-foreign": rule(
    "nvvm-intrinsic",
    "9",
    "all",
    "'{0}' is not supported: {1}",
    "compile without it, for nvptx64-nvidia-cuda",
  ),
  "intrinsic-variable": rule(
    "nvvm-name",
    "7",
    "all",
    "'{0}' is not a variable that the compiler knows: llvm.used and llvm.compiler.used are",
    "take a name that does not begin with 'llvm.'",
  ),
  constructors: rule(
    "nvvm-unsupported",
    "7",
    "all",
    "'{0}' is not supported: nothing runs before or after a kernel",
    "initialise the variables in a kernel that is launched first",
  ),
  used: rule("nvvm-type", "7", "all", "'{0}' is an array of pointers to functions and variables", "write [N x ptr]"),
  // ------------------------------------------------------------------------------------------------------ linkage
  dll: rule("nvvm-linkage", "3.1", "all", "there are no DLLs on a GPU: {0} is not a linkage here", "write external"),
  "linkage-extern-weak": rule(
    "nvvm-linkage",
    "14.1",
    "all",
    "extern_weak has no meaning in PTX: every name that is used has to be defined when modules are linked",
    "write external, or define a weak one that does nothing",
  ),
  "linkage-appending": rule(
    "nvvm-linkage",
    "14.1",
    "all",
    "appending linkage is for llvm.used and llvm.compiler.used",
    "write internal or external",
  ),
  "linkage-declaration": rule(
    "nvvm-linkage",
    "",
    "all",
    "a declaration has external linkage, not {0}",
    "write external, or define it here",
  ),
  "linkage-function": rule("nvvm-linkage", "", "all", "a function cannot have {0} linkage", "write weak"),
  "linkage-common": rule(
    "nvvm-linkage",
    "",
    "all",
    "a common variable starts as zero and is not constant",
    "write zeroinitializer, or weak for another value",
  ),
  alias: rule("nvvm-linkage", "", "all", "an alias is another name of something defined here: {0}", "define it here"),
  ifunc: rule(
    "nvvm-unsupported",
    "",
    "all",
    "ifunc chooses a function when it is loaded, which a GPU does not",
    "call it",
  ),
  // ---------------------------------------------------------------------------------------- variables and functions
  "thread-local": rule(
    "nvvm-unsupported",
    "3.5",
    "all",
    "thread_local variables are not supported",
    "use an alloca, whose memory is a thread's own",
  ),
  "variable-section": rule(
    "nvvm-unsupported",
    "3.5",
    "nvvm",
    "a variable cannot choose its section",
    "leave the section out; addrspace(1), (3) or (4) says where the variable is",
  ),
  "function-section": rule("nvvm-unsupported", "3.6", "nvvm", "a function cannot choose its section", "leave it out"),
  "function-align": rule("nvvm-unsupported", "3.6", "nvvm", "a function has no alignment", "leave it out"),
  gc: rule("nvvm-attribute", "3.10", "all", "there is no garbage collector: gc is not supported", "leave it out"),
  "function-attribute": rule(
    "nvvm-attribute",
    "3.11",
    "nvvm",
    "the function attribute '{0}' is not supported",
    "leave it out: it has no meaning on a GPU",
  ),
  "attribute-place": rule("nvvm-attribute", "3.9", "all", "'{0}' is not an attribute of {1}"),
  "attribute-type": rule("nvvm-attribute", "3.9", "all", "'{0}' is an attribute of {1}, not of {2}"),
  "attribute-pair": rule("nvvm-attribute", "3.9", "all", "'{0}' and '{1}' exclude each other", "leave one out"),
  "variable-space": rule(
    "nvvm-space",
    "10.1",
    "all",
    "a variable is in address space 0, 1 (global), 3 (shared) or 4 (constant), not in {0}",
    "write addrspace(1), or an alloca for memory of a thread's own",
  ),
  "variable-type": rule("nvvm-type", "4", "all", "a variable cannot be of type {0}"),
  "shared-value": rule(
    "nvvm-initializer",
    "",
    "all",
    "a variable in shared memory has no initial value: it begins undefined for each block",
    "write undef, and let the block's threads store what it begins with",
  ),
  "constant-size": rule(
    "nvvm-limit",
    "",
    "all",
    "the module has {0} bytes of constants in address space 4, and 65536 are possible",
    "put the largest into addrspace(1)",
  ),
  blockaddress: rule("nvvm-unsupported", "5", "all", "blockaddress is not supported", "use switch"),
  variadic: rule(
    "nvvm-call",
    "3.2.1",
    "1.0",
    "a function with variable arguments cannot be defined",
    "pass a pointer to a structure of the arguments",
  ),
  "parameter-type": rule("nvvm-type", "4", "all", "a parameter cannot be of type {0}"),
  "result-type": rule("nvvm-type", "4", "all", "a function cannot return {0}"),
  // -------------------------------------------------------------------------------------------------------- types
  type: rule("nvvm-type", "4", "1.0", "the type '{0}' is not supported", `use float, ${later}`),
  "type-never": rule(
    "nvvm-type",
    "4",
    "all",
    "the type '{0}' is not supported: a GPU has no such registers",
    "use double",
  ),
  "type-space": rule(
    "nvvm-space",
    "10.1",
    "all",
    "address space {0} is not one of 0 (generic), 1 (global), 3 (shared), 4 (constant) and 5 (local)",
    "compile for nvptx64-nvidia-cuda, whose address spaces these are",
  ),
  "type-recursive": rule("nvvm-type", "", "all", "the type %{0} contains itself", "let it contain a pointer to itself"),
  "type-deep": rule("nvvm-type", "", "all", "types are nested more than {0} deep", "make them flatter"),
  "type-scalable": rule(
    "nvvm-type",
    "",
    "all",
    "vectors of a length that is not known are not supported",
    "use <N x T>",
  ),
  // -------------------------------------------------------------------------------------------------- annotations
  "annotation-first": rule(
    "nvvm-annotation",
    "11.2",
    "all",
    "an annotation begins with the function or variable that it annotates",
    'write !{ptr @k, !"kernel", i32 1}',
  ),
  "annotation-null": rule(
    "nvvm-annotation",
    "11.2",
    "1.0",
    "an annotation of nothing: what it annotated is gone",
    "leave the node out",
  ),
  "annotation-pairs": rule(
    "nvvm-annotation",
    "11.2",
    "all",
    "the property '{0}' has no value",
    "write properties and values in turn",
  ),
  "annotation-name": rule("nvvm-annotation", "11.2", "all", "the name of a property is a string", 'write !"kernel"'),
  "annotation-value": rule("nvvm-annotation", "11.2", "all", "the value of '{0}' is an i32", "write i32 1"),
  "annotation-width": rule(
    "nvvm-annotation",
    "11.2",
    "1.0",
    "the value of '{0}' is an i32, not an i{1}",
    "write i32 1",
  ),
  "annotation-twice": rule(
    "nvvm-annotation",
    "11.2",
    "all",
    "'{0}' of '{1}' is {2} here and {3} elsewhere",
    "give the property one value",
  ),
  "annotation-entity": rule("nvvm-annotation", "11.3", "all", "'{0}' is a property of a {1}, and '{2}' is a {3}"),
  "kernel-returns": rule(
    "nvvm-annotation",
    "11.3",
    "all",
    "the kernel '{0}' returns {1}; a kernel returns void",
    "store the result through a pointer",
  ),
  "kernel-variadic": rule(
    "nvvm-annotation",
    "11.3",
    "all",
    "a kernel has no variable arguments",
    "name each parameter",
  ),
  "no-kernel": rule(
    "nvvm-no-kernel",
    "11.3",
    "all",
    "'{0}' is a property of kernels, and '{1}' is none: it has no effect",
    'add !"kernel", i32 1 to its annotations, or leave the property out',
  ),
  "align-annotation": rule("nvvm-align", "3.2.1", "all", "'align' of {0} says {1}: {2}"),
  callalign: rule(
    "nvvm-align",
    "3.2.1",
    "all",
    "!callalign: {0}",
    "write !{i32 (position << 16) | bytes, ...} by rising position",
  ),
  // ----------------------------------------------------------------------------------------------------- textures
  "texture-type": rule(
    "nvvm-texture",
    "12.1",
    "all",
    "the {0} '{1}' has to be an i64 in address space 1",
    "write @t = addrspace(1) global i64 0",
  ),
  "texture-use": rule(
    "nvvm-texture",
    "12.1",
    "all",
    "the {0} '{1}' can be used in metadata, in llvm.used and for its handle alone",
    "take its handle with llvm.nvvm.texsurf.handle.p1i64, and use that",
  ),
  "texture-metadata": rule(
    "nvvm-texture",
    "12.2",
    "all",
    "the metadata of a handle holds one texture or surface, that of the second argument",
    "write metadata !{i64 addrspace(1)* @t}, i64 addrspace(1)* @t",
  ),
  // ----------------------------------------------------------------------------------------------- inline assembly
  constraint: rule(
    "nvvm-asm",
    "6.1",
    "1.0",
    "the constraint '{0}' is not supported: c h r l f d are, for i8 i16 i32 i64 float double",
    `use one of them, ${later}`,
  ),
  "constraint-later": rule(
    "nvvm-asm",
    "6.1",
    "all",
    "the constraint '{0}' is not supported: b c h r l q f d n and i are",
    "use the one for the operand's type",
  ),
  "constraint-type": rule("nvvm-asm", "6.1", "all", "an operand with the constraint '{0}' is {1}, not {2}"),
  "constraint-count": rule("nvvm-asm", "6.1", "all", "the constraints are for {0} {1}, and the call has {2}"),
  "constraint-tied": rule(
    "nvvm-asm",
    "6.1",
    "all",
    "the constraint '{0}' ties an operand to a result that does not exist",
  ),
  "constraint-indirect": rule(
    "nvvm-asm",
    "6.1",
    "all",
    "operands in memory ('*', 'm') are not supported",
    "pass a pointer",
  ),
  dialect: rule("nvvm-asm", "6.1", "all", "inteldialect is not supported: the assembly is PTX", "leave the word out"),
  // ------------------------------------------------------------------------------------------------- instructions
  instruction: rule("nvvm-instruction", "8.1", "all", "'{0}' is not supported: {1}"),
  "instruction-other": rule("nvvm-instruction", "8.8", "all", "'{0}' is not supported: {1}"),
  va_arg: rule(
    "nvvm-call",
    "3.2.1",
    "1.0",
    "va_arg is not supported",
    "pass a pointer to a structure of the arguments",
  ),
  "va-start": rule(
    "nvvm-call",
    "",
    "all",
    "the function has no variable arguments that '{0}' could begin with",
    "declare it with ..., or take the list as a parameter",
  ),
  "alloca-count": rule(
    "nvvm-unsupported",
    "8.6.1",
    "1.0",
    "the number of elements of an alloca is a constant",
    "allocate the most that may be needed",
  ),
  "alloca-space": rule(
    "nvvm-space",
    "10.3",
    "all",
    "an alloca returns a generic pointer, not one of space {0}",
    "leave addrspace out",
  ),
  "load-atomic": rule("nvvm-atomic", "8.6.2", "1.0", "'load atomic' is not supported", `use a volatile load, ${later}`),
  "store-atomic": rule(
    "nvvm-atomic",
    "8.6.3",
    "1.0",
    "'store atomic' is not supported",
    `use a volatile store, ${later}`,
  ),
  fence: rule("nvvm-atomic", "8.6.4", "1.0", "'fence' is not supported", "call llvm.nvvm.membar.cta, .gl or .sys"),
  nand: rule("nvvm-atomic", "8.6.6", "1.0", "'nand' of atomicrmw is not supported", "write a loop around cmpxchg"),
  "atomic-operation": rule(
    "nvvm-atomic",
    "8.6.6",
    "1.0",
    "'{0}' of atomicrmw is not supported",
    "call llvm.nvvm.atomic.load.add.f32, or write a loop around cmpxchg",
  ),
  "atomic-type": rule("nvvm-atomic", "8.6.5", "1.0", "{0} is for i32 and i64, not for {1}", "use an i32 around it"),
  "atomic-type-later": rule("nvvm-atomic", "", "all", "{0} is for {1}, not for {2}"),
  "atomic-space": rule(
    "nvvm-atomic",
    "8.6.5",
    "all",
    "{0} needs a pointer to global or shared memory, or a generic one, not to {1}",
    "put the variable into addrspace(1) or addrspace(3)",
  ),
  // ------------------------------------------------------------------------------------------------ address spaces
  "function-access": rule(
    "nvvm-space",
    "10.2.1",
    "all",
    "a function's code cannot be {0}",
    "call the function, or use a variable",
  ),
  "store-constant": rule(
    "nvvm-space",
    "10.1",
    "all",
    "constant memory cannot be written by a kernel",
    "put the variable into addrspace(1)",
  ),
  "space-round-trip": rule(
    "nvvm-space",
    "10.2.2",
    "nvvm",
    "a pointer to {0} memory becomes generic and then one to {1} memory",
    "convert it back to its own address space",
  ),
  "space-mismatch": rule(
    "nvvm-space-mismatch",
    "10.2.1",
    "all",
    "'{0}' is in {1} memory, and the access is to {2} memory",
    "convert the pointer to generic (addrspacecast) instead",
  ),
  // ---------------------------------------------------------------------------------------------------- intrinsics
  "intrinsic-version": rule(
    "nvvm-intrinsic",
    "9",
    "1.0",
    "'{0}' is not supported",
    `replace it by instructions, ${later}`,
  ),
  "intrinsic-type": rule("nvvm-intrinsic", "9", "1.0", "'{0}' is supported for {1}, not for {2}", later.slice(3)),
  "intrinsic-signature": rule("nvvm-intrinsic", "9", "all", "'{0}' {1}", "declare it as it is"),
  "intrinsic-constant": rule("nvvm-intrinsic", "", "all", "argument {0} of '{1}' is a constant", "write a number"),
  "intrinsic-address": rule(
    "nvvm-intrinsic",
    "",
    "all",
    "an intrinsic function has no address: it can be called alone",
  ),
  "intrinsic-defined": rule("nvvm-intrinsic", "2", "all", "'{0}' cannot be defined: the compiler has it", "rename it"),
  "copy-constant": rule(
    "nvvm-intrinsic",
    "9.4",
    "all",
    "constant memory is read-only: '{0}' cannot write to it",
    "copy to addrspace(1)",
  ),
  "move-constant": rule("nvvm-intrinsic", "9.4", "1.0", "'{0}' cannot read constant memory", "call llvm.memcpy"),
  misprint: rule(
    "nvvm-misprint",
    "13.3",
    "all",
    "'{0}' is a misprint of the specification: the letter l stands where the digit 1 is meant",
    "write p1 for a pointer to addrspace(1)",
  ),
  // ---------------------------------------------------------------------------------------------- LLVM: well-formed
  operand: rule("nvvm-operand", "", "all", "'{0}' takes {1}, not {2}"),
  "operand-same": rule("nvvm-operand", "", "all", "the operands of '{0}' are {1} and {2}: they have to be of one type"),
  "operand-cast": rule("nvvm-operand", "", "all", "'{0}' cannot make {1} of {2}"),
  pointee: rule(
    "nvvm-operand",
    "",
    "all",
    "'{0}' is of {1}, and the pointer is to {2}",
    "cast the pointer (bitcast) first",
  ),
  "operand-result": rule("nvvm-operand", "", "all", "the result of '{0}' is {1}, not {2}"),
  index: rule("nvvm-operand", "", "all", "'{0}': there is no element {1} in {2}"),
  unsized: rule("nvvm-operand", "", "all", "'{0}' needs a type with a size, and {1} has none"),
  "call-arguments": rule("nvvm-call", "", "all", "the function takes {0} arguments, and the call has {1}"),
  "call-argument": rule("nvvm-call", "", "all", "argument {0} is {1}, and the parameter {2}"),
  "kernel-call": rule(
    "nvvm-kernel-call",
    "",
    "all",
    "the kernel '{0}' is called like a function",
    "put its body into a function that both call",
  ),
  "return-type": rule("nvvm-operand", "", "all", "the function returns {0}, and this returns {1}"),
  "switch-twice": rule("nvvm-ssa", "", "all", "the switch has the case {0} twice", "leave one out"),
  dominance: rule(
    "nvvm-ssa",
    "",
    "all",
    "{0} is used where it may not have been computed",
    "compute it in a block that every path passes first, or use phi",
  ),
  "use-before": rule("nvvm-ssa", "", "all", "{0} is used before it is computed", "compute it first"),
  "phi-place": rule("nvvm-ssa", "", "all", "a phi follows other instructions", "move it to the head of the block"),
  "phi-predecessor": rule("nvvm-ssa", "", "all", "{0} does not precede this block", "leave its value out"),
  "phi-missing": rule("nvvm-ssa", "", "all", "the phi has no value for the predecessor {0}", "add [ value, {0} ]"),
  "phi-twice": rule("nvvm-ssa", "", "all", "the phi has two values for the predecessor {0}", "leave one out"),
  "phi-type": rule("nvvm-operand", "", "all", "the phi is {0}, and this value {1}"),
  "entry-target": rule(
    "nvvm-ssa",
    "",
    "all",
    "the first block of a function cannot be branched to",
    "put an empty block before it",
  ),
  terminator: rule("nvvm-ssa", "", "all", "{0}"),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;
