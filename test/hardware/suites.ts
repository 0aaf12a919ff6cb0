// Every suite of hardware records, in the order in which they run.

import type { Suite } from "./suite.js";

export const suites: readonly Suite[] = [];
