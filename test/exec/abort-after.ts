// A signal that is given when this process has worked for some time: how soon it comes hangs on the work that was done, not on
// what else the machine has to do.

/** Aborted after so many milliseconds of CPU time of all threads of this process. */
export function abortAfter(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const started = process.cpuUsage();
  const look = (): void => {
    const { user, system } = process.cpuUsage(started);
    if (user + system >= milliseconds * 1000) controller.abort();
    else setTimeout(look, 1);
  };
  look();
  return controller.signal;
}
