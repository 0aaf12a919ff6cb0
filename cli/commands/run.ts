// ptxkit run: load and execute.

import { NotYet } from "../../lib/base/not-yet.js";
import type { CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import type { Status } from "../status.js";

export function run(_inputs: readonly string[], _options: CommonOptions, _host: Host): Status {
  throw new NotYet("run is not there yet");
}
