// The module block: its records in order, nested blocks each by its own reader, and finally forward references.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import type { BitCursor, BitRecord, BlockInfo, BlockStart } from "../../../formats/bitstream/index.js";
import type { Source } from "../../ptx/source-text.js";
import type { Attachment } from "../ir/metadata.js";
import type { Function, GlobalValue } from "../ir/global.js";
import type { Module, PlacedText } from "../ir/module.js";
import { createTypes } from "../ir/type-table.js";
import { readGroups, readLists, type AttributeGroup } from "./attributes.js";
import { readBody, readOwnAttachments } from "./body.js";
import { blockId, moduleCode } from "./codes.table.js";
import { readConstants } from "./constants.js";
import { isConstant } from "./expressions.js";
import { readAlias, readFunction, readVariable, type GlobalsState, type Strings } from "./globals.js";
import { readKinds, readMetadata } from "./metadata.js";
import { reportBitcode } from "./report.js";
import {
  createMetadata,
  createValues,
  eachRecord,
  field,
  fieldText,
  valueAt,
  type ModuleState,
  type Mutable,
} from "./state.js";
import { readSymbols } from "./symbols.js";
import { readTypes } from "./types.js";

export interface ModuleInput {
  readonly source: Source;
  readonly stream: Uint8Array;
  /** Offset in the file at which the stream begins. */
  readonly base: number;
  readonly cursor: BitCursor;
  readonly module: BlockStart;
  readonly strings: Strings;
  readonly info: BlockInfo;
}

/** Version 1 has relative operands, version 2 names in the string table. */
const MAX_VERSION = 2;

interface Texts {
  dataLayout: PlacedText | undefined;
  triple: PlacedText | undefined;
  sourceFilename: string | undefined;
  readonly moduleAssembly: PlacedText[];
  strings: Strings;
}

const newState = ({ source, stream, base, info }: ModuleInput): ModuleState => ({
  source,
  stream,
  base,
  info,
  table: createTypes(),
  types: [],
  typedPointer: undefined,
  opaquePointer: undefined,
  relative: false,
  attributes: [],
  values: createValues(),
  metadata: createMetadata(),
  kinds: new Map(),
  named: new Map(),
  scopes: [],
  bundles: [],
});

const newGlobals = (): GlobalsState => ({
  variables: [],
  functions: [],
  aliases: [],
  initializers: new Map(),
  bodies: [],
  sections: [],
  collectors: [],
});

export function readModule(input: ModuleInput): Module {
  const { cursor } = input;
  const state = newState(input);
  const globals = newGlobals();
  const texts: Texts = {
    dataLayout: undefined,
    triple: undefined,
    sourceFilename: undefined,
    moduleAssembly: [],
    strings: undefined,
  };
  const groups = new Map<number, AttributeGroup>();
  const bodies: BlockStart[] = [];
  cursor.enter(input.module);
  for (;;) {
    const found = cursor.next();
    if (found === "end") break;
    if (found === "record") readRecord(cursor.record, input, state, globals, texts);
    else readBlock(cursor, state, globals, groups, bodies);
  }
  if (bodies.length !== globals.bodies.length)
    malformed(
      "malformed",
      input.module.start,
      `${globals.bodies.length} functions are defined, but ${bodies.length} have a body`,
    );
  bodies.forEach((block, i) => setBody(globals.bodies[i]!, block, state));
  setInitializers(state, globals);
  return moduleOf(state, globals, texts);
}

function moduleOf(state: ModuleState, globals: GlobalsState, texts: Texts): Module {
  const { typedPointer, opaquePointer } = state;
  return {
    source: state.source,
    form: "bitcode",
    types: state.table,
    sourceFilename: texts.sourceFilename,
    dataLayout: texts.dataLayout,
    triple: texts.triple,
    moduleAssembly: texts.moduleAssembly,
    variables: globals.variables,
    functions: globals.functions,
    aliases: globals.aliases,
    globals: nameGlobals(globals),
    namedMetadata: state.named,
    spellings: {
      ...(typedPointer === undefined ? {} : { typed: typedPointer }),
      ...(opaquePointer === undefined ? {} : { opaque: opaquePointer }),
    },
  };
}

function readRecord(
  record: BitRecord,
  input: ModuleInput,
  state: ModuleState,
  globals: GlobalsState,
  texts: Texts,
): void {
  const { start, end } = record;
  switch (record.code) {
    case moduleCode.version: {
      const version = field(record, 0, "version");
      if (version > MAX_VERSION) malformed("unsupported", start, `version ${version} of the module`);
      state.relative = version >= 1;
      if (version < 2) break;
      if (input.strings === undefined) malformed("malformed", start, "a module without the string table of its names");
      texts.strings = input.strings;
      break;
    }
    case moduleCode.triple:
      texts.triple = { text: fieldText(record), start, end };
      break;
    case moduleCode.dataLayout:
      texts.dataLayout = { text: fieldText(record), start, end };
      break;
    case moduleCode.assembly:
      texts.moduleAssembly.push({ text: fieldText(record), start, end });
      break;
    case moduleCode.sourceFilename:
      texts.sourceFilename = fieldText(record);
      break;
    case moduleCode.section:
      globals.sections.push(fieldText(record));
      break;
    case moduleCode.collector:
      globals.collectors.push(fieldText(record));
      break;
    case moduleCode.variable:
      readVariable(record, texts.strings, state, globals);
      break;
    case moduleCode.function:
      readFunction(record, texts.strings, state, globals);
      break;
    case moduleCode.alias:
    case moduleCode.aliasOld:
    case moduleCode.ifunc:
      readAlias(record, texts.strings, state, globals);
      break;
  }
}

function readBlock(
  cursor: BitCursor,
  state: ModuleState,
  globals: GlobalsState,
  groups: Map<number, AttributeGroup>,
  bodies: BlockStart[],
): void {
  switch (cursor.block.id) {
    case blockId.types:
      readTypes(cursor, state);
      break;
    case blockId.attributeGroups:
      readGroups(cursor, state, groups);
      break;
    case blockId.attributeLists:
      readLists(cursor, state, groups);
      break;
    case blockId.constants:
      readConstants(cursor, state, state.values);
      break;
    case blockId.metadataKinds:
      readKinds(cursor, state);
      break;
    case blockId.metadata:
      readMetadata(cursor, {
        state,
        list: state.metadata,
        values: state.values,
        attach: (id, attachments) => attach(state, id, attachments),
      });
      break;
    case blockId.symbols:
      readSymbols(
        cursor,
        (id, name, offset) => globalAt(state, id, offset, (global) => (global.name = name)),
        () => undefined,
      );
      break;
    case blockId.syncScopes:
      eachRecord(cursor, (record) => state.scopes.push(fieldText(record)));
      break;
    case blockId.bundleTags:
      eachRecord(cursor, (record) => state.bundles.push(fieldText(record)));
      break;
    case blockId.function:
      bodies.push(cursor.block);
      if (bodies.length > globals.bodies.length) malformed("malformed", cursor.block.start, "a body of no function");
      cursor.skip();
      break;
    default:
      cursor.skip();
  }
}

function globalAt(
  state: ModuleState,
  id: number,
  offset: number,
  change: (global: Mutable<GlobalValue>) => void,
): void {
  const value = valueAt(state.values, id);
  if (value?.kind !== "variable" && value?.kind !== "function" && value?.kind !== "alias" && value?.kind !== "ifunc")
    return malformed("out-of-range", offset, `value ${id} is not a global`);
  change(value);
}

function attach(state: ModuleState, id: number, attachments: readonly Attachment[]): void {
  globalAt(state, id, state.base, (global) => (global.attachments = [...global.attachments, ...attachments]));
}

function setBody(made: Mutable<Function>, block: BlockStart, state: ModuleState): void {
  const before = made.attachments;
  let attached: readonly Attachment[] | undefined;
  Object.defineProperty(made, "attachments", {
    enumerable: true,
    get() {
      // Malformed attachments are reported when the body is read.
      attached ??= [...before, ...(decoding(() => readOwnAttachments(made, block, state)).value ?? [])];
      return attached;
    },
  });
  made.body = {
    start: block.start,
    end: block.stop,
    read(sink) {
      const body = decoding(() => readBody(made, block, state));
      if (body.ok) return body.value;
      reportBitcode(body.error, state.source, sink);
      return undefined;
    },
  };
}

function setInitializers(state: ModuleState, { initializers }: GlobalsState): void {
  for (const [global, id] of initializers) {
    const value = valueAt(state.values, id);
    if (value === undefined || !isConstant(value))
      return malformed("out-of-range", global.start, `constant ${id} of a global does not exist`);
    if (global.kind !== "variable") global.aliasee = value;
    else {
      if (value.type !== global.valueType) malformed("malformed", global.start, "an initial value of another type");
      global.initializer = value;
    }
  }
}

/** Globals by name; unnamed ones are numbered as LLVM prints them. */
function nameGlobals({ variables, functions, aliases }: GlobalsState): ReadonlyMap<string, GlobalValue> {
  const byName = new Map<string, GlobalValue>();
  const all = [...variables, ...aliases, ...functions];
  let number = 0;
  for (const global of all) {
    if (global.name === "") global.name = `${number++}`;
    if (byName.has(global.name)) malformed("malformed", global.start, `the name ${global.name} is defined twice`);
    byName.set(global.name, global);
  }
  return byName;
}
