// Maps registers of threads to cells of tensor memory: PTX ISA 9.0 section 9.7.16.2.3.1, by its figures. Rows count from the
// address's lane, columns from its column.

export type Cell = (register: number, thread: number) => readonly [row: number, column: number];

export interface MoveShape {
  /** Lanes of tensor memory that a warp moves. */
  readonly rows: number;
  readonly cell: Cell;
}

/** For 16x32bx2, the cells of the lower threads. The upper threads' are as many columns later as the instruction says. */
export function moveShape(shape: string): MoveShape {
  switch (shape) {
    case "32x32b":
      return { rows: 32, cell: (r, t) => [t, r] };
    case "16x64b":
      return { rows: 16, cell: (r, t) => [(t >> 2) + 8 * (t & 1), ((t >> 1) & 1) + 2 * r] };
    case "16x128b":
      return { rows: 16, cell: (r, t) => [(t >> 2) + 8 * (r & 1), (t & 3) + 4 * (r >> 1)] };
    case "16x256b":
      return { rows: 16, cell: (r, t) => [(t >> 2) + 8 * ((r >> 1) & 1), 2 * (t & 3) + (r & 1) + 8 * (r >> 2)] };
    default:
      return { rows: 16, cell: (r, t) => [t & 15, r] };
  }
}
