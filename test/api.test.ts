// The public API: its names equal the golden list, the package's exports resolve to it, and the examples of README and
// docs compile as strict TypeScript and work as described. PTXKIT_UPDATE=1 writes the list again, so review the
// difference.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import test from "ava";
import { isAll, long } from "./sample.js";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");
const index = new URL("dist/lib/index.js", root).href;

/** "name" or "type name" for each export of lib/index.ts, sorted. */
function exportedNames(): readonly string[] {
  return [...text("lib/index.ts").matchAll(/^export (type )?\{([^}]*)\}/gm)]
    .flatMap(([, type = "", list = ""]) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => type + name.replace(/^(type )?.* as /, "$1")),
    )
    .toSorted((a, b) => (a.replace("type ", "") < b.replace("type ", "") ? -1 : 1));
}

test("the exported names are those of the golden list", (t) => {
  const actual = exportedNames().join("\n") + "\n";
  const golden = new URL("test/golden/api.txt", root);
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(fileURLToPath(golden), actual);
  t.is(actual, readFileSync(golden, "utf8"));
});

test("every exported value is there, and nothing else", async (t) => {
  const values = exportedNames().filter((name) => !name.startsWith("type "));
  t.deepEqual(Object.keys((await import(index)) as object).toSorted(), values.toSorted());
});

test("each of the package's exports leads to a file", async (t) => {
  const { exports } = JSON.parse(text("package.json")) as {
    exports: Record<string, string | { readonly types: string; readonly default: string }>;
  };
  for (const target of Object.values(exports)) {
    for (const file of typeof target === "string" ? [target] : [target.types, target.default]) {
      t.notThrows(() => text(file), file);
    }
  }
});

/** The examples of a page, each with the heading above it. */
const examplesOf = (page: string) =>
  [...text(page).matchAll(/^## (.*)\n(?:(?!## )[^\n]*\n)*?```(?:ts|js|typescript|javascript)\n([^]*?)```/gm)].map(
    ([, title, code]) => ({ page, title: title!, code: code! }),
  );
const pages = ["README.md", ...readdirSync(new URL("docs", root)).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
const examples = pages.flatMap(examplesOf);

test("docs/api.md has an example in every section, README one, and none is missed", (t) => {
  const titles = (page: string) => examples.filter((example) => example.page === page).map(({ title }) => title);
  t.deepEqual(
    titles("docs/api.md"),
    [...text("docs/api.md").matchAll(/^## (.*)$/gm)].map(([, title]) => title!),
  );
  t.deepEqual(titles("README.md"), ["From a program"]);
  const fences = pages.flatMap((page) => text(page).match(/^```(ts|js|typescript|javascript)$/gm) ?? []);
  t.is(fences.length, examples.length);
});

for (const { page, title, code } of examples) {
  test(`${page}: ${title}`, async (t) => {
    const source = code.replace('"ptxkit"', JSON.stringify(index));
    await t.notThrowsAsync(import(`data:text/javascript,${encodeURIComponent(source)}`));
  });
}

/** Options beyond --strict: what compiles with all of them compiles with fewer. */
const strictest = [
  "--strict",
  "--noUncheckedIndexedAccess",
  "--exactOptionalPropertyTypes",
  "--noPropertyAccessFromIndexSignature",
  "--noUnusedLocals",
  "--verbatimModuleSyntax",
];

test("the examples compile as strict TypeScript, for Node and for bundlers, in a package of their own", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "examples-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const base = fileURLToPath(root);
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules);
  symlinkSync(base, path.join(modules, "ptxkit"), "junction");
  symlinkSync(path.join(base, "node_modules/@types"), path.join(modules, "@types"), "junction");
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  const files = examples.map(({ page, title, code }) => {
    const name = `${page}-${title}`.replaceAll(/\W+/g, "-") + ".ts";
    writeFileSync(path.join(folder, name), code);
    return name;
  });
  const compiler = path.join(base, "node_modules/typescript7/bin/tsc");
  const compile = async (...options: readonly string[]): Promise<string> => {
    const args = [compiler, "--noEmit", "--target", "es2023", "--types", "node", ...strictest, ...options, ...files];
    return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string }) => error.stdout || String(error),
    );
  };
  // A sample compiles for Node alone.
  t.is(await compile("--module", "nodenext", "--moduleResolution", "nodenext"), "");
  if (isAll) t.is(await compile("--module", "esnext", "--moduleResolution", "bundler"), "");
});

long("the types need no others: neither @types/node nor the DOM's, and no skipLibCheck", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "types-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const base = fileURLToPath(root);
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(base, path.join(folder, "node_modules/ptxkit"), "junction");
  const { exports } = JSON.parse(text("package.json")) as { exports: object };
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
  const lines = entries.map((entry, i) => `export * as e${i} from "${entry.replace(".", "ptxkit")}";`);
  // Types of Node and browsers are compatible with the smaller ones declared by the library.
  const signal = "export declare const signal: AbortSignal;\nexport const options: LaunchOptions = { signal };";
  const use = `import type { LaunchOptions } from "ptxkit";\n${signal}`;
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    skipLibCheck: false,
  };
  const compile = async (name: string, code: string, lib: readonly string[]): Promise<string> => {
    const options = { ...compilerOptions, lib, target: "es2022", module: "nodenext" };
    const config = path.join(folder, `${name}.json`);
    writeFileSync(path.join(folder, `${name}.ts`), code);
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] }));
    const compiler = path.join(base, "node_modules/typescript7/bin/tsc");
    return promisify(execFile)(process.execPath, [compiler, "-p", config], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string }) => error.stdout || String(error),
    );
  };
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  t.deepEqual(
    await Promise.all([compile("all", lines.join("\n"), ["es2022"]), compile("dom", use, ["es2022", "dom"])]),
    ["", ""],
  );
});
