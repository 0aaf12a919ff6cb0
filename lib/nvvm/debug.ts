// `!dbg` as `.file` and `.loc` (PTX ISA sections 11.5.2 and 11.5.3): DILocation of later dialects, and the plain nodes of LLVM
// 3.2 and 3.3 in NVVM IR 1.0. Types and variables are omitted.

import type { Instruction } from "./ir/instruction.js";
import { fieldOf, type Metadata, type MetadataField, type MetadataNode } from "./ir/metadata.js";

export interface Locations {
  /** The `.loc` lines before an instruction: none if it has no location, or the one in force. */
  linesOf(instruction: Instruction): readonly string[];
  /** Starts a new function: no line is in force. */
  begin(): void;
  /** `.file` lines of the files used so far. */
  files(): readonly string[];
  /** The `.section` of function names that `.loc` lines refer to. */
  strings(): readonly string[];
}

interface Location {
  readonly line: number;
  readonly column: number;
  readonly scope: MetadataNode | undefined;
  readonly inlinedAt: MetadataNode | undefined;
}

/** Limit of nested inlined calls; a longer chain is treated as a cycle. */
const DEEPEST = 64;

/** Files and names referred to so far. */
interface State {
  readonly needVersion: (version: number) => void;
  /** Numbers of files by their paths, and of names. */
  readonly files: Map<string, number>;
  readonly names: Map<string, number>;
  readonly fileOf: Map<MetadataNode, number | undefined>;
  /** Lines of the current function, and the one in force. */
  emitted: Set<string>;
  last: string;
}

/** `needVersion` receives the PTX version that a line needs, 72 for 7.2. */
export function createLocations(needVersion: (version: number) => void): Locations {
  const state: State = {
    needVersion,
    files: new Map(),
    names: new Map(),
    fileOf: new Map(),
    emitted: new Set(),
    last: "",
  };
  return {
    linesOf: (instruction) => linesOf(state, instruction),
    begin() {
      state.emitted = new Set();
      state.last = "";
    },
    files: () => [...state.files].map(([path, number]) => `.file ${number} "${path}"`),
    strings: () => stringLines(state.names),
  };
}

function linesOf(state: State, { attachments }: Instruction): readonly string[] {
  const node = attachments.find(({ name }) => name === "dbg")?.node;
  const lines = node?.kind === "node" ? chain(state, node, 0) : [];
  const own = lines.at(-1);
  if (own === undefined || own === state.last) return [];
  state.last = own;
  const wanted = lines.filter((line) => line === own || !state.emitted.has(line));
  for (const line of wanted) state.emitted.add(line);
  return wanted;
}

function fileNumber({ fileOf, files }: State, scope: MetadataNode): number | undefined {
  if (!fileOf.has(scope)) {
    const path = pathOf(scope);
    if (path !== undefined && !files.has(path)) files.set(path, files.size + 1);
    fileOf.set(scope, path === undefined ? undefined : files.get(path));
  }
  return fileOf.get(scope);
}

function labelOf({ names }: State, scope: MetadataNode | undefined): string {
  const name = (scope && functionName(scope)) ?? "";
  const number = names.get(name) ?? names.size;
  names.set(name, number);
  return `$L__info_string${number}`;
}

/** The lines for a location and for the calls that it was inlined at, outermost first; the last is its own. */
function chain(state: State, node: MetadataNode, depth: number): readonly string[] {
  const location = locationOf(node);
  const file = location?.scope && fileNumber(state, location.scope);
  if (location === undefined || file === undefined || location.line === 0) return [];
  const own = `.loc ${file} ${location.line} ${location.column}`;
  const call = location.inlinedAt;
  const outer = call === undefined || depth >= DEEPEST ? [] : chain(state, call, depth + 1);
  const at = outer.at(-1);
  if (at === undefined) return [own];
  state.needVersion(72);
  const place = at.replace(/^\.loc (\d+ \d+ \d+).*$/, "$1");
  return [...outer, `${own}, function_name ${labelOf(state, location.scope)}, inlined_at ${place}`];
}

function stringLines(names: ReadonlyMap<string, number>): readonly string[] {
  if (names.size === 0) return [];
  const lines = [...names].map(([name, number]) => {
    const bytes = [...Buffer.from(name), 0].join(", ");
    return `$L__info_string${number}:\n.b8 ${bytes}`;
  });
  return [".section .debug_str", "{", ...lines, "}"];
}

const isNode = (value: MetadataField | undefined): value is MetadataNode =>
  typeof value === "object" && value !== null && value.kind === "node";

const textOf = (value: MetadataField | undefined): string | undefined =>
  typeof value === "object" && value !== null && value.kind === "string" ? value.text : undefined;

function integerOf(value: MetadataField | undefined): number | undefined {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null || value.kind !== "value") return undefined;
  return value.value.kind === "integer" ? Number(value.value.value) : undefined;
}

/** `!DILocation(line: …)`, or `!{i32 line, i32 column, scope, inlinedAt}`. */
function locationOf(node: MetadataNode): Location | undefined {
  if (node.tag === undefined) {
    const [line, column, scope, inlinedAt] = node.operands;
    return makeLocation(line, column, scope, inlinedAt);
  }
  if (node.tag !== "DILocation") return undefined;
  return makeLocation(
    fieldOf(node, "line") ?? 0n,
    fieldOf(node, "column") ?? 0n,
    fieldOf(node, "scope"),
    fieldOf(node, "inlinedAt"),
  );
}

function makeLocation(
  line: MetadataField | undefined,
  column: MetadataField | undefined,
  scope: MetadataField | undefined,
  inlinedAt: MetadataField | undefined,
): Location | undefined {
  const [row, at] = [integerOf(line), integerOf(column)];
  if (row === undefined || at === undefined) return undefined;
  return {
    line: row,
    column: at,
    scope: isNode(scope) ? scope : undefined,
    inlinedAt: isNode(inlinedAt) ? inlinedAt : undefined,
  };
}

/** LLVM 3.2 adds its own version to a node's DWARF tag. */
const tagOf = ({ operands: [first] }: MetadataNode): number => (integerOf(first) ?? 0) & 0xffff;
const FILE = 0x29;
const SUBPROGRAM = 0x2e;
const LEXICAL_BLOCK = 0x0b;

/** The file of a scope: its own, or that of an enclosing scope. */
function pathOf(scope: MetadataNode): string | undefined {
  const around = scopesFrom(scope);
  for (const node of around) {
    if (node.tag !== undefined) {
      const file = node.tag === "DIFile" ? node : fieldOf(node, "file");
      const path = isNode(file)
        ? joined(textOf(fieldOf(file, "filename")), textOf(fieldOf(file, "directory")))
        : undefined;
      if (path !== undefined) return path;
    } else {
      for (const each of [node, ...node.operands.filter(isNode)]) {
        const path = plainPath(each);
        if (path !== undefined) return path;
      }
    }
  }
  return undefined;
}

/** 3.2: `!{i32 786473, !"file", !"directory", null}`; 3.3: `!{i32 786473, !{!"file", !"directory"}}`, and the pair in other nodes. */
function plainPath(node: MetadataNode): string | undefined {
  const [first, second, third] = node.operands;
  if (tagOf(node) === FILE) return isNode(second) ? plainPath(second) : joined(textOf(second), textOf(third));
  const isPair = node.operands.length === 2 && textOf(first) !== undefined && textOf(second) !== undefined;
  return isPair ? joined(textOf(first), textOf(second)) : undefined;
}

function joined(file: string | undefined, folder: string | undefined): string | undefined {
  if (file === undefined || file === "") return undefined;
  const path = file.startsWith("/") || /^[A-Za-z]:/.test(file) || !folder ? file : `${folder}/${file}`;
  // PTX has no escapes for these characters.
  return path.replaceAll(/["\\]/g, "/").replaceAll(/[^\x20-\x7e]/g, "?");
}

/** A scope and the enclosing ones, up to DEEPEST. */
function* scopesFrom(scope: MetadataNode): Generator<MetadataNode> {
  let at: MetadataNode | undefined = scope;
  for (let depth = 0; at !== undefined && depth < DEEPEST; depth++) {
    yield at;
    at = outerScope(at);
  }
}

function outerScope(node: MetadataNode): MetadataNode | undefined {
  if (node.tag !== undefined) {
    const outer = fieldOf(node, "scope");
    return isNode(outer) ? outer : undefined;
  }
  const tag = tagOf(node);
  if (tag !== LEXICAL_BLOCK && tag !== SUBPROGRAM) return undefined;
  // The scope of a block is second in 3.2 and third in 3.3; that of a function is third in both.
  const isScope = (each: Metadata | undefined): each is MetadataNode =>
    each?.kind === "node" && [LEXICAL_BLOCK, SUBPROGRAM, FILE].includes(tagOf(each));
  return [node.operands[1], node.operands[2]].find(isScope);
}

/** The name of the function that contains a scope. */
function functionName(scope: MetadataNode): string | undefined {
  for (const node of scopesFrom(scope)) {
    if (node.tag === "DISubprogram") return textOf(fieldOf(node, "linkageName")) ?? textOf(fieldOf(node, "name"));
    if (node.tag === undefined && tagOf(node) === SUBPROGRAM) {
      const names = node.operands.slice(3, 6).map(textOf);
      return names.findLast((name) => name !== undefined && name !== "");
    }
  }
  return undefined;
}
