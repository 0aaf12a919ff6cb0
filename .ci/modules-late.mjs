// For esbuild: modules of Node's that are loaded where something of them is used. Commander asks for child_process, which brings a
// dozen others with it, for programs whose commands are programs of their own; ours are not, and each start would pay for it.
const late = "node:child_process";

export const modulesLate = {
  name: "modules-late",
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${late}$`) }, ({ importer, namespace }) =>
      namespace === "file" && /[\\/]commander[\\/]/.test(importer) ? { path: late, namespace: "late" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "late" }, ({ path: name }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => require(${JSON.stringify(name)})[key] });`,
    }));
  },
};
