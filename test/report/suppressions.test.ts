// Which findings a suppressions file leaves out.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import type { Finding } from "../../lib/exec/sanitize/finding.js";
import { readSuppressions } from "../../lib/report/suppressions.js";

const finding = (kind: Finding["kind"], kernel: string, line: number): Finding => ({
  kind,
  kernel,
  message: "m",
  remedy: "r",
  block: [0, 0, 0],
  thread: [0, 0, 0],
  file: "src/scan.cu",
  line,
  ptx: { file: "scan.ptx", line: 10 * line, column: 1, instruction: "" },
  count: 1,
});

const all = [finding("race", "scanUp", 14), finding("race", "sort", 14), finding("leak", "scanUp", 3)];

function kept(text: string): readonly number[] {
  const answer = readSuppressions("s.txt", text, createSink())!.apply(all);
  return [answer.suppressed, ...answer.kept.map((one) => all.indexOf(one))];
}

test("rules name kinds, kernels and places; trailing words may be omitted", (t) => {
  t.deepEqual(kept(""), [0, 0, 1, 2]);
  t.deepEqual(kept("# nothing\n\nrace # all of them"), [2, 2]);
  t.deepEqual(kept("race scan*"), [1, 1, 2]);
  t.deepEqual(kept("* * scan.cu:14"), [2, 2]);
  t.deepEqual(kept("* * src/scan.cu:3\nrace sort"), [2, 0]);
  t.deepEqual(kept("race * scan.ptx:140"), [2, 2]);
  t.deepEqual(kept("race * scan.cu:15"), [0, 0, 1, 2]);
  // Words of earlier versions mean the same.
  t.deepEqual(kept("heap-leak\nbeyond-object"), [1, 0, 1]);
});

test("a line that is not a rule is reported with its place", (t) => {
  for (const [text, message] of [
    ["race\nraces k", "there is no kind of finding 'races'"],
    ["race k f:1 more", "'more' is more than kind, kernel and place"],
  ] as const) {
    const sink = createSink();
    t.is(readSuppressions("s.txt", text, sink), undefined);
    t.deepEqual(
      sink.all.map(({ code, message: said }) => [code, said]),
      [["suppressions", message]],
    );
  }
});
