// NVVM IR whose functions are compiled only if needed: a device library (libdevice) or a file after --start-lib. Each function is
// selected like a member of an archive. The needed functions, and those that they need themselves, are compiled together, once.

import { once } from "../../base/once.js";
import type { Place } from "../../diag/diagnostic.js";
import { createSink, type DiagnosticSink } from "../../diag/sink.js";
import { compileModule } from "../../nvvm/compile.js";
import { definedNames } from "../../nvvm/defined-names.js";
import { readModule } from "../../nvvm/compile-source.js";
import type { Module } from "../../nvvm/ir/module.js";
import { isDeviceLibrary, neededOf } from "../../nvvm/library.js";
import { resolveOptions, type NvvmOptions } from "../../nvvm/options.js";
import { reflectOptionsOf } from "../../nvvm/reflect-options.js";
import type { Source } from "../../ptx/source-text.js";
import type { Input } from "../inputs/input.js";
import { openMember, type OpenOptions } from "../inputs/open-input.js";
import type { LazyInput, LibraryInput } from "./lazy-input.js";
import type { DefinedName } from "./member-names.js";
import { takeLibrary } from "./library.js";
import { addDefined } from "./name-book.js";

/** The functions of a library, before any is compiled. */
export function openLibrary(source: Source, options: OpenOptions): readonly LazyInput[] {
  const module = once(() => takeLibrary(source) ?? readModule(source, createSink()));
  const wanted = new Set<string>();
  const library: LibraryInput = {
    finish(sink) {
      const own = module();
      return own === undefined ? [] : compileWanted(own, wanted, resolveOptions(options.nvvm), options, sink);
    },
  };
  const own = module();
  return (own === undefined ? [] : definedNames(own))
    .filter(({ linkage }) => linkage !== undefined)
    .map(({ name, own, linkage, isKernel, at }): LazyInput => {
      const claim = linkage === "weak" ? "weak" : "strong";
      const place = (): Place => ({ kind: "bytes", file: source.name, offset: at.start });
      const defined: DefinedName = { name, claim, isKernel, place };
      return {
        name: `${source.name}(${name})`,
        library,
        read: () => undefined,
        modules: () => [{ targets: [], names: [defined] }],
        addNames: (book) => ({ ...addDefined(book.rows, [defined]), isWhole: true }),
        texts: () => [],
        open() {
          wanted.add(own);
          return [];
        },
      };
    });
}

function compileWanted(
  module: Module,
  wanted: ReadonlySet<string>,
  nvvm: NvvmOptions,
  options: OpenOptions,
  sink: DiagnosticSink,
): readonly Input[] {
  const reflect = reflectOptionsOf(module, nvvm);
  const others = isDeviceLibrary(module) ? "internal" : "kept";
  const needed = neededOf(module, wanted, { reflect, others }, sink);
  const made = compileModule(needed, nvvm, sink);
  return made === undefined ? [] : openMember(made, sink, options);
}
