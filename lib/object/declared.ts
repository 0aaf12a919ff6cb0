// Checks that declarations of an object are valid PTX. Each check describes the first fault; undefined means valid. All readers
// and printers of objects use these rules, so that no damaged object is linked to something else.

import { isName } from "../base/ptx-name.js";
import { parseTarget, versionText } from "../isa/requirement.js";
import { isVersion, newestVersion } from "../isa/targets.table.js";
import type { Parameter } from "../isa/code.js";
import { functionDirectives, pointedSpaces, targetWords, usualRange } from "../ptx/words.table.js";
import type { CodeSymbol, ModuleOrigin, ObjectSymbol, VariableSymbol } from "./object.js";

/** A name as messages quote it, shortened. */
const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

export const nameFault = (name: string): string | undefined =>
  isName(name) ? undefined : `${quoted(name)} is not a PTX name`;

/** Characters that PTX strings cannot contain: strings are ASCII, and end at a quotation mark, which cannot be escaped. */
const UNQUOTABLE = /[^\t-\r -!#-~]/;

export const stringFault = (text: string, what: string): string | undefined =>
  UNQUOTABLE.test(text) ? `${quoted(text)} is not a valid ${what}: PTX strings cannot hold it` : undefined;

/** The first fault among the items. */
function firstFault<T>(items: readonly T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

export const moduleFault = ({ version, targetOptions, files }: ModuleOrigin): string | undefined =>
  versionFault(version) ??
  firstFault(targetOptions, optionFault) ??
  firstFault(files, ({ path }) => stringFault(path, "name of a file"));

const versionFault = (version: number): string | undefined =>
  isVersion(version)
    ? undefined
    : `there is no PTX ISA ${versionText(version)} that this ptxkit knows: the newest is ${versionText(newestVersion)}`;

const optionFault = (option: string): string | undefined =>
  targetWords.has(option) || parseTarget(option) !== undefined
    ? undefined
    : `${quoted(option)} is not a word of .target`;

/** The first fault in a symbol's declaration, except its name and place. */
export function symbolFault(symbol: ObjectSymbol): string | undefined {
  switch (symbol.kind) {
    case "variable":
      return variableFault(symbol);
    case "function":
      return functionFault(symbol);
    case "reference":
      return undefined;
  }
}

/** `.managed` and `.unified` apply only to global memory. */
export function variableFault({
  space,
  managed,
  unified,
  scope,
}: Pick<VariableSymbol, "space" | "managed" | "unified" | "scope">): string | undefined {
  if (scope !== undefined && !isName(scope)) return `it is declared in ${quoted(scope)}, which is not a PTX name`;
  if (space === "global" || (!managed && unified === undefined)) return undefined;
  return `a .${space} variable has no .${managed ? "managed" : "unified"} attribute`;
}

type Declared = Pick<CodeSymbol, "entry" | "prototype" | "directives">;

export const functionFault = (declared: Declared): string | undefined =>
  prototypeFault(declared) ?? firstFault(declared.directives, (each) => directiveFault(each, declared.entry));

function prototypeFault({ entry, prototype: { returns, parameters, noreturn } }: Declared): string | undefined {
  if (entry && returns.length > 0) return "a kernel returns nothing";
  if (noreturn && (entry || returns.length > 0)) return "a kernel or a function with a result cannot be .noreturn";
  return (
    firstFault(returns, (each) => parameterFault(each, false)) ??
    firstFault(parameters, (each) => parameterFault(each, entry))
  );
}

function parameterFault({ name, space, pointer }: Parameter, ofKernel: boolean): string | undefined {
  if (name !== "_" && !isName(name)) return `parameter ${quoted(name)} has no PTX name`;
  if (ofKernel && space === "reg") return `parameter ${name} of a kernel is in a register`;
  if (pointer === undefined) return undefined;
  if (!ofKernel) return `parameter ${name} of a function is .ptr`;
  const { space: pointed, align = 1 } = pointer;
  if (pointed !== undefined && !pointedSpaces.has(`.${pointed}`)) return `${name} points at ${quoted(pointed)}`;
  return Number.isInteger(Math.log2(align)) ? undefined : `${name} has a .ptr alignment of ${align} bytes`;
}

/** The first fault in a directive of a function; those whose values are strings are checked, too. */
function directiveFault(
  { name, values, strings }: CodeSymbol["directives"][number],
  entry: boolean,
): string | undefined {
  const inText = firstFault(strings, (text) => stringFault(text, "text of a directive"));
  if (inText !== undefined) return inText;
  if (name === "pragma") return strings.length > 0 && values.length === 0 ? undefined : ".pragma has no text";
  const shape = functionDirectives.get(`.${name}`);
  if (shape === undefined || strings.length > 0) return `${quoted(`.${name}`)} is not a directive of functions in PTX`;
  const [least, most] = shape.values;
  if (values.length < least || values.length > most || shape.on !== (entry ? "entry" : "func"))
    return `.${name} with ${values.length} values does not fit such a function`;
  const [from, to] = shape.range ?? usualRange;
  const outside = values.find((value) => value < from || value > to);
  return outside === undefined ? undefined : `.${name} takes numbers from ${from} to ${to}, not ${outside}`;
}

/** Addresses of functions cannot have an offset. `addend`: in bytes. */
export const addendFault = (addend: bigint, { kind, name }: ObjectSymbol): string | undefined =>
  kind === "function" && addend !== 0n
    ? `the address of function ${name} is taken with ${addend} bytes added`
    : undefined;
