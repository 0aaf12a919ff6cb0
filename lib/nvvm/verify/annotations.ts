// !nvvm.annotations: form, properties and contradictions (NVVM IR 1.0 chapter 11, section 3.2.1).

import type { Ranged } from "../../ptx/source-text.js";
import type { Function, GlobalValue } from "../ir/global.js";
import type { Metadata, MetadataNode } from "../ir/metadata.js";
import { typeText } from "../ir/type.js";
import { annotatedGlobal, annotationValue } from "./marks.js";
import { naturalAlign } from "./calls.js";
import type { Reporter } from "./facts.js";

/** Kinds of globals with properties: kernels, functions or variables. */
type Entity = "kernel" | "function" | "variable";

const properties: ReadonlyMap<string, Entity> = new Map([
  ["kernel", "function"],
  ["align", "function"],
  ["maxntid", "kernel"],
  ["maxntidx", "kernel"],
  ["maxntidy", "kernel"],
  ["maxntidz", "kernel"],
  ["reqntid", "kernel"],
  ["reqntidx", "kernel"],
  ["reqntidy", "kernel"],
  ["reqntidz", "kernel"],
  ["minctasm", "kernel"],
  ["maxnreg", "kernel"],
  ["maxclusterrank", "kernel"],
  ["cluster_max_blocks", "kernel"],
  ["cluster_dim_x", "kernel"],
  ["cluster_dim_y", "kernel"],
  ["cluster_dim_z", "kernel"],
  ["grid_constant", "kernel"],
  ["texture", "variable"],
  ["surface", "variable"],
  ["managed", "variable"],
]);

/** Properties whose value is a node that lists parameters. */
const listed: ReadonlySet<string> = new Set(["grid_constant", "rdoimage", "wroimage", "rdwrimage"]);

const rangeOf = (metadata: Metadata | undefined, node: MetadataNode): Ranged =>
  metadata === null || metadata === undefined || metadata.start === 0 ? node : metadata;

/** Earlier values of properties, by global and name. */
type StatedValues = Map<GlobalValue, Map<string, number>>;

export function checkAnnotations(reporter: Reporter): void {
  const named = reporter.module.namedMetadata.get("nvvm.annotations");
  const stated: StatedValues = new Map();
  for (const node of named?.nodes ?? []) {
    if (node?.kind === "node") checkNode(node, stated, reporter);
    else if (named !== undefined) reporter.report("annotation-first", node === null ? named : node);
  }
}

function checkNode(node: MetadataNode, stated: StatedValues, reporter: Reporter): void {
  const [first, ...rest] = node.operands;
  if (first === null) return void reporter.report("annotation-null", node);
  const global = annotatedGlobal(first);
  if (global === undefined) return void reporter.report("annotation-first", rangeOf(first, node));
  for (let i = 0; i < rest.length; i += 2) {
    const [name, value] = [rest[i], rest[i + 1]];
    if (name?.kind !== "string") reporter.report("annotation-name", rangeOf(name, node));
    else if (i + 1 >= rest.length) reporter.report("annotation-pairs", name, [name.text]);
    else if (isValue(value, name.text)) checkProperty(global, name.text, value!, name, stated, reporter);
    else reporter.report("annotation-value", rangeOf(value, node), [name.text]);
  }
}

const isValue = (value: Metadata | undefined, name: string): boolean =>
  (value?.kind === "value" && value.value.kind === "integer") || (value?.kind === "node" && listed.has(name));

function checkProperty(
  global: GlobalValue,
  name: string,
  value: Metadata,
  at: Ranged,
  stated: StatedValues,
  reporter: Reporter,
): void {
  const entity = properties.get(name);
  if (value?.kind === "value" && value.value.kind === "integer" && value.value.type.bits !== 32)
    reporter.report("annotation-width", value, [name, value.value.type.bits]);
  const number = annotationValue(value);
  const wanted = entity === "variable" ? "variable" : "function";
  const is = global.kind === "alias" && global.valueType.kind === "function" ? "function" : global.kind;
  if (entity !== undefined && is !== wanted)
    return void reporter.report("annotation-entity", at, [name, wanted, global.name, is], {
      remedy: `annotate a ${wanted}`,
    });
  if (entity === "kernel" && global.kind === "function" && !reporter.kernels.has(global))
    reporter.report("no-kernel", at, [name, global.name]);
  if (number === undefined) return;
  if (name === "align" && global.kind === "function")
    checkAlign(global, number, rangeOf(value, value as MetadataNode), reporter);
  // Each position of `align` is a property of its own.
  checkTwice(global, name, name === "align" ? `align ${number >>> 16}` : name, number, at, stated, reporter);
}

function checkTwice(
  global: GlobalValue,
  name: string,
  key: string,
  number: number,
  at: Ranged,
  stated: StatedValues,
  reporter: Reporter,
): void {
  let known = stated.get(global);
  if (known === undefined) stated.set(global, (known = new Map()));
  const before = known.get(key);
  if (before !== undefined && before !== number)
    reporter.report("annotation-twice", at, [name, global.name, number, before]);
  known.set(key, number);
}

/** Position in the upper half (0 is the result), alignment in bytes in the lower. */
function checkAlign(fn: Function, value: number, at: Ranged, reporter: Reporter): void {
  const fault = alignFault(fn, value, reporter);
  if (fault !== undefined) reporter.report("align-annotation", at, [`'${fn.name}'`, value, fault]);
}

function alignFault(fn: Function, value: number, reporter: Reporter): string | undefined {
  const position = value >>> 16;
  const bytes = value & 0xffff;
  if (bytes === 0 || (bytes & (bytes - 1)) !== 0) return `${bytes} is not a power of two`;
  const { result, parameters } = fn.valueType;
  const type = position === 0 ? result : parameters[position - 1];
  if (type === undefined || type.kind === "void")
    return position === 0 ? "there is no result" : `there is no parameter ${position}`;
  const attributes = position === 0 ? fn.resultAttributes : (fn.argumentAttributes[position - 1] ?? []);
  const natural = naturalAlign(type, attributes, reporter);
  // Aggregates and vectors passed by value may have more than their natural alignment.
  if (type.kind === "struct" || type.kind === "array" || type.kind === "vector") return undefined;
  return natural === undefined || natural === bytes ? undefined : `the alignment of ${typeText(type)} is ${natural}`;
}
