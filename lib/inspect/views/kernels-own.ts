// The kernels and device functions of ptxkit's files and of PTX text, from declarations, which have names and types.

import { targetFacts } from "../../../formats/cuda/index.js";
import type { CheckedModule, FunctionSymbol } from "../../check/module.js";
import { decodeFunction } from "../../object/code/decode.js";
import type { CodeSymbol, ObjectFile } from "../../object/object.js";
import type { Demangle } from "../context/demangler.js";
import { declaredView, type FunctionView } from "../context/function-view.js";
import type { FunctionsView } from "./kernels.js";

function head({ name, linkage }: Pick<CodeSymbol, "name" | "linkage">, demangle: Demangle) {
  const demangled = demangle(name);
  return { name, ...(demangled === undefined ? {} : { demangled }), linkage };
}

/** The functions of an object or image of ptxkit. Undefined functions are omitted: they are listed as undefined symbols. */
export function ownKernelsView(object: ObjectFile, demangle: Demangle): FunctionsView {
  const kernels: FunctionView[] = [];
  const functions: FunctionView[] = [];
  const kernelOf = new Map(object.kernels.map((kernel) => [kernel.symbol, kernel]));
  const sharedOf = new Map(
    object.sections.flatMap(({ role, size }) => (role.kind === "shared" ? [[role.symbol, size] as const] : [])),
  );
  const callees = calleesOf(object);
  object.symbols.forEach((symbol, index) => {
    if (symbol.kind !== "function" || symbol.placement.kind !== "section") return;
    const kernel = kernelOf.get(index);
    const sharedBytes = object.type === "executable" ? kernel?.sharedBytes : sharedOf.get(index);
    const reserved = object.type === "executable" ? targetFacts(object.target.sm).reservedSharedBytes : 0;
    const called = callees.get(index) ?? [];
    const isUndefined = (callee: number): boolean => object.symbols[callee]!.placement.kind === "undefined";
    const module = object.modules[symbol.origin.module];
    (symbol.entry ? kernels : functions).push({
      ...head(symbol, demangle),
      ...codeProperties(object, symbol),
      ...declaredView(symbol, object.target.sm),
      ...(sharedBytes === undefined ? {} : { sharedBytes }),
      ...(reserved === 0 || (sharedBytes ?? 0) < reserved ? {} : { reservedSharedBytes: reserved }),
      ...(kernel === undefined || object.type === "relocatable"
        ? {}
        : { dynamicSharedOffset: kernel.dynamicSharedOffset }),
      calls: called.map((callee) => object.symbols[callee]!.name),
      externs: called.filter(isUndefined).map((callee) => object.symbols[callee]!.name),
      ...(module === undefined ? {} : { file: module.name, line: symbol.origin.line }),
    });
  });
  return { kernels, functions };
}

function calleesOf(object: ObjectFile): ReadonlyMap<number, readonly number[]> {
  const callees = new Map<number, Set<number>>();
  for (const { caller, callee } of object.calls) callees.set(caller, (callees.get(caller) ?? new Set()).add(callee));
  return new Map([...callees].map(([caller, set]) => [caller, [...set]]));
}

function codeProperties(
  object: ObjectFile,
  { placement }: CodeSymbol,
): Pick<FunctionView, "codeBytes" | "instructions"> {
  const section = placement.kind === "section" ? object.sections[placement.section] : undefined;
  if (section?.data === undefined) return {};
  const decoded = decodeFunction(section.data);
  return {
    codeBytes: section.size,
    ...(decoded.ok ? { instructions: decoded.value.code.instructions.length } : {}),
  };
}

/** The functions of checked PTX text. */
export function moduleKernelsView(module: CheckedModule, demangle: Demangle): FunctionsView {
  const view = (symbol: FunctionSymbol): FunctionView => ({
    ...head(symbol, demangle),
    ...(symbol.code === undefined ? {} : { instructions: symbol.code.instructions.length }),
    ...declaredView(symbol, module.target.sm),
    calls: [],
    externs: [],
    file: symbol.place.file,
    line: symbol.place.line,
  });
  const all = module.symbols.filter((symbol) => symbol.kind === "function");
  return {
    kernels: all.filter(({ entry }) => entry).map(view),
    functions: all.filter(({ entry }) => !entry).map(view),
  };
}
