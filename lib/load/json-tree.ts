// A JSON document as a tree with places, of what jsonc-parser meets in it. A buffer may have millions of numbers: of a list of nothing
// else the count is kept, and each number is read again from the text when its turn comes. A node for each, as jsonc-parser's own tree
// has it, takes twenty times the text.

import { visit, type NodeType, type ParseError } from "jsonc-parser";

/** `offset` and `length`: in the text. */
export interface JsonNode {
  readonly type: NodeType;
  readonly offset: number;
  readonly length: number;
  /** Of a literal. */
  readonly value?: unknown;
  /** An object's properties, a property's name and value, or a list's elements. */
  readonly children: JsonNodes;
}

export interface JsonNodes extends Iterable<JsonNode> {
  readonly length: number;
}

export interface JsonTree {
  /** Undefined where the text has no value. */
  readonly root: JsonNode | undefined;
  readonly errors: readonly ParseError[];
}

/** A node that may have further children. */
interface OpenNode extends JsonNode {
  length: number;
  children: JsonNode[] | NumberNodes;
}

/** Numbers of which the last may not have been met yet. */
interface NumberNodes extends JsonNodes {
  length: number;
}

const NO_NODES: JsonNodes = [];

/** Reports invalid JSON in `errors`; the tree then has the readable parts. */
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
  /** A property ends where its value does, or, where that is missing, what it is in. */
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

/** The numbers of a list of which the first is at a place: behind each come a comma and blanks, if another comes. */
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
