// Metadata nodes with named fields: the record code of each, its tag in text, and its fields in the order of the record. Only
// fields with the same position in LLVM 3.7 to 20 that line information needs: scopes, files, names.

/** Codes of metadata records; those of nodes with fields are in `nodeRows`. */
export const metadataCode = {
  string: 1,
  value: 2,
  node: 3,
  name: 4,
  distinctNode: 5,
  kind: 6,
  nodeOld: 8,
  functionNodeOld: 9,
  named: 10,
  expression: 29,
  strings: 35,
  globalAttachments: 36,
  indexOffset: 38,
  index: 39,
  argumentList: 46,
} as const;

export interface NodeField {
  /** Its name in IR text; undefined for fields that are dropped. */
  readonly name: string | undefined;
  /** `node`: number plus one, 0 is null; `bare`: the number itself; `integer`, kept where it is not 0; `always`. */
  readonly kind: "node" | "bare" | "integer" | "always";
}

export interface NodeRow {
  readonly tag: string;
  /** From the second of the record; the first says whether the node is distinct. */
  readonly fields: readonly NodeField[];
}

const node = (name: string): NodeField => ({ name, kind: "node" });
const bare = (name: string): NodeField => ({ name, kind: "bare" });
const integer = (name: string): NodeField => ({ name, kind: "integer" });
const always = (name: string): NodeField => ({ name, kind: "always" });
const other: NodeField = { name: undefined, kind: "integer" };

const only = (tag: string): NodeRow => ({ tag, fields: [] });

export const nodeRows: ReadonlyMap<number, NodeRow> = new Map<number, NodeRow>([
  [
    7,
    {
      tag: "DILocation",
      fields: [always("line"), integer("column"), bare("scope"), node("inlinedAt"), integer("isImplicitCode")],
    },
  ],
  [12, only("GenericDINode")],
  [13, only("DISubrange")],
  [14, only("DIEnumerator")],
  [15, { tag: "DIBasicType", fields: [other, node("name"), integer("size")] }],
  [16, { tag: "DIFile", fields: [node("filename"), node("directory")] }],
  [17, { tag: "DIDerivedType", fields: [other, node("name"), node("file"), integer("line"), node("scope")] }],
  [18, { tag: "DICompositeType", fields: [other, node("name"), node("file"), integer("line"), node("scope")] }],
  [19, only("DISubroutineType")],
  [20, { tag: "DICompileUnit", fields: [other, node("file"), node("producer")] }],
  [
    21,
    {
      tag: "DISubprogram",
      fields: [node("scope"), node("name"), node("linkageName"), node("file"), integer("line"), node("type")],
    },
  ],
  [22, { tag: "DILexicalBlock", fields: [node("scope"), node("file"), integer("line"), integer("column")] }],
  [23, { tag: "DILexicalBlockFile", fields: [node("scope"), node("file"), always("discriminator")] }],
  [24, { tag: "DINamespace", fields: [node("scope")] }],
  [25, { tag: "DITemplateTypeParameter", fields: [node("name"), node("type")] }],
  [26, only("DITemplateValueParameter")],
  [
    27,
    {
      tag: "DIGlobalVariable",
      fields: [node("scope"), node("name"), node("linkageName"), node("file"), integer("line")],
    },
  ],
  [28, only("DILocalVariable")],
  [30, only("DIObjCProperty")],
  [31, only("DIImportedEntity")],
  [32, only("DIModule")],
  [33, only("DIMacro")],
  [34, only("DIMacroFile")],
  [37, { tag: "DIGlobalVariableExpression", fields: [node("var"), node("expr")] }],
  [40, { tag: "DILabel", fields: [node("scope"), node("name"), node("file"), integer("line")] }],
  [41, only("DIStringType")],
  [44, { tag: "DICommonBlock", fields: [node("scope")] }],
  [45, only("DIGenericSubrange")],
  [47, only("DIAssignID")],
  [48, only("DISubrangeType")],
  [49, only("DIFixedPointType")],
]);
