// The source-level name of a compiled symbol: its C++ name, without the additions of nvcc and ptxas to names that are private to
// a module. `$__x__2` is a variable of a function's body (ptxas). `__nv_static_25__1f_4_a_cu_7e_x` is one of file scope (nvcc:
// the number is the length of the file's part). `_Z1fv$53` is a constant that nvcc makes for a function.

import { demangle } from "../../formats/itanium/index.js";

/** Whether a name may have another form in the source; a quick test before demangling. */
export const looksCompiled = (name: string): boolean =>
  name.startsWith("_Z") || name.startsWith("__nv_static_") || name.startsWith("$__");

/** The name in the source; undefined if it is equal or unknown. */
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

/** Whether a name is mangled C++, and thus contains namespaces and parameters. */
export const isMangled = (name: string): boolean => name.startsWith("_Z") || name.startsWith("__nv_static_");

/** The source name of a static symbol, without the namespaces for files and the prefixes that nvcc adds. */
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

/**
 * The last component of the source name: "shade" for `_ZN3ray5shadeEif`, `_Z5shadev`, `shade`, and the text `ray::shade(int)`.
 */
export function plainName(name: string): string {
  const qualified = isMangled(name) ? qualifiedName(name) : /::|\(/.test(name) ? name.replace(/\(.*$/s, "") : undefined;
  return qualified === undefined ? name : (/[\w$~]+$/.exec(qualified)?.[0] ?? qualified);
}
