// Functions as PTX: prototypes of those that are used before they are defined or not defined here, and definitions in the
// order of the text (NVVM IR 1.0 sections 3.6 and 14.2).

import { placeOf } from "../ptx/source.js";
import { functionSignature, headerText } from "./abi.js";
import type { CompileContext } from "./compile.js";
import { functionDirectives, kernelDirectives } from "./globals/directives.js";
import { linkages } from "./globals/linkage.table.js";
import type { Function } from "./ir/global.js";
import type { MadeLine } from "./ptx-writer.js";

export interface FunctionTexts {
  readonly prototypes: readonly MadeLine[];
  /** Static functions of ours that bodies call. */
  readonly helpers: readonly string[];
  readonly definitions: readonly MadeLine[];
}

export function compileFunctions(context: CompileContext, wanted?: ReadonlySet<Function>): FunctionTexts {
  const { module, sink, declared } = context;
  for (const fn of module.functions) {
    if (fn.body === undefined || fn.linkage === "available_externally") continue;
    if (wanted !== undefined && !wanted.has(fn)) continue;
    sink.report(
      "not-supported",
      `'@${fn.name}' has a body, and bodies are not compiled yet`,
      placeOf(module.source, fn),
    );
  }
  const used = module.functions.filter((fn) => declared.has(fn) && !isIntrinsic(fn.name));
  return { prototypes: used.map((fn) => prototypeLine(fn, context)), helpers: [], definitions: [] };
}

const isIntrinsic = (name: string): boolean => name.startsWith("llvm.") || name === "__nvvm_reflect";

/** Linkage, header and directives of a function: all that stands before its body. `name`: of an alias that it is written for. */
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

function prototypeLine(fn: Function, context: CompileContext): MadeLine {
  const { linkage, body } = fn;
  const isDefined = body !== undefined && linkage !== "available_externally";
  const directive = isDefined ? linkages[linkage].defined : ".extern";
  return { text: `${headOf(fn, directive, context).join("\n")};`, at: fn.start };
}
