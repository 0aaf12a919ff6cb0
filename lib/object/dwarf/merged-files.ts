// Source files of several modules under one numbering, for `.file` and `.loc` of a merged module (PTX ISA 9.0 sections
// 11.5.2 and 11.5.3): each path once, in order of first appearance. A single module keeps its own numbers.

import type { ModuleOrigin } from "../object.js";

export interface MergedFiles {
  readonly all: ModuleOrigin["files"];
  /** The common number of a module's file. */
  numberOf(module: number, file: number): number;
}

export function mergeFiles(modules: readonly ModuleOrigin[]): MergedFiles {
  if (modules.length === 1) return { all: modules[0]!.files, numberOf: (_, file) => file };
  const numbers = new Map<string, number>();
  const byModule = modules.map(
    ({ files }) =>
      new Map(
        files.map(({ index, path }) => {
          const number = numbers.get(path) ?? numbers.size + 1;
          numbers.set(path, number);
          return [index, number];
        }),
      ),
  );
  return {
    all: [...numbers].map(([path, index]) => ({ index, path })),
    numberOf: (module, file) => byModule[module]?.get(file) ?? file,
  };
}
