// The state that the passes over one function body share: its context, and the code built so far.

import type { FrameVariable, Prototype, SourceLocation } from "../isa/code.js";
import type { Instruction } from "../isa/instruction.js";
import type { InstructionReader } from "../ptx/outline.js";
import type { FunctionDeclaration, Name, VariableDeclaration } from "../ptx/tree.js";
import type { Callees } from "./callees.js";
import { createLintCandidate, type LintCandidate } from "./lint/candidates.js";
import type { BodyPointer } from "./function-address.js";
import type { Header } from "./header.js";
import type { NameCache } from "./cross-module-cache.js";
import type { MatchCache } from "./match-cache.js";
import type { Reporter } from "./reporter.js";
import type { RegisterFile } from "./scope.js";
import type { ModuleRegister, VariableScope } from "./variables.js";
import type { Signature } from "./signature.js";
import type { SymbolTable } from "./symbols.js";

export interface FunctionContext {
  readonly header: Header;
  readonly module: SymbolTable;
  readonly reporter: Reporter;
  /** Registers at module scope, of PTX before 3.0. */
  readonly moduleRegisters: readonly ModuleRegister[];
  /** Present if the instructions of bodies were skipped by the parser. */
  readonly unparsed: UnparsedContext | undefined;
  /** The cache for the module's version and target. */
  readonly matchCache: MatchCache;
  /** The signature of the current instruction. */
  readonly signature: Signature;
  /** Declares .shared, .global or .const variables of the body. Returns the valid names with their symbols. */
  declareStatic(declaration: VariableDeclaration, scope: VariableScope): readonly (readonly [Name, number])[];
  /** Records the order in which ptxas places such symbols of a whole body. */
  orderStatics(symbols: readonly number[]): void;
  /** Declares a function by a prototype inside the body; as in ptxas, the rest of the module sees it. */
  declareFunction(declaration: FunctionDeclaration): void;
}

/** Reads the skipped instructions of one module. */
export interface UnparsedContext {
  readonly reader: InstructionReader;
  /** The trie of cached matches for each spelling, by name id. */
  readonly tries: NameCache["tries"];
  /** An instruction was wrong: the module's text must be parsed as a whole. */
  failed: boolean;
}

/** The code under construction; mutable while the body is walked. */
export interface Builder {
  readonly registers: RegisterFile;
  readonly variables: FrameVariable[];
  readonly instructions: Instruction[];
  /** Number of instructions so far. */
  count: number;
  readonly labels: { name: string; target: number }[];
  readonly branchTargets: { name: string; targets: number[] }[];
  readonly callTargets: { name: string; symbols: number[] }[];
  /** The functions of each list in `callTargets`. */
  readonly callees: Callees[];
  readonly prototypes: { name: string; prototype: Prototype }[];
  readonly locations: SourceLocation[];
  readonly pragmas: { before: number; text: string }[];
  location: number;
  /** "file line column" of every .loc so far; created on first use. */
  placesSeen: Set<string> | undefined;
  readonly lint: LintCandidate;
  /** Symbols of the .global and .const variables of ended blocks, block by block. */
  readonly statics: number[];
  /** Variables of the body whose initial value may be an invalid address. */
  readonly pointers: BodyPointer[];
  /** Number of counted instructions before each inserted one (register-sum.ts). */
  readonly additions: number[];
}

/** An empty builder for a body with this number of instructions. */
export function createBuilder({ module }: FunctionContext, instructions: number): Builder {
  const variables: FrameVariable[] = [];
  return {
    registers: { registers: [], names: module.registerNames, taken: undefined },
    variables,
    instructions: new Array<Instruction>(instructions),
    count: 0,
    labels: [],
    branchTargets: [],
    callTargets: [],
    callees: [],
    prototypes: [],
    locations: [],
    pragmas: [],
    location: -1,
    placesSeen: undefined,
    lint: createLintCandidate(variables, module.symbols),
    statics: [],
    pointers: [],
    additions: [],
  };
}
