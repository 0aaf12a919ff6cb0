// IR text to a module: all three dialects, one tree (NVVM IR 1.0; LLVM Language Reference; docs/nvvm.md). The grammar is
// checked here, and that every used name is defined; the verifier checks the rest.

import type { DiagnosticSink } from "../../diag/sink.js";
import { createNames, type Names } from "../../ptx/names.js";
import type { Ranged, Source } from "../../ptx/source-text.js";
import type { LazyBody } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import { isFull } from "../error-limit.js";
import type { TypeTable } from "../ir/type.js";
import { createTypes } from "../ir/type-table.js";
import { createBodyState, readBody } from "./body.js";
import { finishModule, readStatements, type MakeBody } from "./module.js";
import { checkTypes } from "./names.js";
import { createScanner, type Scanner } from "./scanner.js";
import { createTypeMap } from "../ir/type-map.js";
import { createKeyMap } from "./key-map.js";
import { findPointerSpelling } from "./skip.js";
import type { BodyState, ModuleState, Parser } from "./state.js";

/**
 * The state of a module, or of one body with the tables of its module. One literal creates both, and one all parsers: objects
 * of two shapes make every access in the readers slower.
 */
function createState(
  spellings: ModuleState["spellings"],
  opaque: boolean,
  isFirst: boolean,
  outer: ModuleState | undefined,
): ModuleState {
  return {
    globals: outer?.globals ?? new Map(),
    pending: outer?.pending ?? new Map(),
    declared: outer?.declared ?? [],
    nextGlobal: outer?.nextGlobal ?? 0,
    structs: outer?.structs ?? createKeyMap(),
    typeNames: outer?.typeNames ?? new Map(),
    undefinedTypes: 0,
    searchedForTypes: false,
    openTypes: new Map(),
    nodes: outer?.nodes ?? new Map(),
    fieldNames: outer?.fieldNames ?? new Map(),
    groups: outer?.groups ?? new Map(),
    comdats: outer?.comdats ?? new Map(),
    opaque,
    spellings,
    isFirst,
    levels: outer?.levels ?? createTypeMap(),
    searches: outer?.searches ?? { left: 100_000 },
    later: outer?.later ?? [],
    parameters: outer?.parameters ?? { arguments: [], attributes: [], keys: [] },
    wordTypes: outer?.wordTypes ?? [],
    integers: outer?.integers ?? new Map(),
  };
}

const createParser = (
  source: Source,
  scanner: Scanner,
  types: TypeTable,
  module: ModuleState,
  sink: DiagnosticSink,
  construct: string,
  body: BodyState | undefined,
): Parser => ({ source, scanner, types, module, sink, depth: 0, construct, from: scanner.end, body });

/**
 * Reads a module; bodies are skipped, and read on demand. Errors go to the sink, and then there is no module. Any bytes give a
 * module or a fault, in time linear in their number.
 */
export function parseModule(source: Source, sink: DiagnosticSink): Module | undefined {
  if (isFull(sink)) return undefined;
  const errors = sink.errorCount;
  const names = createNames(source.bytes);
  const first = findPointerSpelling(source.bytes);
  const spellings = first === undefined ? {} : { [first.spelling]: { start: first.start, end: first.end } };
  const state = createState(spellings, first?.spelling === "opaque", false, undefined);
  const scanner = createScanner(names, markEnd(source.bytes), source.bytes.length);
  const p = createParser(source, scanner, createTypes(), state, sink, "statement", undefined);
  const made = readStatements(p, bodyMaker(p, names));
  if (sink.errorCount !== errors) return undefined;
  return finishModule(p, made);
}

/** Offset after a byte order mark. */
const markEnd = (bytes: Uint8Array): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

const bodyMaker =
  (p: Parser, names: Names): MakeBody =>
  (range: Ranged, fn, keys, next): LazyBody => ({
    ...range,
    read(sink) {
      if (isFull(sink)) return undefined;
      const { source, types, module } = p;
      const state = createState({}, module.opaque, module.spellings.first !== undefined, module);
      const scanner = createScanner(names, range.start, range.end);
      const inBody = createParser(source, scanner, types, state, sink, "body", createBodyState(fn, keys, next));
      const body = readBody(inBody, inBody.body!);
      const errors = sink.errorCount;
      // Types that only this body names.
      checkTypes(inBody);
      return sink.errorCount === errors ? body : undefined;
    },
  });
