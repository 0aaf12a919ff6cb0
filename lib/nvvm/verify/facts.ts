// Facts about a module as a whole: the applicable version of the rules, its layout, its kernels and textures; and the reporter.

import type { DiagnosticSink, Details } from "../../diag/sink.js";
import type { Ranged } from "../../ptx/source-text.js";
import { placeOf } from "../../ptx/source.js";
import type { Function, GlobalVariable } from "../ir/global.js";
import type { Intrinsic } from "../intrinsics/find.js";
import type { DataLayout } from "../ir/layout.js";
import { layoutOf } from "../ir/layout-string.js";
import type { Module } from "../ir/module.js";
import { createTypeMap, type TypeMap } from "../ir/type-map.js";
import type { Constant } from "../ir/value.js";
import { isFull } from "../error-limit.js";
import type { NamedAnnotations } from "../options.js";
import { findMarks } from "./marks.js";
import { rules, type Holds, type Rule, type RuleName } from "./rules.table.js";
import { isEndless } from "./type-depth.js";
import { readVersion, type Version } from "./version.js";

export interface Facts {
  readonly module: Module;
  readonly version: Version | undefined;
  readonly layout: DataLayout;
  readonly kernels: ReadonlySet<Function>;
  /** Textures, surfaces and samplers, with their names for messages. */
  readonly handles: ReadonlyMap<GlobalVariable, string>;
  /** Bytes of `align` annotations, by function and position; 0 is the result. */
  readonly alignments: ReadonlyMap<Function, ReadonlyMap<number, number>>;
  /** Types that were found valid, as most are. */
  readonly rightTypes: TypeMap<true>;
  /** Intrinsic functions by name; null for unknown names. */
  readonly intrinsics: Map<string, Intrinsic | null>;
  /** Constants verified so far. */
  readonly rightConstants: Set<Constant>;
  /** Nesting depth of types. */
  readonly typeDepths: TypeMap<number>;
  /** Whether a named type contains itself, so that sizes cannot be computed; `verifyModule` reports it. */
  hasEndlessTypes(): boolean;
  /** Whether a rule applies to the module. */
  holds(name: RuleName): boolean;
}

const facts = new WeakMap<Module, Facts>();

/**
 * The facts of a module, computed once. `elsewhere`: annotations in other modules for names that they declare; the first caller
 * passes them.
 */
export function factsOf(module: Module, elsewhere: NamedAnnotations = {}): Facts {
  const known = facts.get(module);
  if (known !== undefined) return known;
  const version = readVersion(module);
  let endless: boolean | undefined;
  const made: Facts = {
    hasEndlessTypes: () => (endless ??= module.types.structs.some((struct) => isEndless(struct, made))),
    module,
    version,
    layout: layoutOf(module),
    ...findMarks(module, elsewhere),
    rightTypes: createTypeMap(),
    intrinsics: new Map(),
    rightConstants: new Set(),
    typeDepths: createTypeMap(),
    holds: (name) => levels[(rules[name] as Rule).holds] <= levelOf(module, version),
  };
  facts.set(module, made);
  return made;
}

const levels: Readonly<Record<Holds, number>> = { all: 0, nvvm: 1, "1.0": 2 };

/**
 * A module without a version is NVVM IR 1.0 if it has spellings of that; any other is LLVM's (section 3.8). Spellings of bodies
 * count once they were read.
 */
function levelOf({ spellings }: Module, version: Version | undefined): number {
  if (version === undefined) return spellings.first === undefined ? levels.all : levels["1.0"];
  return version.major === 1 && version.minor === 0 ? levels["1.0"] : levels.nvvm;
}

export interface Reporter extends Facts {
  /** Reports a violated rule if it applies to the module; returns whether it does. */
  report(name: RuleName, at: Ranged, words?: readonly (string | number)[], details?: Details): boolean;
  readonly sink: DiagnosticSink;
}

const reporters = new WeakMap<Facts, Reporter>();

/** One for all bodies that report to a sink. */
export function reporterOf(known: Facts, sink: DiagnosticSink): Reporter {
  const before = reporters.get(known);
  if (before?.sink === sink) return before;
  const made = createReporter(known, sink);
  reporters.set(known, made);
  return made;
}

function createReporter(known: Facts, sink: DiagnosticSink): Reporter {
  const { module } = known;
  return {
    ...known,
    sink,
    report(name, at, words = [], details = {}) {
      if (!known.holds(name)) return false;
      if (isFull(sink)) return true;
      const { code, section, text, remedy }: Rule = rules[name];
      const place = module.form === "text" ? placeOf(module.source, at) : bytePlace(module, at);
      sink.report(code, fill(text, words) + citation(section), place, {
        ...(remedy === undefined ? {} : { remedy: fill(remedy, words) }),
        ...details,
      });
      return true;
    },
  };
}

const bytePlace = ({ source }: Module, { start }: Ranged) =>
  ({ kind: "bytes", file: source.name, offset: start }) as const;

const fill = (text: string, words: readonly (string | number)[]): string =>
  text.replace(/\{(\d)\}/g, (all, digit: string) => String(words[Number(digit)] ?? all));

/** `(NVVM IR 1.0 section 3.5)`. */
const citation = (section: string): string =>
  section === "" ? "" : ` (NVVM IR 1.0 ${section.includes(".") ? "section" : "chapter"} ${section})`;
