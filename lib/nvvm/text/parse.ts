// IR text to a module: all three dialects, one tree (NVVM IR 1.0; LLVM Language Reference; docs/nvvm.md). The grammar is
// checked here, and that every name that is used is defined; the rest is the verifier's.

import type { DiagnosticSink } from "../../diag/sink.js";
import { createNames, type Names } from "../../ptx/names.js";
import type { Ranged, Source } from "../../ptx/tree.js";
import type { LazyBody } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import { createTypes } from "../ir/type.js";
import { createBodyState, readBody } from "./body.js";
import { finishModule, readStatements, type MakeBody } from "./module.js";
import { checkTypes } from "./names.js";
import { createScanner } from "./scanner.js";
import { findPointerSpelling } from "./skip.js";
import type { ModuleState, Parser } from "./state.js";

function createState(bytes: Uint8Array): ModuleState {
  const first = findPointerSpelling(bytes);
  return {
    globals: new Map(),
    nextGlobal: 0,
    structs: new Map(),
    typeNames: new Map(),
    openTypes: new Map(),
    nodes: new Map(),
    groups: new Map(),
    comdats: new Map(),
    opaque: first?.spelling === "opaque",
    spellings: first === undefined ? {} : { [first.spelling]: { start: first.start, end: first.end } },
    isFirst: false,
    levels: new Map(),
    searches: { left: 20 },
    later: [],
    wordTypes: [],
    pointers: new Map(),
    integers: new Map(),
  };
}

/**
 * Reads a module; bodies are stepped over and read when they are asked for. Faults go to the sink, and then there is no
 * module. Any bytes whatever end with a module or a fault, in time linear in their number.
 */
export function parseModule(source: Source, sink: DiagnosticSink): Module | undefined {
  const errors = sink.errorCount;
  const names = createNames(source.bytes);
  const p: Parser = {
    source,
    scanner: createScanner(names, markEnd(source.bytes), source.bytes.length),
    types: createTypes(),
    module: createState(source.bytes),
    sink,
    depth: 0,
    construct: "statement",
    from: 0,
    body: undefined,
  };
  const made = readStatements(p, bodyMaker(p, names));
  if (sink.errorCount !== errors) return undefined;
  return finishModule(p, made);
}

/** Behind a byte order mark. */
const markEnd = (bytes: Uint8Array): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);

const bodyMaker =
  (p: Parser, names: Names): MakeBody =>
  (range: Ranged, fn, keys, next): LazyBody => ({
    ...range,
    read(sink) {
      const inBody: Parser = {
        ...p,
        module: {
          ...p.module,
          spellings: {},
          isFirst: p.module.spellings.first !== undefined,
          openTypes: new Map(),
        },
        scanner: createScanner(names, range.start, range.end),
        sink,
        depth: 0,
        construct: "body",
        from: range.start,
        body: createBodyState(fn, keys, next),
      };
      const body = readBody(inBody, inBody.body!);
      const errors = sink.errorCount;
      // Types that only this body names.
      checkTypes(inBody);
      return sink.errorCount === errors ? body : undefined;
    },
  });
