// The syntax of each construct of IR text (LLVM Language Reference), shown as the remedy of a syntax error in it. In a module of
// typed pointers `ptr` is printed as `TYPE*`; brackets enclose optional parts.

import { binaryOpcodes, castOpcodes } from "./words.table.js";

const integerWords = new Map([
  ...["add", "sub", "mul", "shl"].map((opcode) => [opcode, "[nuw] [nsw] "] as const),
  ...["udiv", "sdiv", "lshr", "ashr"].map((opcode) => [opcode, "[exact] "] as const),
]);

const exceptions = "unwind label %HANDLER";

/** By opcode, and by the first word of a statement of the module. */
export const forms: ReadonlyMap<string, string> = new Map([
  ...[...binaryOpcodes].map((opcode) => [opcode, `%X = ${opcode} ${integerWords.get(opcode) ?? ""}TYPE A, B`] as const),
  ...[...castOpcodes].map((opcode) => [opcode, `%X = ${opcode} TYPE A to TYPE`] as const),
  ["fneg", "%X = fneg TYPE A"],
  ["freeze", "%X = freeze TYPE A"],
  ["icmp", "%X = icmp PREDICATE TYPE A, B (eq ne ugt uge ult ule sgt sge slt sle)"],
  ["fcmp", "%X = fcmp PREDICATE TYPE A, B (oeq une olt uno and their like)"],
  ["select", "%X = select i1 CONDITION, TYPE A, TYPE B"],
  ["phi", "%X = phi TYPE [ A, %BLOCK ], [ B, %BLOCK ]"],
  ["extractelement", "%X = extractelement <N x TYPE> VECTOR, i32 INDEX"],
  ["insertelement", "%X = insertelement <N x TYPE> VECTOR, TYPE A, i32 INDEX"],
  ["shufflevector", "%X = shufflevector <N x TYPE> A, <N x TYPE> B, <M x i32> MASK"],
  ["extractvalue", "%X = extractvalue TYPE AGGREGATE, INDEX"],
  ["insertvalue", "%X = insertvalue TYPE AGGREGATE, TYPE A, INDEX"],
  ["alloca", "%X = alloca TYPE [, i32 COUNT] [, align N]"],
  ["load", "%X = load [volatile] TYPE, ptr ADDRESS [, align N]"],
  ["load atomic", '%X = load atomic TYPE, ptr ADDRESS [syncscope("SCOPE")] ORDERING, align N'],
  ["store", "store [volatile] TYPE A, ptr ADDRESS [, align N]"],
  ["store atomic", 'store atomic TYPE A, ptr ADDRESS [syncscope("SCOPE")] ORDERING, align N'],
  ["getelementptr", "%X = getelementptr [inbounds] TYPE, ptr ADDRESS, i64 INDEX"],
  ["fence", 'fence [syncscope("SCOPE")] ORDERING'],
  ["cmpxchg", "%X = cmpxchg ptr ADDRESS, TYPE COMPARED, TYPE NEW ORDERING ORDERING"],
  ["atomicrmw", "%X = atomicrmw OPERATION ptr ADDRESS, TYPE A ORDERING"],
  ["ret", "ret TYPE A, or ret void"],
  ["unreachable", "unreachable, alone"],
  ["br", "br label %BLOCK, or br i1 CONDITION, label %BLOCK, label %BLOCK"],
  ["switch", "switch TYPE A, label %DEFAULT [ TYPE VALUE, label %BLOCK ]"],
  ["call", "%X = call TYPE @FUNCTION(TYPE A, TYPE B)"],
  ...["tail", "musttail", "notail"].map((word) => [word, `%X = ${word} call TYPE @FUNCTION(TYPE A, TYPE B)`] as const),
  ["invoke", `invoke TYPE @FUNCTION(TYPE A) to label %BLOCK ${exceptions}`],
  ["callbr", "callbr TYPE asm TEXT, CONSTRAINTS(TYPE A) to label %BLOCK [label %BLOCK]"],
  ["indirectbr", "indirectbr ptr ADDRESS, [ label %BLOCK ]"],
  ["resume", "resume TYPE A"],
  ["landingpad", "%X = landingpad TYPE cleanup, or with clauses catch TYPE A, filter TYPE A"],
  ["cleanuppad", "%X = cleanuppad within PARENT [ARGUMENTS]"],
  ["catchpad", "%X = catchpad within %CATCHSWITCH [ARGUMENTS]"],
  ["catchswitch", `%X = catchswitch within PARENT [label %HANDLER] unwind to caller, or ${exceptions}`],
  ["cleanupret", `cleanupret from %PAD unwind to caller, or ${exceptions}`],
  ["catchret", "catchret from %PAD to label %BLOCK"],
  ["va_arg", "%X = va_arg ptr LIST, TYPE"],
  ["body", "an instruction, as %SUM = add i32 %A, %B, a label, as LOOP:, or '}' after the last block"],
  [
    "variable",
    "@NAME = [LINKAGE] [addrspace(N)] global TYPE VALUE [, align N] (or constant; external without a value)",
  ],
  ["alias", "@NAME = alias TYPE, ptr @OTHER"],
  ["ifunc", "@NAME = ifunc TYPE, ptr @OTHER"],
  ["type", "%NAME = type { TYPE, TYPE }"],
  ["define", "define [LINKAGE] TYPE @NAME(TYPE %A, TYPE %B) [ATTRIBUTES] { INSTRUCTIONS }"],
  ["declare", "declare TYPE @NAME(TYPE, TYPE) [ATTRIBUTES]"],
  ["target", 'target triple = "nvptx64-nvidia-cuda", or target datalayout = "LAYOUT"'],
  ["source_filename", 'source_filename = "NAME"'],
  ["module", 'module asm "TEXT"'],
  ["attributes", 'attributes #N = { nounwind "NAME"="VALUE" }'],
  ["metadata list", "!NAME = !{!0, !1}"],
  ["metadata node", '!N = !{OPERAND, OPERAND}: nodes !1, strings !"A" and values i32 1'],
  ["uselistorder", "uselistorder TYPE VALUE, { 1, 0 }"],
  ["uselistorder_bb", "uselistorder_bb @FUNCTION, %BLOCK, { 1, 0 }"],
  ["deplibs", 'deplibs = [ "NAME" ]'],
  ["comdat", "$NAME = comdat any"],
  ["summary", "^N = KIND: (FIELDS)"],
  [
    "statement",
    "define, declare, @NAME = global, %NAME = type, !NAME = !{}, attributes or target at the beginning of a line",
  ],
] as const);
