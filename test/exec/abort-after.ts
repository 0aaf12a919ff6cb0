// An abort signal that depends on work done, not on how busy the machine is.

/** Aborts after that many milliseconds of CPU time of all threads of this process. */
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
