// The demo and the programs of several modules link without diagnostics.

import test from "ava";
import { programsOfSeveralModules } from "../oracle/programs.js";
import { linkAll, objectOf } from "./build.js";

for (const { folder, files, texts } of programsOfSeveralModules())
  test(`testdata/${folder} links without a diagnostic`, (t) => {
    const { image, diagnostics } = linkAll(texts.map((text, i) => objectOf(files[i]!, text)));
    t.deepEqual(diagnostics, []);
    t.true(image!.kernels.length > 0);
    for (const { relocations } of image!.sections)
      for (const { symbol } of relocations) t.true(symbol >= 0 && symbol < image!.symbols.length);
  });
