// Textures, samplers and surfaces of one name: the first definition's settings are used, and different ones are
// reported.

import test from "ava";
import { linkBodies } from "./build.js";

test("textures with different initial values are warned of, declarations and equal ones are not", (t) => {
  const { image, diagnostics } = linkBodies(
    ".visible .global .texref t = { width = 3 };",
    ".visible .global .texref t = { width = 4 };",
    ".extern .global .texref t;",
    ".visible .global .texref t;",
    ".visible .global .texref t = { width = 3 };",
  );
  t.not(image, undefined);
  t.deepEqual(
    diagnostics.map(({ severity, code, message }) => [severity, code, message.split(":")[0]]),
    [
      ["warning", "symbol-type", "'t' begins with width = 4 here and width = 3 there"],
      ["warning", "symbol-type", "'t' begins with nothing set here and width = 3 there"],
    ],
  );
});
