// Bundles the library: dist/bundle/index.js is all of lib/index.ts in one file, because reading 600 small files takes longer than
// most uses of it. It imports nothing, so that Node, browsers and bundlers accept it unchanged. launch-worker.js, the entry file
// of threads, is separate (lib/exec/workers/workers.ts).
import { build } from "esbuild";

export const bundleLibrary = (common) =>
  build({
    ...common,
    entryPoints: {
      index: "lib/index.ts",
      elf: "formats/elf/index.ts",
      "launch-worker": "lib/exec/launch/workers/launch-worker.ts",
    },
    format: "esm",
    // Neither Node's modules nor a browser's: importing one fails here.
    platform: "neutral",
    inject: [".ci/buffer.mjs"],
  });
