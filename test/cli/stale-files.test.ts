// Temporary files of killed processes are removed, and nothing else is (cli/files/stale-files.ts).

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { nodeHost } from "../../cli/files/host.js";
import { createStaleFileSweep } from "../../cli/files/stale-files.js";

function withFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-faults-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const names = (folder: string): readonly string[] => readdirSync(folder).toSorted();

test("files that a killed process left are removed after an hour, those of a running process are not", (t) =>
  withFolder((folder) => {
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const old = new Date(Date.now() - 2 * 3_600_000);
    const left = [
      { name: `.ptxkit-${dead}-a1`, isOld: true },
      { name: `.ptxkit-${dead}-b2`, isOld: false },
      { name: `.ptxkit-${process.pid}-c3`, isOld: true },
      { name: `.ptxkit-${dead}`, isOld: true },
    ];
    for (const { name, isOld } of left) {
      writeFileSync(path.join(folder, name), "");
      if (isOld) utimesSync(path.join(folder, name), old, old);
    }
    // A folder with such a name does not prevent the removal of the rest.
    for (const name of [`.ptxkit-${dead}-0`, `.ptxkit-${dead}-z`]) {
      mkdirSync(path.join(folder, name));
      utimesSync(path.join(folder, name), old, old);
    }
    const others = names(folder).filter((name) => name !== left[0]!.name);
    nodeHost().write(path.join(folder, "x"), "new");
    t.deepEqual(names(folder), [...others, "x"].toSorted());
  }));

test("the age of a leftover file is measured by its folder's clock; a folder is scanned once", (t) =>
  withFolder((folder) => {
    const at = (name: string): string => path.join(folder, name);
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    const put = (name: string, time: Date): void => {
      writeFileSync(at(name), "");
      utimesSync(at(name), time, time);
    };
    // The file server's clock is two hours behind.
    put("written", hoursAgo(2));
    put(`.ptxkit-${dead}-new`, hoursAgo(2.5));
    put(`.ptxkit-${dead}-old`, hoursAgo(3.5));
    const sweep = createStaleFileSweep();
    sweep(at("written"));
    t.deepEqual(names(folder), [`.ptxkit-${dead}-new`, "written"]);
    put(`.ptxkit-${dead}-old`, hoursAgo(9));
    sweep(at("written"));
    t.is(names(folder).length, 3);
    createStaleFileSweep()(at("written"));
    t.is(names(folder).length, 2);
  }));
