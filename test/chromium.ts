// Runs a page in headless chromium, for tests of browsers. A server in this process serves its files, and the page
// posts its results. Without chromium these tests are skipped (tools.ts).

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { requirement } from "./tools.js";

/** The program, by its name on different systems; undefined if there is none. */
export const chromium: string | undefined = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => path.join(folder, name)))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

export const hasChromium = requirement(chromium !== undefined, "chromium is not installed");

/** The bundled script of pages with charts. */
export async function viewerScript(): Promise<string> {
  const { bundleViewer } = (await import(new URL("../../.ci/viewer.mjs", import.meta.url).href)) as {
    bundleViewer: () => Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
  };
  const [viewer] = (await bundleViewer()).outputFiles;
  return viewer!.text;
}

/** The page's document after its scripts have run. */
export function documentAfterScripts(page: string): { readonly html: string; readonly log: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-page-"));
  try {
    const file = path.join(folder, "page.html");
    writeFileSync(file, page);
    const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"];
    const { stdout, stderr } = spawnSync(
      chromium!,
      [...options, `--user-data-dir=${folder}/profile`, "--dump-dom", `file://${file}`],
      { encoding: "utf8", timeout: 90_000, maxBuffer: 2 ** 26, env: { ...process.env, TMPDIR: folder } },
    );
    return { html: stdout, log: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Type and content of a page's files, by path. */
export type PageFiles = Readonly<Record<string, readonly [type: string, content: string | Uint8Array]>>;

/** Milliseconds until a page counts as hanging, even on a busy machine. */
const PATIENCE = 600_000;

/** Runs the module in a page and returns, as JSON, what its default export resolves to. Throws its exceptions. */
export async function inChromium(module: string, files: PageFiles): Promise<unknown> {
  const runner = `
    import(${JSON.stringify("/module.js")})
      .then(async ({ default: work }) => ({ value: await work() }), (error) => ({ thrown: String(error?.stack ?? error) }))
      .catch((error) => ({ thrown: String(error?.stack ?? error) }))
      .then((answer) => fetch("/answer", { method: "POST", body: JSON.stringify(answer) }));`;
  const served: PageFiles = {
    "/": ["text/html", `<!doctype html><title>test</title><script type="module">${runner}</script>`],
    "/module.js": ["text/javascript", module],
    ...files,
  };
  const profile = mkdtempSync(path.join(tmpdir(), "ptxkit-chromium-"));
  const { promise, resolve, reject } = withResolvers<{ readonly value?: unknown; readonly thrown?: string }>();
  const server = createServer((request, response) => {
    if (request.url === "/answer") void answerOf(request, response).then(resolve, reject);
    else serve(served, request.url ?? "", response);
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const child = spawn(chromium!, [...options, `http://127.0.0.1:${port}/`], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TMPDIR: profile },
  });
  let said = "";
  child.stderr.on("data", (more: Buffer) => (said += more.toString()));
  const ended = new Promise<void>((done) => void child.once("close", () => done()));
  void ended.then(() => reject(new Error(`chromium has ended:\n${said.slice(-2000)}`)));
  const timer = setTimeout(() => reject(new Error(`no answer of the page:\n${said.slice(-2000)}`)), PATIENCE);
  try {
    const { value, thrown } = await promise;
    if (thrown !== undefined) throw new Error(thrown);
    return value;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function withResolvers<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

async function answerOf(request: IncomingMessage, response: ServerResponse): Promise<{ readonly value?: unknown }> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  response.end();
  return JSON.parse(Buffer.concat(parts).toString()) as { readonly value?: unknown };
}

function serve(files: PageFiles, url: string, response: ServerResponse): void {
  const file = files[url];
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": file[0] }).end(file[1]);
}
