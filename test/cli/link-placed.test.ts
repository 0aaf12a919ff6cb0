// Options whose position on the command line matters: files after --start-lib that are named again outside of it;
// --whole-archive before files that are no archives, and before an archive named earlier.

import test from "ava";
import { writeArchive } from "../../formats/ar/index.js";
import { moduleText } from "../link/build.js";
import { ptxkit } from "./surroundings.js";

const text = (name: string, uses = ""): string =>
  moduleText(
    `${uses === "" ? "" : `.extern .func ${uses}();\n`}.visible .func ${name}() { ${uses === "" ? "" : `call ${uses};`} ret; }`,
  );
const files = {
  "k.ptx": moduleText(".extern .func f();\n.visible .entry k() { call f; ret; }"),
  "f.ptx": text("f"),
  "g.ptx": text("g"),
  "lib.a": writeArchive(["f", "g"].map((name) => ({ name: `${name}.ptx`, data: Buffer.from(text(name)) }))),
};

async function namesOf(...words: readonly string[]): Promise<string> {
  const { status, err, out } = await ptxkit(["link", ...words, "-o", "image", "--trace"], { files });
  return status === 0 ? out.trim().split("\n").join(" ") : err;
}

test("a file named again outside of --start-lib is linked unconditionally", async (t) => {
  t.is(await namesOf("k.ptx", "--start-lib", "f.ptx", "g.ptx", "--end-lib"), "k.ptx f.ptx");
  t.is(await namesOf("k.ptx", "f.ptx", "--start-lib", "g.ptx", "--end-lib", "g.ptx"), "k.ptx f.ptx g.ptx");
  t.is(await namesOf("g.ptx", "k.ptx", "f.ptx", "--start-lib", "g.ptx", "--end-lib"), "g.ptx k.ptx f.ptx");
});

test("--whole-archive applies to archives, also to one that was named before", async (t) => {
  t.is(await namesOf("--whole-archive", "k.ptx", "f.ptx"), "k.ptx f.ptx");
  t.is(await namesOf("k.ptx", "lib.a"), "k.ptx lib.a(f.ptx)");
  t.is(await namesOf("k.ptx", "--whole-archive", "lib.a"), "k.ptx lib.a(f.ptx) lib.a(g.ptx)");
  t.is(await namesOf("k.ptx", "f.ptx", "--start-group", "lib.a", "--end-group"), "k.ptx f.ptx");
});
