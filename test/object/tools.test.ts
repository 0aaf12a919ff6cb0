import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { installed, testWith } from "../tools.js";
import { richModule } from "./samples.js";

// Other tools read our objects; their answer is one word, so nothing is recorded.

function run(tool: string, options: readonly string[], sm: string): { status: number | null; said: string } {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-tools-"));
  try {
    const file = join(folder, "m.o");
    writeFileSync(file, writeObject(assemble(richModule(sm))));
    const { status, stderr } = spawnSync(tool, [...options, file], { encoding: "utf8", cwd: folder });
    return { status, said: stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

testWith(installed("nvlink"))("nvlink refuses our objects", (t) => {
  const answer = run("nvlink", ["-arch=sm_75", "-o", "out"], "sm_75");
  t.is(answer.status, 1);
  t.regex(answer.said, /abi does not match/);
});

testWith(installed("readelf"))(
  "readelf reads our objects, with no complaint but the one that it has about every cubin",
  (t) => {
    const answer = run("readelf", ["-aW"], "sm_90a");
    t.is(answer.status, 0);
    const complaints = answer.said.split("\n").filter((line) => line !== "" && !line.includes("Unexpected value"));
    t.deepEqual(complaints, []);
  },
);

testWith(installed("llvm-readobj-14"))("llvm-readobj reads our objects without complaint", (t) => {
  const answer = run("llvm-readobj-14", ["-a"], "sm_75");
  t.deepEqual([answer.status, answer.said], [0, ""]);
});
