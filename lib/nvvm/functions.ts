// Functions as PTX: prototypes of those used before their definition or without one, and definitions in the order of the text
// (NVVM IR 1.0 sections 3.6 and 14.2).

import { functionSignature, headerText } from "./abi.js";
import type { CompileContext } from "./compile-context.js";
import { isFull } from "./error-limit.js";
import { functionDirectives, kernelDirectives } from "./globals/directives.js";
import { linkages } from "./globals/linkage.table.js";
import { spaceName } from "./globals/variable.js";
import { variableName } from "./globals/variables.js";
import type { Body, Function, GlobalValue } from "./ir/global.js";
import { foldBody } from "./lower/fold.js";
import { helpers as helperTexts } from "./lower/helpers.js";
import { isReflect, reflectValue } from "./lower/reflect.js";
import { ASSEMBLY_VERSION } from "./module-assembly.js";
import { addPlaces, type MadeText } from "./ptx-writer.js";
import { reflectOptionsOf } from "./reflect-options.js";
import type { FloatOptions, PtxBody, SelectContext } from "./select/ptx-body.js";
import { selectFunction } from "./select/select.js";
import { verifyBody } from "./verify/verify.js";
import { usesOf } from "./uses.js";

export interface FunctionTexts {
  readonly prototypes: readonly MadeText[];
  /** Static helper functions that bodies call. */
  readonly helpers: readonly string[];
  readonly definitions: readonly MadeText[];
}

export function compileFunctions(context: CompileContext, wanted?: ReadonlySet<Function>): FunctionTexts {
  const { module, sink, declared } = context;
  const helpers = new Set<string>();
  const externals = new Set<string>();
  const selectContext = selectContextOf(context, helpers, externals);
  const reflect = reflectOptionsOf(module, context.options);
  const defined = new Set<Function>();
  const definitions: MadeText[] = [];
  for (const fn of module.functions) {
    if (fn.body === undefined || fn.linkage === "available_externally") continue;
    if (wanted !== undefined && !wanted.has(fn)) continue;
    // Errors beyond the limit would not be reported.
    if (isFull(sink)) break;
    const body = fn.body.read(sink);
    if (body === undefined || !isVerified(fn, body, context)) continue;
    foldBody(body, (instruction) => reflectValue(instruction, reflect));
    const { functions, hasAssembly } = usesOf(body);
    for (const used of functions) if (used !== fn && !defined.has(used)) declared.add(used);
    if (hasAssembly) context.needVersion(ASSEMBLY_VERSION);
    const selected = selectFunction(fn, body, { ...selectContext, float: floatOptions(fn, context) });
    if (selected !== undefined) definitions.push(definitionText(fn, selected, context));
    defined.add(fn);
  }
  const used = module.functions.filter((fn) => declared.has(fn) && !isIntrinsic(fn.name));
  return {
    prototypes: [
      ...[...externals].map((text) => ({ text, at: 0 })),
      ...used.filter((fn) => !provides(externals, context.nameOf(fn))).map((fn) => prototypeLine(fn, context)),
    ],
    helpers: [...helpers].map((name) => helperTexts.get(name)!),
    definitions,
  };
}

const isIntrinsic = (name: string): boolean => name.startsWith("llvm.") || isReflect(name);

/** Whether one of the declarations has that name. */
const provides = (externals: ReadonlySet<string>, name: string): boolean =>
  [...externals].some((text) => text.includes(` ${name}(`) || text.includes(` ${name} (`));

function isVerified(fn: Function, body: Body, { module, options, sink }: CompileContext): boolean {
  const errorsBefore = sink.errorCount;
  verifyBody(fn, body, { module, options }, sink);
  return sink.errorCount === errorsBefore;
}

function selectContextOf(context: CompileContext, helpers: Set<string>, externals: Set<string>): SelectContext {
  const { module, layout, annotations, target, sink, needVersion, options, nameOf } = context;
  return {
    module,
    abi: { layout, opaque: module.spellings.opaque !== undefined },
    float: floatOptions(undefined, { options }),
    arch: target.sm,
    sink,
    nameOf: (global: GlobalValue) => (global.kind === "variable" ? variableName(global, context) : nameOf(global)),
    spaceOf: spaceName,
    isKernel: annotations.isKernel,
    alignmentsOf: annotations.alignmentsOf,
    needHelper: (name) => void helpers.add(name),
    needVersion,
    needDeclaration: (text) => void externals.add(text),
  };
}

/** The options, except that attributes of a function may enable ftz. */
function floatOptions(fn: Function | undefined, { options }: Pick<CompileContext, "options">): FloatOptions {
  const { ftz, precDiv = true, precSqrt = true, fma = false } = options;
  return { ftz: ftz ?? (fn !== undefined && flushes(fn)), precDiv, precSqrt, fma };
}

const flushes = ({ attributes }: Function): boolean =>
  attributes.some(
    ({ name, text = "" }) =>
      (name === "denormal-fp-math-f32" && text.startsWith("preserve-sign")) ||
      (name === "nvptx-f32ftz" && text === "true"),
  );

/** Linkage, header and directives of a function: everything before its body. `name`: that of an alias to write it for. */
export function headOf(
  fn: Function,
  directive: string,
  context: CompileContext,
  name = context.nameOf(fn),
): readonly string[] {
  const { annotations, layout, module, target, needVersion } = context;
  const isKernel = annotations.isKernel(fn);
  const abi = { layout, opaque: module.spellings.opaque !== undefined, alignments: annotations.alignmentsOf(fn) };
  const header = headerText(functionSignature(fn, isKernel, abi), name, isKernel);
  const directives = isKernel ? kernelDirectives(fn, annotations, target.sm) : functionDirectives(fn);
  if (directives.includes(".noreturn")) needVersion(64);
  if (directives.some((each) => each.includes("cluster"))) needVersion(78);
  return [directive === "" ? header : `${directive} ${header}`, ...directives];
}

function prototypeLine(fn: Function, context: CompileContext): MadeText {
  const { linkage, body } = fn;
  const isDefined = body !== undefined && linkage !== "available_externally";
  const directive = isDefined ? linkages[linkage].defined : ".extern";
  return { text: `${headOf(fn, directive, context).join("\n")};`, at: fn.start };
}

/** One text for each function: lines are joined immediately, because ropes take ten times the memory. */
function definitionText(fn: Function, { lines }: PtxBody, context: CompileContext): MadeText {
  const { locations } = context;
  const texts: string[] = [];
  const places: number[] = [];
  const add = (text: string, at: number): void => {
    texts.push(text);
    addPlaces(places, text, at);
  };
  for (const text of headOf(fn, linkages[fn.linkage].defined, context)) add(text, fn.start);
  add("{", fn.start);
  locations.begin();
  for (const { text, at, from } of lines) {
    const offset = at < 0 ? fn.start : at;
    if (from !== undefined) for (const line of locations.linesOf(from)) add(line, offset);
    add(text, offset);
  }
  add("}\n", fn.start);
  return { text: texts.join("\n"), at: fn.start, places };
}
