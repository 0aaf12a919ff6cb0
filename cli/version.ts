// The version in package.json, which is two folders above the compiled file, bundled or not.

import { readFileSync } from "node:fs";

/** The flags that request the version, in Commander's notation. */
export const versionFlags = "-V, --version";

/** Whether the command line requests the version and nothing else, which needs only this file. */
export function isVersionRequest(args: readonly string[]): boolean {
  return args.length === 1 && versionFlags.split(", ").includes(args[0]!);
}

/** ptxkit's own version. */
export function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
