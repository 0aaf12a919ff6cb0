// Multiplications of a warpgroup that are under way: PTX ISA 9.0 section 9.7.15.7. What is not committed is the open group; wait_group
// completes all groups but the last so many, in order. Each completes at the wait, the last moment that a correct program
// allows: its results and its reads of shared memory and registers come then, so that a forgotten wait shows.

/** Runs one multiplication. */
export type Completion = () => void;

export interface ProductGroups {
  open: Completion[];
  readonly committed: Completion[][];
}

export const createGroups = (): ProductGroups => ({ open: [], committed: [] });

/** wgmma.commit_group: the open group is closed, an empty one too. */
export function commitGroup(groups: ProductGroups): void {
  groups.committed.push(groups.open);
  groups.open = [];
}

/** wgmma.wait_group: until at most `pending` groups are under way. */
export function waitForGroups({ committed }: ProductGroups, pending: number): void {
  while (committed.length > pending) for (const complete of committed.shift()!) complete();
}
