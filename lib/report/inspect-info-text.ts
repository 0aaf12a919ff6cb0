// NVIDIA's metadata as text: attributes by name, notes, the call graph, prototypes.

import { escapeControls } from "../diag/escape.js";
import type { AttributeValue, AttributeView, CallGraphView, InfoView, NoteView } from "../inspect/views/info.js";
import { nameOf } from "../inspect/context/values.js";
import { factLines } from "./facts.js";
import { fullName, hexLine } from "./inspect-elf-text.js";
import type { TextBlock, TextLayout } from "./text-layout.js";
import { renderTable, type Column } from "./table.js";

const attributeColumns: readonly Column[] = [
  { title: "ATTRIBUTE" },
  { title: "VALUE", role: "name", shrinks: true },
  { title: "MEANING", role: "quiet", optional: true },
];

export function infoBlocks(info: InfoView, layout: TextLayout): readonly TextBlock[] {
  const { style } = layout;
  const attributes = info.attributes.map(({ section, function: owner, attributes: records }) => [
    `${style("heading", `Attributes in ${escapeControls(section.name)}`)}${owner === undefined ? "" : ` of ${escapeControls(owner)}`}: ${records.length}`,
    ...attributeTable(records, layout),
  ]);
  const compatibility =
    info.compatibility.length === 0
      ? []
      : [style("heading", "Compatibility (.nv.compat)"), ...attributeTable(info.compatibility, layout)];
  return [
    ...attributes,
    compatibility,
    ...info.notes.map((note) => noteBlock(note, layout)),
    ...(info.callGraph === undefined ? [] : [callGraphBlock(info.callGraph, layout)]),
    prototypeBlock(info.prototypes, layout),
  ];
}

function attributeTable(attributes: readonly AttributeView[], layout: TextLayout): TextBlock {
  return renderTable(
    attributeColumns,
    attributes.map(({ attribute, value, meaning }) => [
      attribute.value ?? `unknown ${nameOf(attribute)}`,
      valueText(value),
      meaning ?? "",
    ]),
    { ...layout, indent: 2 },
  );
}

function valueText(value: AttributeValue): string {
  switch (value.kind) {
    case "flag":
      return "yes";
    case "number":
      return `${value.value}`;
    case "dimensions":
      return `${value.x} x ${value.y} x ${value.z}`;
    case "symbol-value":
      return `${fullName(value.symbol)} = ${value.value}`;
    case "symbols":
      return value.symbols.map(fullName).join(" ");
    case "offsets":
      return value.offsets.map((offset) => `0x${offset.toString(16)}`).join(" ");
    case "parameter-bank":
      return `${fullName(value.symbol)}: ${value.size} bytes from 0x${value.offset.toString(16)}`;
    case "parameter": {
      const { pointer } = value;
      const points = pointer === undefined ? "" : `, points to ${pointer.space}, aligned to ${pointer.align}`;
      return `parameter ${value.ordinal}: ${value.size} bytes at ${value.offset}${points}`;
    }
    case "bytes":
      return hexLine(value.hex, value.size);
  }
}

function noteBlock(note: NoteView, layout: TextLayout): TextBlock {
  const heading = `${layout.style("heading", `Note in ${escapeControls(note.section)}`)}: ${escapeControls(note.name)} type ${note.type}`;
  switch (note.kind) {
    case "toolkit":
      return [
        heading,
        ...factLines(
          [
            ["tool", note.tool],
            ["version", note.toolVersion],
            ["build", note.branch],
            ["options", note.options],
            ["object", note.objectFile],
          ],
          layout,
        ),
      ];
    case "cuda":
      return [
        heading,
        ...factLines(
          [
            ["virtual target", `compute_${note.virtualSm}`],
            ["toolkit", `${Math.floor(note.toolkit / 10)}.${note.toolkit % 10}`],
          ],
          layout,
        ),
      ];
    case "ptxkit":
      return [heading, `  container version ${note.version}`];
    case "build-id":
      return [heading, `  build ID ${note.buildId}`];
    case "unknown":
      return [heading, `  ${note.size} bytes: ${hexLine(note.hex, note.size)}`];
  }
}

function callGraphBlock(graph: CallGraphView, layout: TextLayout): TextBlock {
  const prototype = (text: string | null): string => text ?? "no prototype";
  const rows = [
    ...graph.calls.map(({ caller, callee }) => [fullName(caller), "calls", fullName(callee)]),
    ...graph.indirectCalls.map((call) => [fullName(call.caller), "calls indirectly", prototype(call.prototype)]),
    ...graph.addressUses.map(({ user, target }) => [fullName(user), "takes the address of", fullName(target)]),
    ...graph.addressTaken.map((taken) => [fullName(taken.symbol), "has its address taken", prototype(taken.prototype)]),
    ...graph.unknown.map(({ list, first, second }) => [`${first}`, `unknown list ${list}`, `${second}`]),
  ];
  const heading = layout.style("heading", "Call graph");
  if (rows.length === 0) return [`${heading}: empty`];
  const columns: readonly Column[] = [
    { title: "FUNCTION", role: "name", shrinks: true },
    { title: "" },
    { title: "FUNCTION OR PROTOTYPE", role: "name", shrinks: true },
  ];
  return [heading, ...renderTable(columns, rows, { ...layout, indent: 2 })];
}

function prototypeBlock(prototypes: InfoView["prototypes"], layout: TextLayout): TextBlock {
  if (prototypes.length === 0) return [];
  const columns: readonly Column[] = [{ title: "FUNCTION", role: "name", shrinks: true }, { title: "PROTOTYPE" }];
  const rows = prototypes.map(({ symbol, prototype }) => [fullName(symbol), prototype ?? "none"]);
  return [layout.style("heading", "Prototypes"), ...renderTable(columns, rows, { ...layout, indent: 2 })];
}
