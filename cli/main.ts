#!/usr/bin/env node
// The program. Everything is in program.ts, so that tests can run it without a process of its own.

import { nodeHost } from "./host.js";
import { runProgram } from "./program.js";

process.exitCode = await runProgram(process.argv.slice(2), nodeHost());
