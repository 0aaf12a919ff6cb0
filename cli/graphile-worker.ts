// The optional package graphile-worker, in a file of its own: importing this one loads it, or fails where it is not installed.

export { Logger, makeWorkerUtils, run } from "graphile-worker";
