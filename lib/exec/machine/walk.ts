// The lanes of a mask, for code that is not hot; hot loops test the mask's bits themselves.

/** Lane numbers of the bits that are set, in ascending order. */
export function lanesIn(mask: number): readonly number[] {
  const lanes: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) lanes.push(31 - Math.clz32(rest & -rest));
  return lanes;
}
