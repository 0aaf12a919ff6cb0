// The views of one module of PTX or NVVM IR.

import { checkSource } from "../check/check.js";
import { createSink, type DiagnosticSink } from "../diag/sink.js";
import { readModule } from "../nvvm/compile-source.js";
import { ptxOf } from "../nvvm/front.js";
import { hasHeader } from "../ptx/header.js";
import type { Source } from "../ptx/source-text.js";
import { createDemangler } from "./context/demangler.js";
import { named } from "./inspect-elf.js";
import { MODULE_VIEWS, OWN_VIEWS, type InspectOptions, type InspectResult, type ViewName } from "./inspection.js";
import { moduleKernelsView } from "./views/kernels-own.js";
import { moduleView } from "./views/module.js";
import { nvvmView } from "./views/nvvm.js";

/** How to get a view that PTX text does not have. */
function remedyFor(view: ViewName, name: string): string {
  if (!OWN_VIEWS.includes(view)) return "compile it with ptxas -v, or inspect the cubin that ptxas makes of it";
  return view === "debugLine"
    ? `make an image of it, which has: ptxkit link --debug-line ${name} -o IMAGE`
    : `make an object of it, which has: ptxkit as ${name}`;
}

export function inspectModule(
  source: Source,
  kind: "ptx" | "nvvm" | "bitcode",
  { views, verify: verifies, functions, ...names }: InspectOptions,
  sink: DiagnosticSink,
): InspectResult {
  // If the text contains no PTX at all, the parser reports that.
  const isModule = kind !== "ptx" || hasHeader(source.bytes);
  const what = kind === "ptx" ? "PTX text" : "NVVM IR";
  if (isModule && verifies === true)
    return {
      kind: "unsupported",
      reason: `${source.name} is ${what}, which has no rules of files`,
      remedy: `verify it with: ptxkit check ${source.name}`,
    };
  const missing = views.find((view) => !MODULE_VIEWS.includes(view));
  if (isModule && missing !== undefined)
    return {
      kind: "unsupported",
      reason: `${source.name} is ${what}, which has no --${missing.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} view`,
      remedy: remedyFor(missing, source.name),
    };
  const demangle = createDemangler(names.demangle);
  const before = sink.errorCount;
  const ir = kind === "ptx" ? undefined : readModule(source, createSink());
  const text = ptxOf(source, undefined, sink);
  const module = checkSource(text, sink);
  const hasErrors = sink.errorCount > before;
  if (hasErrors && module.symbols.length === 0) return { kind: "refused" };
  return {
    kind: "inspected",
    inspection: {
      file: source.name,
      kind: kind === "ptx" ? "ptx" : "nvvm",
      target: module.target.name,
      size: source.bytes.length,
      damaged: hasErrors,
      shortened: false,
      ...(views.length === 0 && ir !== undefined ? { nvvm: nvvmView(ir) } : {}),
      ...(views.length === 0 ? { module: moduleView(module, demangle) } : {}),
      ...(views.length === 0 || views.includes("kernels") ? named(moduleKernelsView(module, demangle), functions) : {}),
      // Only valid input is disassembled: erroneous input may contain anything, and --extract writes it unchanged.
      ...(views.includes("disassemble") && !hasErrors ? { disassembly: new TextDecoder().decode(text.bytes) } : {}),
    },
  };
}
