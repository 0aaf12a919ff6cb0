// A JSON document as a tree with places, built from jsonc-parser's events. A buffer may have millions of numbers. For a list of
// only numbers the tree keeps their count, and reads each number from the text again when it is iterated. A node for each, as in
// jsonc-parser's own tree, takes twenty times the text's memory.

import { visit, type NodeType, type ParseError } from "jsonc-parser";

/** A value or property; `offset` and `length` count UTF-16 units in the text. */
export interface JsonNode {
  readonly type: NodeType;
  readonly offset: number;
  readonly length: number;
  /** The value of a literal. */
  readonly value?: unknown;
  /** An object's properties, a property's name and value, or a list's elements. */
  readonly children: JsonNodes;
}

export interface JsonNodes extends Iterable<JsonNode> {
  readonly length: number;
}

export interface JsonTree {
  /** The document's value; undefined if the text has none. */
  readonly root: JsonNode | undefined;
  readonly errors: readonly ParseError[];
}

/** A node that may have further children. */
interface OpenNode extends JsonNode {
  length: number;
  children: JsonNode[] | NumberNodes;
}

/** A list of numbers that is still being read. */
interface NumberNodes extends JsonNodes {
  length: number;
}

const NO_NODES: JsonNodes = [];

/** Parses a document. Syntax errors go to `errors`; the tree then has the readable parts. */
export function parseJson(text: string): JsonTree {
  const errors: ParseError[] = [];
  const top: OpenNode = { type: "array", offset: 0, length: 0, children: [] };
  const open = [top];
  const add = (node: JsonNode): void => {
    const around = open.at(-1)!;
    const nodes = Array.isArray(around.children) ? around.children : [...around.children];
    nodes.push(node);
    around.children = nodes;
  };
  const addNumber = (offset: number, length: number, value: number): void => {
    const around = open.at(-1)!;
    if (around.type === "array" && around !== top && around.children.length === 0)
      around.children = numbersFrom(text, offset);
    if (Array.isArray(around.children)) add({ type: "number", offset, length, value, children: NO_NODES });
    else around.children.length++;
  };
  const begin = (type: NodeType, offset: number): void => {
    const node: OpenNode = { type, offset, length: 0, children: [] };
    add(node);
    open.push(node);
  };
  const end = (offset: number): void => {
    const node = open.pop()!;
    node.length = offset - node.offset;
  };
  /** A property ends with its value or, if that is missing, with the enclosing object. */
  const endProperty = (offset: number): void => {
    if (open.at(-1)!.type === "property") end(offset);
  };
  const endBlock = (offset: number, length: number): void => {
    endProperty(offset + length);
    end(offset + length);
    endProperty(offset + length);
  };
  visit(
    text,
    {
      onObjectBegin: (offset) => begin("object", offset),
      onArrayBegin: (offset) => begin("array", offset),
      onObjectEnd: endBlock,
      onArrayEnd: endBlock,
      onObjectProperty(value, offset, length) {
        begin("property", offset);
        add({ type: "string", offset, length, value, children: NO_NODES });
      },
      onLiteralValue(value: unknown, offset, length) {
        if (typeof value === "number") addNumber(offset, length, value);
        else add({ type: typeOf(value), offset, length, value, children: NO_NODES });
        endProperty(offset + length);
      },
      onSeparator: (separator, offset) => void (separator === "," && endProperty(offset)),
      onError: (error, offset, length) => void errors.push({ error, offset, length }),
    },
    { disallowComments: true, allowEmptyContent: false },
  );
  return { root: [...top.children][0], errors };
}

function typeOf(value: unknown): NodeType {
  if (value === null) return "null";
  return typeof value === "string" ? "string" : "boolean";
}

/** The numbers of a list whose first number is at `first`; each further one follows a comma and blanks. */
const numbersFrom = (text: string, first: number): NumberNodes => ({
  length: 0,
  *[Symbol.iterator]() {
    const number = /-?\d[\d.eE+-]*/g;
    number.lastIndex = first;
    for (let left = this.length; left > 0; left--) {
      const [digits] = number.exec(text)!;
      const { length } = digits;
      yield { type: "number", offset: number.lastIndex - length, length, value: Number(digits), children: NO_NODES };
    }
  },
});
