// PTX names of a module's functions and variables. Names that are valid in PTX stay as they are. In others NVIDIA's compilers
// replace a dot by `_$_`, and so does ptxkit, so that both produce the same name (NVVM IR 1.0 chapter 2 refuses such names; PTX
// ISA section 4.4 defines PTX's names).

import type { GlobalValue } from "../ir/global.js";
import type { Module } from "../ir/module.js";
import { isLocal } from "./linkage.table.js";

export type Names = (global: GlobalValue) => string;

const plain = /^(?:[A-Za-z][A-Za-z0-9_$]*|[_$][A-Za-z0-9_$]+)$/;

/** The name in PTX, independent of the rest of the module. */
function ptxName(name: string): string {
  if (plain.test(name)) return name;
  const mapped = Array.from(Buffer.from(name, "utf8"), mapByte).join("");
  return plain.test(mapped) ? mapped : `_$${mapped}`;
}

function mapByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (/[A-Za-z0-9_$]/.test(char)) return char;
  return char === "." ? "_$_" : `_$${byte.toString(16).padStart(2, "0")}_`;
}

/** Names of one module: two that would be equal in PTX get different ones, unless other modules see them. */
export function createNames(module: Module): Names {
  const names = new Map<GlobalValue, string>();
  const taken = new Set<string>();
  // In the order of the text, so that names do not depend on where one is used first.
  const all = [...module.globals.values()].sort((a, b) => a.start - b.start);
  const give = (global: GlobalValue, name: string): void => {
    names.set(global, name);
    taken.add(name);
  };
  for (const global of all) if (!isLocal(global.linkage)) give(global, nameOf(global));
  for (const global of all) {
    if (!isLocal(global.linkage)) continue;
    const wanted = nameOf(global);
    let name = wanted;
    for (let i = 1; taken.has(name); i++) name = `${wanted}_$${i}`;
    give(global, name);
  }
  return (global) => names.get(global) ?? nameOf(global);
}

/** Unnamed globals are numbered as LLVM does. */
const nameOf = ({ name }: GlobalValue): string =>
  /^\d+$/.test(name) ? `__unnamed_${Number(name) + 1}` : ptxName(name);
