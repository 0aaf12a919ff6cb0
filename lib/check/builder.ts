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
  /** Registers of the module, of PTX before 3.0. */
  readonly moduleRegisters: readonly ModuleRegister[];
  /** For bodies whose instructions were stepped over. */
  readonly unparsed: UnparsedContext | undefined;
  /** Of the module's version and target. */
  readonly matchCache: MatchCache;
  /** Of the instruction at hand. */
  readonly signature: Signature;
  /** Declares a .shared, .global or .const variable of the body; its symbol's index, or undefined after a report. */
  declareStatic(declaration: VariableDeclaration, scope: VariableScope): readonly (readonly [Name, number])[];
  /** Takes the order that ptxas has such symbols of a whole body in. */
  orderStatics(symbols: readonly number[]): void;
  /** Declares a function by a prototype inside the body, which ptxas lets the rest of the module see. */
  declareFunction(declaration: FunctionDeclaration): void;
}

/** Instructions that were stepped over, of one module. */
export interface UnparsedContext {
  readonly reader: InstructionReader;
  /** By name id: the trie of the spelling's cached matches. */
  readonly tries: NameCache["tries"];
  /** One was at fault: the module's text must be read as a whole. */
  failed: boolean;
}

/** Mutable while the body is walked; becomes the Code. */
export interface Builder {
  readonly registers: RegisterFile;
  readonly variables: FrameVariable[];
  readonly instructions: Instruction[];
  /** How many of them there are so far. */
  count: number;
  readonly labels: { name: string; target: number }[];
  readonly branchTargets: { name: string; targets: number[] }[];
  readonly callTargets: { name: string; symbols: number[] }[];
  /** Of each of them. */
  readonly callees: Callees[];
  readonly prototypes: { name: string; prototype: Prototype }[];
  readonly locations: SourceLocation[];
  readonly pragmas: { before: number; text: string }[];
  location: number;
  /** "file line column" of every .loc so far, once one asks. */
  placesSeen: Set<string> | undefined;
  readonly lint: LintCandidate;
  /** Symbols of the .global and .const variables of the blocks that have ended, each block's together. */
  readonly statics: number[];
  /** Variables of the body that may have no right value. */
  readonly pointers: BodyPointer[];
  /** Of each instruction that was put in beside those that were counted: how many of these are before it (register-sum.ts). */
  readonly additions: number[];
}

/** For a body of so many instructions, of which nothing has been read. */
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
