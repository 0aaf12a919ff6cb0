// For esbuild: modules that are loaded where something of them is used, because most runs use nothing of them and each start would
// pay for them.
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Commander asks for it, which brings a dozen others, for programs whose commands are programs of their own; ours are not. */
const nodeModule = "node:child_process";

/**
 * Our own: functions of theirs, for who imports them in these folders. Links of objects seldom look into code, for which all tables of
 * instructions are made.
 */
const ours = [
  { importers: /^lib\/(?:link|object)\//, file: "lib/object/code/decode.ts", functions: ["decodeFunction"] },
  // --defsym, and objects with aliases of variables.
  { importers: /^cli\//, file: "lib/link/plain/tell/define.ts", functions: ["definePlain"] },
  ...Object.entries({
    compile: ["compileModule"],
    "compile-source": ["compileSource", "readModule"],
    "defined-names": ["definedNames"],
    "globals/annotations": ["annotated", "annotationsOfDeclared"],
    library: ["isDeviceLibrary", "isLibdeviceName", "neededOf"],
    "reflect-options": ["reflectOptionsOf"],
  }).map(([name, functions]) => ({
    // Few inputs are NVVM IR.
    importers: /^(?:cli|lib\/(?:check|link|inspect|language))\/|^lib\/nvvm\/front\.ts$/,
    file: `lib/nvvm/${name}.ts`,
    functions,
  })),
];

const fromRoot = (file) => path.relative(root, file).replaceAll("\\", "/");

export const modulesLate = {
  name: "modules-late",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${nodeModule}$`) }, ({ importer, namespace }) =>
      namespace === "file" && /[\\/]commander[\\/]/.test(importer)
        ? { path: nodeModule, namespace: "late" }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: "late" }, ({ path: name }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => require(${JSON.stringify(name)})[key] });`,
    }));
    build.onResolve({ filter: /^\./, namespace: "file" }, ({ importer, path: name, resolveDir }) => {
      const file = fromRoot(path.join(resolveDir, name)).replace(/\.js$/, ".ts");
      const late = ours.find((each) => each.file === file && each.importers.test(fromRoot(importer)));
      return late && { path: `${late.file}?late`, namespace: "late-functions", pluginData: late };
    });
    build.onLoad({ filter: /./, namespace: "late-functions" }, ({ pluginData: { file, functions } }) => ({
      // Each is asked for once: what require gives is a new object each time.
      contents: functions
        .map((name) => {
          const own = `require(${JSON.stringify(`./${file}`)}).${name}`;
          return `let late_${name}; export const ${name} = (...args) => (late_${name} ??= ${own})(...args);`;
        })
        .join("\n"),
      resolveDir: root,
    }));
  },
};
