// ptxkit inspect: what is in a file.

import { NotYet } from "../../lib/base/not-yet.js";
import type { CommonOptions } from "../common.js";
import type { Host } from "../host.js";
import type { Status } from "../status.js";

export function inspect(_file: string, _options: CommonOptions, _host: Host): Status {
  throw new NotYet("inspect is not there yet");
}
