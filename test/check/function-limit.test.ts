// A module has a bounded number of functions, so that every input is answered in time.

import test from "ava";
import { withinFunctionLimit } from "../../lib/check/limits.js";
import type { Reporter } from "../../lib/check/reporter.js";
import type { ModuleItem } from "../../lib/ptx/tree.js";

test("the first function past the limit is reported, and those after it are not checked", (t) => {
  const said: string[] = [];
  const reporter = { report: (code: string) => void said.push(code) } as unknown as Reporter;
  const body = { kind: "function", body: {} } as unknown as ModuleItem;
  const prototype = { kind: "function" } as unknown as ModuleItem;
  const most = 2 ** 17;
  const allowed = [prototype, ...new Array<ModuleItem>(most).fill(body), prototype];
  t.is(withinFunctionLimit(allowed, reporter), allowed);
  t.deepEqual(said, []);
  t.is(withinFunctionLimit([...allowed, body, body], reporter).length, most + 2);
  t.deepEqual(said, ["too-many-functions"]);
});
