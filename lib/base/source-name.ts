// The source-level name of a compiled symbol: its C++ name, without the additions of nvcc and ptxas to names that are private to
// a module. `$__x__2` is a variable of a function's body (ptxas), `__nv_static_25__1f_4_a_cu_7e_x` one of file scope (nvcc: the
// number counts the letters of the file's part), `_Z1fv$53` a constant that nvcc makes for a function.

import { demangle } from "../../formats/itanium/index.js";

/** Whether a name may be another in the source; others need not be tried. */
export const looksCompiled = (name: string): boolean =>
  name.startsWith("_Z") || name.startsWith("__nv_static_") || name.startsWith("$__");

/** The name that the source has, or undefined where it is the same or cannot be told. */
export function sourceName(name: string): string | undefined {
  if (!looksCompiled(name)) return undefined;
  const inner = withoutFile(withoutScope(name));
  const text = demangle(inner) ?? demangledConstant(inner) ?? inner;
  return text === name ? undefined : text;
}

const withoutScope = (name: string): string => /^\$__(.+)__\d+$/s.exec(name)?.[1] ?? name;

function withoutFile(name: string): string {
  const [head, length] = /^__nv_static_(\d{1,4})_/.exec(name) ?? [];
  const rest = head === undefined ? "" : name.slice(head.length + Number(length) + 1);
  return rest === "" ? name : rest;
}

function demangledConstant(name: string): string | undefined {
  const [, owner, number] = /^(_Z.+)(\$\d+)$/s.exec(name) ?? [];
  const text = owner === undefined ? undefined : demangle(owner);
  return text === undefined ? undefined : `${text}${number}`;
}

/** Whether C++ made the name, so that it says namespaces and parameters. */
export const isMangled = (name: string): boolean => name.startsWith("_Z") || name.startsWith("__nv_static_");

/** The source name of a static symbol: nvcc puts files into namespaces, and numbers before names. */
export function declaredName(name: string): string {
  const plain = withoutFile(name);
  return demangle(plain)?.replaceAll(/\(anonymous namespace\)::|\b_INTERNAL_\w+::/g, "") ?? plain;
}

/** "ray::shade" for a mangled function: without result, parameters and template arguments; undefined for an unmangled name. */
export function qualifiedName(name: string): string | undefined {
  const text = declaredName(name);
  if (text === name || text.includes("operator")) return text === name ? undefined : text;
  let [plain, depth] = ["", 0];
  for (const c of text) {
    if (c === "<") depth++;
    else if (c === ">") depth--;
    else if (depth === 0) {
      if (c === "(") break;
      plain = c === " " ? "" : plain + c;
    }
  }
  return plain;
}

/** `_ZN3ray5shadeEif` is "shade", and so are `_Z5shadev`, `shade`, and the word `ray::shade(int)`. */
export function plainName(name: string): string {
  const qualified = isMangled(name) ? qualifiedName(name) : /::|\(/.test(name) ? name.replace(/\(.*$/s, "") : undefined;
  return qualified === undefined ? name : (/[\w$~]+$/.exec(qualified)?.[0] ?? qualified);
}
