// The demo and the programs of several modules link without a word.

import { readdirSync, readFileSync } from "node:fs";
import test from "ava";
import { linkAll, objectOf } from "./build.js";

const testdata = new URL("../../../testdata/", import.meta.url);

const modulesIn = (folder: URL): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".ptx"))
    .sort();

const folders = [
  "demo/",
  ...readdirSync(new URL("programs/", testdata), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `programs/${name}/`),
].filter((folder) => modulesIn(new URL(folder, testdata)).length > 1);

for (const folder of folders)
  test(`testdata/${folder} links without a word`, (t) => {
    const at = new URL(folder, testdata);
    const objects = modulesIn(at).map((name) => objectOf(name, readFileSync(new URL(name, at), "utf8")));
    const { image, diagnostics } = linkAll(objects);
    t.deepEqual(diagnostics, []);
    t.true(image!.kernels.length > 0);
    for (const section of image!.sections)
      for (const { symbol } of section.relocations) t.true(symbol >= 0 && symbol < image!.symbols.length);
  });
