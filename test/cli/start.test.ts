// Start of the program: which of its two builds runs, the short path of --version, the code cache, the stack of a
// defect in a bundle, and the flags it sets for V8, which must be known to this version.

import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import test from "ava";
import { codeCacheIn } from "../../cli/bundled.js";
import { originalStack } from "../../cli/base/stack.js";
import { versionFlags } from "../../cli/version.js";
import { ptxkit } from "./surroundings.js";

const cli = fileURLToPath(new URL("../../cli/", import.meta.url));

function withFolder<T>(work: (folder: string) => T): T {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "ptxkit-start-")));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Built {
  /** When the bundle was made, and when the compiler ran last. */
  readonly bundle?: number;
  readonly compiler?: number;
}

/** A program whose length does not depend on its output. */
const saying = (who: "bundled" | "another"): string =>
  `(() => { const who = "${who}"; return { start: () => { console.log(who); return 0; } }; })`;

/** A built program in the folder whose parts only print their names. */
function build(root: string, { bundle, compiler }: Built): void {
  const put = (name: string, text: string | Uint8Array, time?: number): void => {
    const file = path.join(root, "dist", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (time !== undefined) utimesSync(file, time, time);
  };
  writeFileSync(path.join(root, "package.json"), `{ "type": "module", "version": "1.2.3" }`);
  put("cli/start.js", `export const start = () => { console.log("compiled"); return 0; };`);
  if (bundle !== undefined) put("bundle/program.cjs", saying("bundled"), bundle);
  if (compiler !== undefined) put(".tsbuildinfo", "", compiler);
  for (const name of ["main.js", "bundled.js", "version.js", "files/stream.js"]) {
    const file = path.join(root, "dist/cli", name);
    mkdirSync(path.dirname(file), { recursive: true });
    copyFileSync(path.join(cli, name), file);
  }
}

/** Output of the folder's program; the code cache is in the folder, unless `env` says otherwise. */
function said(root: string, env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(root, "dist/cli/main.js"), "check"], {
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "", NODE_COMPILE_CACHE: path.join(root, "cache"), ...env },
  });
  return `${stdout.toString().trim()}${stderr.toString()} ${status}`;
}

const whoStarts = (built: Built): string =>
  withFolder((root) => {
    build(root, built);
    return said(root);
  });

test("the bundle runs unless it is missing or older than the compiler's output", (t) => {
  t.is(whoStarts({ bundle: 2000, compiler: 1000 }), "bundled 0");
  t.is(whoStarts({ bundle: 2000 }), "bundled 0", "as in a package");
  t.is(whoStarts({ bundle: 1000, compiler: 2000 }), "compiled 0");
  t.is(whoStarts({ compiler: 2000 }), "compiled 0");
});

test("the code cache of the first run is used afterwards, until the program or the cache changes", (t) =>
  withFolder((root) => {
    build(root, { bundle: 2000 });
    const program = path.join(root, "dist/bundle/program.cjs");
    t.is(said(root), "bundled 0");
    const folder = path.join(root, "cache/ptxkit");
    const [name = "", ...others] = readdirSync(folder);
    t.deepEqual(others, []);
    const file = path.join(folder, name);
    const code = readFileSync(file);
    // V8 compares only the length of the source, so the old output shows that the cached code runs.
    writeFileSync(program, saying("another"));
    utimesSync(program, 2000, 2000);
    t.is(said(root), "bundled 0");
    t.deepEqual(readFileSync(file), code, "what fits is not written again");
    for (const damaged of [
      "",
      "no code",
      code.subarray(0, -9),
      code.with(code.length >> 1, ~code[code.length >> 1]!),
    ]) {
      writeFileSync(file, damaged);
      t.is(said(root), "another 0");
    }
    writeFileSync(file, code);
    utimesSync(program, 3000, 3000);
    t.is(said(root), "another 0", "a program of another time");
    t.is(readdirSync(folder).length, 2);
    for (const time of [4000, 5000, 6000, 7000]) {
      utimesSync(program, time, time);
      said(root);
    }
    t.is(readdirSync(folder).length, 4, "of many programs only the latest are kept");
  }));

test("no code is cached where it is disabled, and a cache folder that cannot be written is not an error", (t) =>
  withFolder((root) => {
    build(root, { bundle: 2000 });
    t.is(said(root, { NODE_DISABLE_COMPILE_CACHE: "1" }), "bundled 0");
    t.false(existsSync(path.join(root, "cache")));
    writeFileSync(path.join(root, "cache"), "");
    t.is(said(root), "bundled 0");
  }));

test("the code cache is per command, with one name for everything else", (t) => {
  const name = (...args: string[]): string => path.basename(codeCacheIn("/caches", args)).split("-")[0]!;
  t.deepEqual(["check", "link", "help", "--help", "../x"].map((word) => name(word)), ["check", "link", "help", "help", "help"]); // prettier-ignore
  t.is(name(), "help");
  t.is(name("link", "a.o", "-o", "b.img"), "link");
  t.is(name("link", "a.o", "b.ptx"), "texts");
  withFolder((folder) => {
    const list = path.join(folder, "inputs");
    writeFileSync(list, "b.o\na.ptx\n");
    t.is(name("link", `@${list}`), "texts");
    writeFileSync(list, `a.o\n${"b.o ".repeat(2000)} c.ptx\n`);
    t.is(name("link", `@${list}`), "link", "texts only behind what is looked at");
    t.deepEqual(
      [list + ".none", folder, "a\0b"].map((each) => name("link", `@${each}`)),
      ["link", "link", "link"],
    );
  });
  t.is(name("check", "a.ptx"), "check");
  t.is(name("check", "a.ll"), "check_nvvm");
  t.is(name("link", "a.ptx", "libdevice.10.bc"), "link_nvvm");
  t.is(name("help", "a.ll"), "help");
});

test("the short path of --version prints what the ordinary one prints", async (t) => {
  for (const flag of versionFlags.split(", ")) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(cli, "main.js"), flag]);
    t.like(await ptxkit([flag]), { status, out: stdout.toString(), err: stderr.toString() });
    t.is(status, 0);
  }
});

test("a stack trace names sources if a source map exists, and is unchanged otherwise", (t) =>
  withFolder((folder) => {
    const url = (name: string): string => pathToFileURL(path.join(folder, name)).href;
    const map = { version: 3, sources: ["../lib/a.ts"], names: [], mappings: "AAEC" };
    writeFileSync(path.join(folder, "mapped.js.map"), JSON.stringify(map));
    writeFileSync(path.join(folder, "broken.js.map"), "{");
    const at = (place: string): string => `Error: x\n    at f (${place})\n    at node:internal/y:1:2`;
    t.is(originalStack(at(`${url("mapped.js")}:1:1`)), at(`${new URL("../lib/a.ts", url("mapped.js")).href}:3:2`));
    for (const name of ["broken.js", "plain.js"]) t.is(originalStack(at(`${url(name)}:1:1`)), at(`${url(name)}:1:1`));
  }));

test("setting V8 flags prints nothing: in a link, and with compiled code", (t) =>
  withFolder((folder) => {
    const source = path.join(folder, "hot.ptx");
    writeFileSync(
      source,
      `.version 8.5
.target sm_80
.address_size 64
.visible .entry hot(.param .u64 x)
{
  .reg .u64 %p; .reg .u32 %i; .reg .f32 %a; .reg .pred %q;
  ld.param.u64 %p, [x];
  mov.u32 %i, 0;
  mov.f32 %a, 0f3F800000;
again:
  fma.rn.f32 %a, %a, %a, 0f3DCCCCCD;
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 1000;
  @%q bra again;
  st.global.f32 [%p], %a;
  ret;
}
`,
    );
    const runs = (...args: readonly string[]): string => {
      const { status, stderr } = spawnSync(process.execPath, [path.join(cli, "main.js"), ...args]);
      return `${status} ${stderr.toString()}`;
    };
    t.is(runs("link", source, "-o", path.join(folder, "image")), "0 ");
    t.is(runs("run", source, "-k", "hot", "-g", "1", "-b", "32", "-a", "f32[32]=0"), "0 ");
  }));
