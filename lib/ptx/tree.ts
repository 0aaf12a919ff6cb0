// The syntax tree of one PTX module: the text's contents, before names are resolved. PTX ISA 9.0 chapters 4 (syntax), 5 (state
// spaces, types, variables), 6 (operands), 7 (functions), 9.1 (instruction format) and 11 (directives).
//
// Every node has its place as a half-open range of byte offsets into the source; lines are computed when a message needs one.
// Names are interned strings without interpretation: the checker decides whether `foo` is a register, a label, a variable or a
// function, so that the parser needs no symbol table and can recover anywhere.
//
// Rejected: a lossless tree with comments and white space (no later stage needs them; the printer's output parses to the same
// tree, except for `start` and `end`), and token indices instead of offsets (they keep the whole token table in memory).

import type { SectionPart } from "./section-data.js";
import type { Ranged, Source } from "./source-text.js";

/** A name in a use or declaration, with its own range for messages. */
export interface Name extends Ranged {
  readonly text: string;
}

// ---------------------------------------------------------------------------------------------- constant expressions
// Section 4.5. Folding them is the checker's work: it knows the type that the value must fit.

export type Expression =
  | IntegerLiteral
  | FloatLiteral
  | (Ranged & { readonly kind: "unary"; readonly op: "+" | "-" | "!" | "~"; readonly operand: Expression })
  | (Ranged & {
      readonly kind: "binary";
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Ranged & {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    })
  | (Ranged & { readonly kind: "cast"; readonly type: Name; readonly operand: Expression })
  | (Ranged & { readonly kind: "warp-size" });

export interface IntegerLiteral extends Ranged {
  readonly kind: "integer";
  /** The value in the text, never negative; may exceed 64 bits, which the checker reports. */
  readonly value: bigint;
  /** Written with the suffix U. */
  readonly unsigned: boolean;
  /** Has more digits than ptxas accepts; the checker rejects it. */
  readonly overflows?: true;
}

export interface FloatLiteral extends Ranged {
  readonly kind: "float";
  /** The spelling: decimal, `0f` + 8 digits (f32 bits) or `0d` + 16 digits (f64 bits). */
  readonly spelling: "decimal" | "f32-bits" | "f64-bits";
  /** The IEEE bits: of an f32 for `f32-bits`, otherwise of an f64. */
  readonly bits: bigint;
  /** A decimal outside the normal numbers of an f64, which ptxas does not accept; the checker rejects it. */
  readonly overflows?: true;
}

export type BinaryOperator =
  | "*" | "/" | "%" | "+" | "-" | "<<" | ">>" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "&" | "^" | "|" | "&&" | "||"; // prettier-ignore

// -------------------------------------------------------------------------------------------------------- initialisers
// Section 5.4.4. A name may be alone, with `+ offset`, inside generic(), and any of these inside mask(), which is
// written as an integer followed by a parenthesised value.

export type Initializer =
  | (Ranged & { readonly kind: "list"; readonly elements: readonly Initializer[] })
  | (Ranged & { readonly kind: "constant"; readonly value: Expression })
  | (Ranged & {
      readonly kind: "address";
      readonly name: Name;
      readonly generic: boolean;
      readonly offset?: Expression;
    })
  | (Ranged & { readonly kind: "mask"; readonly mask: IntegerLiteral; readonly value: Initializer })
  /** Opaque-type initialisers: `{ width = 3, filter_mode = nearest }` (section 5.3). */
  | (Ranged & {
      readonly kind: "field";
      readonly field: Name;
      readonly value: Expression | (Name & { readonly kind: "name" });
    });

// ----------------------------------------------------------------------------------------------------------- variables

export type Linkage = "extern" | "visible" | "weak" | "common";

/** An array bound: a number of elements, or `[]`. */
export interface Dimension extends Ranged {
  readonly size: bigint | undefined;
  /** The bound was not a single literal, which the manual allows and ptxas rejects. */
  readonly computed?: true;
}

/** `.attribute(.managed)`, `.attribute(.unified(19, 95))`: section 5.4.8. */
export interface Attribute extends Ranged {
  readonly name: string;
  readonly arguments: readonly bigint[];
}

/** The part of a declaration before its names: `.global .align 8 .v4 .f32`. */
export interface DeclarationType extends Ranged {
  /** State space without the dot: reg sreg const global local param shared tex. */
  readonly space: string;
  /** `.const[3]`: the constant banks of PTX ISA 1.x. */
  readonly bank?: bigint;
  /** Every `.align N`, in text order; the checker requires powers of two. */
  readonly alignments: readonly (Ranged & { readonly value: bigint })[];
  /** 2, 4 or 8 for .v2 .v4 .v8. */
  readonly vector?: number;
  /** Type without the dot, such as "u32" or "texref". */
  readonly type: Name;
  /** Kernel parameters: `.ptr .global .align 8`. */
  readonly pointer?: { readonly space?: string; readonly align?: bigint };
  readonly attributes: readonly Attribute[];
}

/** One declared name with its bounds, count and initial value. */
export interface Declarator extends Ranged {
  readonly name: Name;
  readonly dimensions: readonly Dimension[];
  /** `%r<100>`: a hundred names, %r0 to %r99 (section 5.4.6). */
  readonly count?: bigint;
  readonly initializer?: Initializer;
}

export interface VariableDeclaration extends Ranged {
  readonly kind: "variable";
  readonly linkage?: Linkage;
  readonly type: DeclarationType;
  readonly declarators: readonly Declarator[];
}

// ----------------------------------------------------------------------------------------------------------- functions

/** A formal parameter; its name may be `_` in a prototype. */
export interface Parameter extends Ranged {
  readonly type: DeclarationType;
  readonly declarator: Declarator;
}

/** `.maxntid 256, 1, 1`, `.minnctapersm 2`, `.noreturn`, `.pragma "nounroll"`, `.abi_preserve 4`: chapter 11. */
export interface FunctionDirective extends Ranged {
  /** Without the dot. */
  readonly name: string;
  readonly values: readonly bigint[];
  readonly strings: readonly string[];
}

export interface FunctionDeclaration<Body = BlockStatement> extends Ranged {
  readonly kind: "function";
  readonly linkage?: Linkage;
  readonly entry: boolean;
  readonly attributes: readonly Attribute[];
  readonly returns: readonly Parameter[];
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly directives: readonly FunctionDirective[];
  /** Absent in a declaration, which ends with a semicolon. */
  readonly body?: Body;
}

/** A function's body that was skipped, with its braces. */
export interface UnreadBody extends Ranged {
  readonly kind: "unread";
}

// ---------------------------------------------------------------------------------------------------------- statements

export interface BlockStatement<Instructions = Instruction> extends Ranged {
  readonly kind: "block";
  readonly statements: readonly Statement<Instructions>[];
}

export type Statement<Instructions = Instruction> =
  | BlockStatement<Instructions>
  | VariableDeclaration
  | Instructions
  | Label
  | PrototypeDeclaration
  | TargetList
  | Location
  | Pragma
  /** A prototype inside a body, always without a body; ptxas accepts it. */
  | FunctionDeclaration
  /** Section 11.1.2 allows it in a body. */
  | TargetDirective;

export interface Label extends Ranged {
  readonly kind: "label";
  readonly name: Name;
}

/** `proto: .callprototype (.param .b32 _) _ (.param .b64 _);` */
export interface PrototypeDeclaration extends Ranged {
  readonly kind: "prototype";
  readonly name: Name;
  readonly returns: readonly Parameter[];
  readonly parameters: readonly Parameter[];
  readonly directives: readonly FunctionDirective[];
}

/** `table: .branchtargets L1, L2;` and `callees: .calltargets f, g;` */
export interface TargetList extends Ranged {
  readonly kind: "branch-targets" | "call-targets";
  readonly name: Name;
  readonly targets: readonly Name[];
}

/** `@p add.s32 d, a, b;` section 9.1. */
export interface Instruction extends Ranged {
  readonly kind: "instruction";
  readonly guard?: Ranged & { readonly negated: boolean; readonly name: Name };
  /** Opcode with its modifiers, as in the text and interned: "ld.global.nc.u32". */
  readonly opcode: Name;
  readonly operands: readonly Operand[];
}

/** Consecutive instructions that were skipped. */
export interface UnparsedInstructions extends Ranged {
  readonly kind: "unparsed";
  /** Token index of the first instruction; valid while the lexer has the body. */
  readonly token: number;
  /** Number of instructions, at least one. */
  readonly count: number;
}

export type AnyInstruction = Instruction | UnparsedInstructions;

export type Operand =
  | NameOperand
  | (Ranged & { readonly kind: "constant"; readonly value: Expression })
  | (Ranged & { readonly kind: "vector"; readonly elements: readonly Operand[] })
  /** `[base + offset]`; `rest` has the further items of `[tex, sampler, {x, y}]` or `[tensorMap, {c0, c1}]`. */
  | (Ranged & {
      readonly kind: "address";
      readonly base: Operand;
      readonly rest: readonly Operand[];
      /** `[a].unified` (section 9.7.9.8). */
      readonly unified?: true;
    })
  /** `d|p`. */
  | (Ranged & { readonly kind: "pair"; readonly first: Operand; readonly second: Operand })
  /** `-a`: video instructions negate a register. */
  | (Ranged & { readonly kind: "negate"; readonly operand: Operand })
  /** `a[4]`, `a[%r1]`, `a[%r1 + 4]` outside square brackets (section 6.4.2): an element of an array. */
  | (Ranged & { readonly kind: "element"; readonly array: Name; readonly index: Operand })
  /** `!p`. */
  | (Ranged & { readonly kind: "not"; readonly operand: Operand })
  /** The parenthesised lists of call. */
  | (Ranged & { readonly kind: "list"; readonly elements: readonly Operand[] })
  /** `_`. */
  | (Ranged & { readonly kind: "sink" });

/** A register, special register, variable, function or label. */
export interface NameOperand extends Ranged {
  readonly kind: "name";
  readonly name: Name;
  /** The text after a dot: "x" in `%tid.x` and `%v.x`; "b0", "h1", "b3210" in video instructions. */
  readonly selector?: string;
  /** `name + 4`, `name + -4`. */
  readonly offset?: Expression;
  /** `name - 4`, which only an index may be (section 6.4.2); `offset` is then -4. */
  readonly subtracted?: true;
}

// ---------------------------------------------------------------------------------------------------- module directives

export interface VersionDirective extends Ranged {
  readonly kind: "version";
  readonly major: number;
  readonly minor: number;
}

/** `.target sm_90a, texmode_independent, debug`. */
export interface TargetDirective extends Ranged {
  readonly kind: "target";
  readonly names: readonly Name[];
}

export interface AddressSizeDirective extends Ranged {
  readonly kind: "address-size";
  readonly bits: bigint;
}

/** `.file 1 "a.cu", 1234, 5678`. */
export interface FileDirective extends Ranged {
  readonly kind: "file";
  readonly index: number;
  readonly path: string;
  readonly timestamp?: bigint;
  readonly size?: bigint;
}

/** `.loc 1 20 3, function_name $L__info_string0, inlined_at 1 40 5`; it applies to the instructions that follow. */
export interface Location extends Ranged {
  readonly kind: "location";
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly functionName?: { readonly label: string; readonly offset: bigint };
  readonly inlinedAt?: { readonly file: number; readonly line: number; readonly column: number };
}

/**
 * `.section .debug_info { .b8 1, 2; .b32 .debug_abbrev; }`, and the `@@DWARF` lines of PTX ISA 1.x. Kept as data. Consecutive
 * sections of one name are one directive.
 */
export interface SectionDirective extends Ranged {
  readonly kind: "section";
  readonly name: string;
  /** Written as `@@DWARF` lines, which PTX ISA 2.0 removed. */
  readonly legacy?: true;
  /** Its contents; of values too large for their types, only the low bytes. */
  readonly part: SectionPart;
}

/** `.alias a, b;`: a is an alias of function b. */
export interface AliasDirective extends Ranged {
  readonly kind: "alias";
  readonly alias: Name;
  readonly aliasee: Name;
}

export interface Pragma extends Ranged {
  readonly kind: "pragma";
  readonly strings: readonly string[];
}

export type ModuleItem<Body = BlockStatement> =
  | VersionDirective
  | TargetDirective
  | AddressSizeDirective
  | VariableDeclaration
  | FunctionDeclaration<Body>
  | FileDirective
  | Location
  | SectionDirective
  | AliasDirective
  | Pragma;

/** One PTX module, in the order of its text. */
export interface Module<Body = BlockStatement> {
  readonly source: Source;
  readonly items: readonly ModuleItem<Body>[];
  /** Syntax errors removed parts of the tree: names that it lacks may be declared there. */
  readonly incomplete?: true;
}

/** A module's declarations: each function has its body, or an unread one. */
export type Outline = Module<BlockStatement | UnreadBody>;
