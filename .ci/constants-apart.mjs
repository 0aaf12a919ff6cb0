// For esbuild: the numbers with names of a file are a file of their own. esbuild writes such a number wherever its name stands,
// but only where the file that has it imports nothing. The names that are left are variables of the whole bundle, which V8 must
// take for changeable: each use loads one and looks what it is, and a switch over them is a chain of comparisons.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// Numbers and what is between them: no name is a number, be it one of hexadecimal digits.
const constant =
  /^(export )?const (\w+)(?:: number)? = (?:[-+*()<>&|~ ]|\/(?![/*])|\b(?:0x[\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)\b)+;/gim;
const suffix = "?constants";

const constantsOf = (file) => [...readFileSync(file, "utf8").matchAll(constant)];

/** What remains of a file, each line in its place for the source map. */
function withoutConstants(file) {
  const text = readFileSync(file, "utf8");
  const found = constantsOf(file);
  if (found.length === 0) return text;
  const names = found.map(([, , name]) => name);
  const exported = found.filter(([, isExported]) => isExported).map(([, , name]) => name);
  const from = JSON.stringify(path.relative(root, file) + suffix);
  return `import { ${names} } from ${from}; export { ${exported} }; ${text.replaceAll(constant, "")}`;
}

export const constantsApart = {
  name: "constants-apart",
  setup(build) {
    build.onResolve({ filter: /\?constants$/ }, ({ path: name }) => ({
      path: name.slice(0, -suffix.length),
      namespace: "constants",
      sideEffects: false,
    }));
    build.onLoad({ filter: /\.ts$/, namespace: "constants" }, ({ path: name }) => ({
      contents: constantsOf(path.join(root, name))
        .map(([line, isExported]) => (isExported ? line : `export ${line}`))
        .join("\n"),
      loader: "ts",
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path: file }) => ({ contents: withoutConstants(file), loader: "ts" }));
  },
};
