// Sizes of a whole container: by target, by function over all targets and files, by template, and for code that occurs more than
// once.

import type { Inspection, ContainerSizes, NamedBytes } from "./inspection.js";
import type { SizesView } from "./views/sizes.js";

interface Sum {
  bytes: number;
  count: number;
}

export function containerSizes(elements: readonly Inspection[]): ContainerSizes {
  const views = elements.flatMap(({ sizes }) => (sizes === undefined ? [] : [sizes]));
  const byTarget = new Map<string, Sum>();
  const byFunction = new Map<string, Sum>();
  const byTemplate = new Map<string, Sum>();
  for (const { target, total, functions } of views) {
    add(byTarget, target ?? "host", total);
    for (const { name, demangled, template, code, metadata } of functions) {
      add(byFunction, demangled ?? name, code + metadata);
      if (template !== undefined) add(byTemplate, template, code + metadata);
    }
  }
  return {
    total: views.reduce((sum, { total }) => sum + total, 0),
    byTarget: sorted(byTarget),
    byFunction: sorted(byFunction),
    byTemplate: sorted(byTemplate),
    duplicates: duplicatesIn(views),
  };
}

function add(sums: Map<string, Sum>, name: string, bytes: number): void {
  const sum = sums.get(name);
  if (sum === undefined) sums.set(name, { bytes, count: 1 });
  else {
    sum.bytes += bytes;
    sum.count++;
  }
}

const sorted = (sums: ReadonlyMap<string, Sum>): readonly NamedBytes[] =>
  [...sums].map(([name, sum]) => ({ name, ...sum })).sort((a, b) => b.bytes - a.bytes);

function duplicatesIn(views: readonly SizesView[]): ContainerSizes["duplicates"] {
  const found = new Map<
    string,
    { readonly name: string; readonly target: string; readonly code: number; count: number }
  >();
  for (const { target = "host", functions } of views)
    for (const { name, demangled, code, contentKey } of functions) {
      if (code === 0) continue;
      const key = `${target} ${name} ${code} ${contentKey}`;
      const same = found.get(key);
      if (same === undefined) found.set(key, { name: demangled ?? name, target, code, count: 1 });
      else same.count++;
    }
  return [...found.values()]
    .filter(({ count }) => count > 1)
    .map(({ name, target, code, count }) => ({ name, target, count, bytes: code * (count - 1) }))
    .sort((a, b) => b.bytes - a.bytes);
}
