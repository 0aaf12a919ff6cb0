// The progress line of a long run: on a terminal, after some time, and removed at the end.

import test from "ava";
import type { Host } from "../../cli/files/host.js";
import { createProgress } from "../../cli/terminal/progress.js";

function written(columns: number | undefined, times: readonly number[], environment: Host["environment"] = {}): string {
  let text = "";
  let at = 0;
  const host = { errColumns: columns, environment, err: (more: string) => void (text += more) } as unknown as Host;
  const progress = createProgress(host, "files", () => times[at++]!);
  for (let done = 0; done < times.length - 1; done++) progress.update("checking a.ptx", done, 9);
  progress.clear();
  return text;
}

test("progress appears after half a second, updates ten times a second, and disappears", (t) => {
  const text = written(80, [0, 10, 499, 510, 550, 620]);
  t.deepEqual(text.match(/\d of 9 files/g), ["2 of 9 files", "4 of 9 files"]);
  t.true(text.endsWith("\r\u001b[K"));
});

test("a quick run, one without a terminal and one on a dumb terminal show nothing", (t) => {
  t.is(written(80, [0, 10, 20]), "");
  t.is(written(undefined, [0, 1000, 2000]), "");
  t.is(written(80, [0, 1000, 2000], { TERM: "dumb" }), "");
});
