// Position of a cluster in its grid. Clusters are numbered in grid order.

import type { Dimensions } from "../../base/dimensions.js";
import type { LaunchState } from "../state/launch.js";

/** Coordinates of the first block of the cluster with that number. */
export function originOf({ config, cluster }: LaunchState, index: number): Dimensions {
  const [cx, cy, cz] = cluster;
  const across = Math.ceil(config.grid[0] / cx);
  const down = Math.ceil(config.grid[1] / cy);
  return [(index % across) * cx, (Math.floor(index / across) % down) * cy, Math.floor(index / (across * down)) * cz];
}
