// Tests that need what not every machine has: a tool, a device, a file of the CUDA toolkit. Without it they are
// skipped, with the reason in the title. Their records are in testdata, and other tests compare with these everywhere.

import { existsSync } from "node:fs";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { isInstalled } from "./installed.js";

/** A need of a test, and the reason for skipping the test without it. */
export interface Requirement {
  readonly isMet: boolean;
  readonly otherwise: string;
}

export const requirement = (isMet: boolean, otherwise: string): Requirement => ({ isMet, otherwise });

type Declare = (title: string, body: (t: ExecutionContext) => unknown) => void;

/** `test` if all requirements are met, otherwise `test.skip` with the reasons in the title. */
export function testWith(...needs: readonly Requirement[]): Declare {
  const reasons = needs.filter(({ isMet }) => !isMet).map(({ otherwise }) => otherwise);
  if (reasons.length === 0) return test;
  return (title, body) => test.skip(`${title} (skipped: ${reasons.join("; ")})`, body);
}

export function installed(...tools: readonly string[]): Requirement {
  const missing = tools.filter((tool) => !isInstalled(tool));
  return requirement(
    missing.length === 0,
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} not installed`,
  );
}

/** The folder of the CUDA toolkit that contains a file, given relative to it; undefined if none does. */
export const cudaHome = (file: string): string | undefined =>
  [process.env["CUDA_HOME"], process.env["CUDA_PATH"], "/usr/local/cuda"].find(
    (folder) => folder !== undefined && folder !== "" && existsSync(path.join(folder, file)),
  );

const LIBDEVICE = "nvvm/libdevice/libdevice.10.bc";
const libdeviceHome = cudaHome(LIBDEVICE);

/** The toolkit's libdevice. */
export const libdevice: string | undefined = libdeviceHome && path.join(libdeviceHome, LIBDEVICE);
export const hasLibdevice = requirement(
  libdevice !== undefined,
  "libdevice.10.bc is not in CUDA_HOME, CUDA_PATH or /usr/local/cuda",
);

export const hasNamedPipes = requirement(process.platform !== "win32", "Windows has no mkfifo");

/** /dev/zero, /dev/full and the like. */
export const hasDevices = (...files: readonly string[]): Requirement => {
  const missing = files.filter((file) => !existsSync(file));
  return requirement(missing.length === 0, `this system has no ${missing.join(" and ")}`);
};
