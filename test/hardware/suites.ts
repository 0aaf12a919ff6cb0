// Every suite of hardware records, in the order in which they run.

import { approxSuite } from "./approx.js";
import { memorySuite } from "./memory.js";
import { scalar } from "./scalar.js";
import type { Suite } from "./suite.js";
import { everyTensorRecord } from "./tensor.js";

export const suites: readonly Suite[] = [scalar, approxSuite, memorySuite, everyTensorRecord];
