// Bundles the library: dist/bundle/index.js is all of lib/index.ts in one file, because reading 600 small files takes longer than
// most of what is done with them. It imports nothing, so that Node, browsers and bundlers take it as it is. launch-worker.js is what
// threads begin with, a file of its own (lib/exec/launch/workers/workers.ts).
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
    // Neither Node's modules nor a browser's: what imports one fails here.
    platform: "neutral",
    inject: [".ci/buffer.mjs"],
  });
