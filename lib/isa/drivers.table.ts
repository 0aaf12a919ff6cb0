// The first driver that supports each version of the PTX ISA, and the CUDA toolkit that introduced it: the table of release notes
// (PTX ISA 9.4 chapter 13). A driver rejects modules of later versions ("Unsupported .version 8.7; current version is '8.4'"),
// whatever they contain. If two toolkits introduced one version, the table has the earlier one and its driver.

import type { PtxVersion } from "./targets.table.js";

export interface DriverRelease {
  readonly version: PtxVersion;
  /** "12.8"; absent for PTX 1.5, which only a driver introduced. */
  readonly cuda?: string;
  /** The branch, such as "r570"; absent for the first versions. */
  readonly driver?: string;
}

/** In ascending order of versions. */
export const driverReleases: readonly DriverRelease[] = [
  { version: 10, cuda: "1.0" },
  { version: 11, cuda: "1.1" },
  { version: 12, cuda: "2.0" },
  { version: 13, cuda: "2.1" },
  { version: 14, cuda: "2.2" },
  { version: 15, driver: "r190" },
  { version: 20, cuda: "3.0", driver: "r195" },
  { version: 21, cuda: "3.1", driver: "r256" },
  { version: 22, cuda: "3.2", driver: "r260" },
  { version: 23, cuda: "4.0", driver: "r270" },
  { version: 30, cuda: "4.1", driver: "r285" },
  { version: 31, cuda: "5.0", driver: "r302" },
  { version: 32, cuda: "5.5", driver: "r319" },
  { version: 40, cuda: "6.0", driver: "r331" },
  { version: 41, cuda: "6.5", driver: "r340" },
  { version: 42, cuda: "7.0", driver: "r346" },
  { version: 43, cuda: "7.5", driver: "r352" },
  { version: 50, cuda: "8.0", driver: "r361" },
  { version: 60, cuda: "9.0", driver: "r384" },
  { version: 61, cuda: "9.1", driver: "r387" },
  { version: 62, cuda: "9.2", driver: "r396" },
  { version: 63, cuda: "10.0", driver: "r400" },
  { version: 64, cuda: "10.1", driver: "r418" },
  { version: 65, cuda: "10.2", driver: "r440" },
  { version: 70, cuda: "11.0", driver: "r445" },
  { version: 71, cuda: "11.1", driver: "r455" },
  { version: 72, cuda: "11.2", driver: "r460" },
  { version: 73, cuda: "11.3", driver: "r465" },
  { version: 74, cuda: "11.4", driver: "r470" },
  { version: 75, cuda: "11.5", driver: "r495" },
  { version: 76, cuda: "11.6", driver: "r510" },
  { version: 77, cuda: "11.7", driver: "r515" },
  { version: 78, cuda: "11.8", driver: "r520" },
  { version: 80, cuda: "12.0", driver: "r525" },
  { version: 81, cuda: "12.1", driver: "r530" },
  { version: 82, cuda: "12.2", driver: "r535" },
  { version: 83, cuda: "12.3", driver: "r545" },
  { version: 84, cuda: "12.4", driver: "r550" },
  { version: 85, cuda: "12.5", driver: "r555" },
  { version: 86, cuda: "12.7", driver: "r565" },
  { version: 87, cuda: "12.8", driver: "r570" },
  { version: 88, cuda: "12.9", driver: "r575" },
  { version: 90, cuda: "13.0", driver: "r580" },
  { version: 91, cuda: "13.1", driver: "r590" },
  { version: 92, cuda: "13.2", driver: "r595" },
  { version: 93, cuda: "13.3", driver: "r610" },
  { version: 94, cuda: "13.4", driver: "r615" },
];

/** "driver r570 (CUDA 12.8) or newer"; undefined for a version that is not in the table. */
export function driverOf(version: PtxVersion): string | undefined {
  const release = driverReleases.find((each) => each.version === version);
  if (release === undefined) return undefined;
  const { cuda, driver } = release;
  if (driver === undefined) return `CUDA ${cuda} or newer`;
  return cuda === undefined ? `driver ${driver} or newer` : `driver ${driver} (CUDA ${cuda}) or newer`;
}
