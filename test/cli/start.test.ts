// How the program starts: which of its two builds runs, the version's short way, and the stack of a defect in a bundle; and
// that the flags it sets for the host's JavaScript engine are ones that this version of it knows, which others speak of.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import test from "ava";
import { codeCacheOf } from "../../cli/bundled.js";
import { originalStack } from "../../cli/stack.js";
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
  /** Beside the bundle, as the code kept of `check`. */
  readonly code?: string | Uint8Array;
}

/** A program of one length, whatever it says. */
const saying = (who: "bundled" | "keptOne"): string =>
  `(() => { const who = "${who}"; return { start: () => { console.log(who); return 5; } }; })`;

/**
 * What V8 compiled of the text and the name under which it is kept, from a process of its own: both depend on V8's flags, which
 * other tests set for a while in this process.
 */
function compiledApart(text: string): { readonly name: string; readonly code: Buffer } {
  const script = `
    import path from "node:path";
    import { Script } from "node:vm";
    import { checkedCode, codeCacheOf } from ${JSON.stringify(pathToFileURL(path.join(cli, "bundled.js")).href)};
    const script = new Script(${JSON.stringify(text)});
    script.runInThisContext()();
    const code = checkedCode(script.createCachedData()).toString("base64");
    console.log(JSON.stringify({ name: path.basename(codeCacheOf(["check"]).pathname), code }));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  const { name, code } = JSON.parse(stdout.toString()) as { name: string; code: string };
  return { name, code: Buffer.from(code, "base64") };
}

const kept = compiledApart(saying("keptOne"));

/** A built program whose parts only say who they are. */
function whoStarts({ bundle, compiler, code }: Built): string {
  return withFolder((root) => {
    const put = (name: string, text: string | Uint8Array, time?: number): void => {
      const file = path.join(root, "dist", name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (time !== undefined) utimesSync(file, time, time);
    };
    writeFileSync(path.join(root, "package.json"), `{ "type": "module", "version": "1.2.3" }`);
    put("cli/start.js", `export const start = () => { console.log("compiled"); return 5; };`);
    if (bundle !== undefined) put("bundle/program.cjs", saying("bundled"), bundle);
    if (code !== undefined) put(`bundle/${kept.name}`, code);
    if (compiler !== undefined) put(".tsbuildinfo", "", compiler);
    for (const name of ["main.js", "bundled.js", "version.js", "stream.js"]) {
      copyFileSync(path.join(cli, name), path.join(root, "dist/cli", name));
    }
    const { status, stdout } = spawnSync(process.execPath, [path.join(root, "dist/cli/main.js"), "check"]);
    return `${stdout.toString().trim()} ${status}`;
  });
}

test("the bundle runs unless it is missing or older than the compiler's output", (t) => {
  t.is(whoStarts({ bundle: 2000, compiler: 1000 }), "bundled 5");
  t.is(whoStarts({ bundle: 2000 }), "bundled 5", "as in a package");
  t.is(whoStarts({ bundle: 1000, compiler: 2000 }), "compiled 5");
  t.is(whoStarts({ compiler: 2000 }), "compiled 5");
});

test("the bundle runs whatever stands where its code is kept", (t) => {
  t.is(whoStarts({ bundle: 2000, code: "" }), "bundled 5");
  t.is(whoStarts({ bundle: 2000, code: "no code" }), "bundled 5");
});

test("kept code runs in the place of the bundle, unless a bit of it is another", (t) => {
  const { code } = kept;
  t.is(whoStarts({ bundle: 2000, code }), "keptOne 5", "V8 knows the program by its length");
  for (const at of [0, code.length >> 1, code.length - 8, code.length - 1]) {
    const damaged = Buffer.from(code);
    damaged[at]! ^= 1;
    t.is(whoStarts({ bundle: 2000, code: damaged }), "bundled 5", `byte ${at}`);
  }
  t.is(whoStarts({ bundle: 2000, code: code.subarray(0, -9) }), "bundled 5");
});

test("code is kept by command, and of no other word", (t) => {
  const name = (...args: string[]): string => path.basename(codeCacheOf(args).pathname).split("-")[0]!;
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
});

test("the version's short way says what the long one says", async (t) => {
  for (const flag of versionFlags.split(", ")) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(cli, "main.js"), flag]);
    t.like(await ptxkit([flag]), { status, out: stdout.toString(), err: stderr.toString() });
    t.is(status, 0);
  }
});

test("a stack names the sources where a source map lies beside the file, and stays as it is elsewhere", (t) =>
  withFolder((folder) => {
    const url = (name: string): string => pathToFileURL(path.join(folder, name)).href;
    const map = { version: 3, sources: ["../lib/a.ts"], names: [], mappings: "AAEC" };
    writeFileSync(path.join(folder, "mapped.js.map"), JSON.stringify(map));
    writeFileSync(path.join(folder, "broken.js.map"), "{");
    const at = (place: string): string => `Error: x\n    at f (${place})\n    at node:internal/y:1:2`;
    t.is(originalStack(at(`${url("mapped.js")}:1:1`)), at(`${new URL("../lib/a.ts", url("mapped.js")).href}:3:2`));
    for (const name of ["broken.js", "plain.js"]) t.is(originalStack(at(`${url(name)}:1:1`)), at(`${url(name)}:1:1`));
  }));

test("nothing but the answer is said, where the engine's flags are set: in a link, and with compiled code", (t) =>
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
