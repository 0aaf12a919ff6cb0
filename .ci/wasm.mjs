// Compiles what is WebAssembly (lib/link/plain/read/wasm/main.ts) before the rest is compiled, which imports it as text: so it is in
// the bundle and in the library alike, and found wherever they are.
import { renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, "lib/link/plain/read/wasm");
const output = path.join(root, "lib/link/plain/read/reader-code.ts");

const { default: compiler } = await import("assemblyscript/asc");
let code;
const { error, stderr } = await compiler.main(
  [
    path.relative(root, path.join(folder, "main.ts")),
    ...["--outFile", "reader.wasm", "-O3", "--noAssert", "--runtime", "stub"],
    // The memory is who calls's: shared, because what has been seen of it stays where it is when it grows.
    ...["--importMemory", "--sharedMemory", "--enable", "threads", "--maximumMemory", "32768"],
  ],
  {
    baseDir: root,
    writeFile(name, contents) {
      if (name.endsWith("reader.wasm")) code = contents;
    },
  },
);
if (error !== null) {
  process.stderr.write(`${stderr.toString()}${error.message}\n`);
  process.exit(1);
}
const text = Buffer.from(code).toString("base64");
writeFileSync(
  `${output}.new`,
  `// Made by .ci/wasm.mjs of wasm/main.ts: base64.\n\nexport const readerCode =\n  "${text}";\n`,
);
renameSync(`${output}.new`, output);
