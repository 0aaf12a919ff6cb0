// Reduces a failing kernel: removes nodes of its bodies, large ones first, while it still fails.

import { type Body, type Compound, type KernelTree, linesOf, type Node } from "./tree.js";

type Path = readonly number[];

interface Found {
  /** A path: the function, then alternately part and node. */
  readonly path: Path;
  readonly lines: number;
}

/** The smallest failing kernel found, with at most `mostTries` tries. */
export async function minimise(
  kernel: KernelTree,
  fails: (kernel: KernelTree) => Promise<boolean>,
  mostTries = 400,
): Promise<KernelTree> {
  let best = kernel;
  let tries = 0;
  for (let changed = true; changed;) {
    changed = false;
    const found = best.functions.flatMap(({ body }, i) => nodesIn(body, [i]));
    // From the last, so that paths of earlier nodes stay valid.
    for (const { path } of found.sort((a, b) => b.lines - a.lines || comparePaths(b.path, a.path))) {
      if (tries++ >= mostTries) return best;
      const smaller = without(best, path);
      if (smaller === undefined || !(await fails(smaller))) continue;
      best = smaller;
      changed = true;
      break;
    }
  }
  return best;
}

function nodesIn(body: Body, path: Path): readonly Found[] {
  return body.nodes.flatMap((node, i) => {
    const here = [...path, i];
    const inside =
      "parts" in node ? node.parts.flatMap((part, p) => ("nodes" in part ? nodesIn(part, [...here, p]) : [])) : [];
    return [{ path: here, lines: linesOf(node).length }, ...inside];
  });
}

function comparePaths(a: Path, b: Path): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}

function without(kernel: KernelTree, [fn, ...rest]: Path): KernelTree | undefined {
  const functions = kernel.functions.map((each, i) => (i === fn ? { ...each, body: cut(each.body, rest) } : each));
  return { ...kernel, functions };
}

function cut({ nodes }: Body, [at, part, ...rest]: Path): Body {
  if (part === undefined) return { nodes: nodes.filter((_, i) => i !== at) };
  return { nodes: nodes.map((node, i) => (i === at ? cutPart(node, part, rest) : node)) };
}

function cutPart(node: Node, part: number, rest: Path): Node {
  const { parts } = node as Compound;
  return { parts: parts.map((each, i) => (i === part ? cut(each as Body, rest) : each)) };
}
