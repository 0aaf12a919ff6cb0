// The optional package graphile-worker. In a file of its own: importing it loads the package, or fails if that is not installed.

export { Logger, makeWorkerUtils, run } from "graphile-worker";
