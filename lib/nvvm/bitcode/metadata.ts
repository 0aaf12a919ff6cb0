// Metadata (METADATA_BLOCK_ID), of a module or of one function: strings, values, nodes that may refer to each other in cycles,
// named lists, and attachments. Node objects are created first and filled last.

import { append } from "../../base/lists.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitCursor, BitRecord } from "../../../formats/bitstream/index.js";
import type { Attachment, Metadata, MetadataConstant, MetadataField, MetadataNode } from "../ir/metadata.js";
import type { Value } from "../ir/value.js";
import { metadataCode as code, nodeRows, type NodeRow } from "./metadata.table.js";
import { readStrings } from "./metadata-strings.js";
import {
  copyOf,
  eachRecord,
  field,
  fieldText,
  metadataAt,
  metadataOrNull,
  typeAt,
  valueAt,
  type MetadataList,
  type ModuleState,
  type Mutable,
  type ValueList,
} from "./state.js";

/** The context of a metadata reader besides the block. */
export interface MetadataContext {
  readonly state: ModuleState;
  readonly list: MetadataList;
  readonly values: ValueList;
  /** A value of a function that is not read yet: called once it is. */
  readonly later?: (id: number, set: (value: Value) => void) => void;
  /** Attachments of global variables and functions, by value number. */
  readonly attach?: (id: number, attachments: readonly Attachment[]) => void;
}

type OpenNode = Mutable<MetadataNode> & {
  operands: Metadata[];
  readonly fields: { readonly names: string[]; readonly values: MetadataField[] };
};

export function readMetadata(cursor: BitCursor, context: MetadataContext): void {
  const { state, list } = context;
  const fills: (() => void)[] = [];
  let name = "";
  eachRecord(cursor, (record) => {
    const { start, end } = record;
    switch (record.code) {
      case code.string:
        list.own.push({ kind: "string", text: fieldText(record), start, end });
        return;
      case code.strings:
        append(list.own, readStrings(record));
        return;
      case code.value:
        list.own.push(valueOf(record, 0, context));
        return;
      case code.name:
        name = fieldText(record);
        return;
      case code.named: {
        const { values } = copyOf(record);
        const named = name;
        fills.push(() => {
          const nodes = values.map((id) => metadataAt(list, id, start));
          const before = state.named.get(named)?.nodes ?? [];
          state.named.set(named, { name: named, nodes: [...before, ...nodes], start, end });
        });
        return;
      }
      case code.kind:
        state.kinds.set(field(record, 0, "kind"), fieldText(record, 1));
        return;
      case code.globalAttachments: {
        const own = copyOf(record);
        fills.push(() => context.attach?.(field(own, 0, "value"), attachmentsOf(own, 1, context)));
        return;
      }
      case code.indexOffset:
      case code.index:
        return;
      default:
        list.own.push(openNode(copyOf(record), context, fills));
    }
  });
  for (const fill of fills) fill();
}

/** The pair of a type and a value at field `at`. */
function valueOf(record: BitRecord, at: number, context: MetadataContext): MetadataConstant | null {
  const { start, end } = record;
  const type = typeAt(context.state, field(record, at, "type"), start);
  const id = field(record, at + 1, "value");
  if (type.kind === "void") return null;
  const value = valueAt(context.values, id);
  if (value === undefined && context.later === undefined)
    malformed("out-of-range", start, `unknown value ${id} in metadata`);
  if (value !== undefined && value.type !== type) malformed("malformed", start, "a value in metadata of another type");
  const made: Mutable<MetadataConstant> = { kind: "value", value: value!, start, end };
  if (value === undefined)
    context.later!(id, (found) => {
      if (found.type !== type) malformed("malformed", start, "a value in metadata of another type");
      made.value = found;
    });
  return made;
}

function openNode(record: BitRecord, context: MetadataContext, fills: (() => void)[]): MetadataNode {
  const { start, end, values } = record;
  const { list } = context;
  const made: OpenNode = {
    kind: "node",
    id: undefined,
    distinct: false,
    tag: undefined,
    operands: [],
    fields: { names: [], values: [] },
    start,
    end,
  };
  switch (record.code) {
    case code.node:
    case code.distinctNode:
      made.distinct = record.code === code.distinctNode;
      fills.push(() => {
        for (const id of values) made.operands.push(metadataOrNull(list, id, start));
      });
      return made;
    case code.nodeOld:
    case code.functionNodeOld:
      fills.push(() => fillOld(made, record, context));
      return made;
    case code.expression:
      made.tag = "DIExpression";
      for (let i = 1; i < values.length; i++) addField(made, `${i - 1}`, BigInt(values[i] || 0));
      return made;
    case code.argumentList:
      made.tag = "DIArgList";
      fills.push(() => values.forEach((id, i) => addField(made, `${i}`, metadataAt(list, id, start))));
      return made;
    default: {
      const row = nodeRows.get(record.code);
      if (row === undefined) return malformed("unsupported", start, `unknown kind ${record.code} of metadata`);
      made.tag = row.tag;
      made.distinct = (field(record, 0, "first field") & 1) !== 0;
      fills.push(() => fillRow(made, row, record, list));
      return made;
    }
  }
}

function addField({ fields }: OpenNode, name: string, value: MetadataField): void {
  fields.names.push(name);
  fields.values.push(value);
}

/** LLVM 3.5: pairs of a type and a value; for the type `metadata` the value is a metadata number. */
function fillOld(made: OpenNode, record: BitRecord, context: MetadataContext): void {
  for (let i = 0; i + 1 < record.values.length; i += 2) {
    const type = typeAt(context.state, record.values[i]!, record.start);
    made.operands.push(
      type.kind === "metadata"
        ? metadataAt(context.list, record.values[i + 1]!, record.start)
        : valueOf(record, i, context),
    );
  }
}

function fillRow(made: OpenNode, row: NodeRow, record: BitRecord, list: MetadataList): void {
  const { start } = record;
  row.fields.forEach(({ name, kind }, i) => {
    const value = record.values[i + 1];
    if (name === undefined || value === undefined) return;
    if (kind === "bare") addField(made, name, metadataAt(list, value, start));
    else if (kind === "always" || (kind === "integer" && value !== 0)) addField(made, name, BigInt(value || 0));
    else if (kind === "node" && value !== 0) addField(made, name, metadataAt(list, value - 1, start));
  });
}

/** Pairs of a kind and a node from field `at` on. */
export function attachmentsOf(record: BitRecord, at: number, context: MetadataContext): readonly Attachment[] {
  const made: Attachment[] = [];
  for (let i = at; i + 1 < record.values.length; i += 2) {
    const kind = record.values[i]!;
    const name = context.state.kinds.get(kind);
    if (name === undefined) return malformed("out-of-range", record.start, `unknown kind ${kind} of attached metadata`);
    made.push({ name, node: metadataAt(context.list, record.values[i + 1]!, record.start) });
  }
  return made;
}

const none: readonly never[] = [];
const placeNames = ["line", "column", "scope"];
const inlinedNames = [...placeNames, "inlinedAt"];

/** A location in a record of a function body: line, column, scope and inlined-at by number plus one. */
export function placeNode(record: BitRecord, list: MetadataList): MetadataNode {
  const { start, end } = record;
  const line = BigInt(field(record, 0, "line") || 0);
  const column = BigInt(field(record, 1, "column"));
  const scope = metadataOrNull(list, field(record, 2, "scope"), start);
  const inlined = metadataOrNull(list, field(record, 3, "inlined-at"), start);
  const fields =
    inlined === null
      ? { names: placeNames, values: [line, column, scope] }
      : { names: inlinedNames, values: [line, column, scope, inlined] };
  return { kind: "node", id: undefined, distinct: false, tag: "DILocation", operands: none, fields, start, end };
}

/** The block of kinds: a number and a name each. */
export function readKinds(cursor: BitCursor, state: ModuleState): void {
  eachRecord(cursor, (record) => {
    if (record.code === code.kind) state.kinds.set(field(record, 0, "kind"), fieldText(record, 1));
  });
}
