// A PostgreSQL server for a test, in a temporary folder. PostgreSQL refuses to run as root, so for root it runs as
// another user. Without PostgreSQL these tests are skipped (tools.ts).

import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { requirement, type Requirement } from "./tools.js";

/** The folder of the newest version's programs, in Debian's place or in PATH. */
function programFolder(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [
    ...versions.map((version) => path.join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ].find((folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "pg_ctl")));
}

const folder = programFolder();

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The server's user: this process's, unless that is root. */
function serverUser(): User | undefined {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 0 };
  if (!existsSync("/etc/passwd")) return undefined;
  const entries = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const entry = ["postgres", "nobody"].map((name) => entries.find(([each]) => each === name)).find(Boolean);
  return entry && { uid: Number(entry[2]), gid: Number(entry[3]) };
}

const user = serverUser();

export const hasPostgres: Requirement = requirement(
  folder !== undefined && user !== undefined,
  folder === undefined ? "PostgreSQL is not installed" : "PostgreSQL has no user to run as",
);

export interface Postgres {
  readonly url: string;
  stop(): void;
}

export async function startPostgres(): Promise<Postgres> {
  const isRoot = process.getuid?.() === 0;
  // Only root may use the temporary folder of a test run, and the server is another user's.
  const place = mkdtempSync(path.join(isRoot ? "/tmp" : tmpdir(), "ptxkit-postgres-"));
  if (isRoot) chownSync(place, user!.uid, user!.gid);
  const data = path.join(place, "data");
  const run = (program: string, ...args: readonly string[]): void => {
    const { status, stderr, stdout, error } = spawnSync(path.join(folder!, program), args, {
      ...user!,
      cwd: place,
      encoding: "utf8",
      // The server would keep a pipe open.
      stdio: program === "pg_ctl" ? "ignore" : "pipe",
    });
    if (status !== 0) throw new Error(`${program}: ${error?.message ?? `${stdout}${stderr}`}`);
  };
  const port = await freePort();
  const settings = `-F -c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c shared_buffers=16MB`;
  try {
    run("initdb", "-D", data, "-U", "sweeper", "--auth=trust", "-E", "UTF8", "--no-sync", "--no-instructions");
    run("pg_ctl", "-D", data, "-l", path.join(place, "log"), "-w", "-t", "300", "-o", settings, "start");
  } catch (error) {
    const log = path.join(place, "log");
    const message = existsSync(log) ? readFileSync(log, "utf8") : (error as Error).message;
    rmSync(place, { recursive: true, force: true });
    throw new Error(message, { cause: error });
  }
  let isStopped = false;
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop");
    rmSync(place, { recursive: true, force: true });
  };
  // Otherwise it would outlive a test that crashes.
  process.once("exit", stop);
  return {
    url: `postgres://sweeper@127.0.0.1:${port}/postgres`,
    stop,
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
