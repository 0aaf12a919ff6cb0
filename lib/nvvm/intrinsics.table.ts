// Every known intrinsic function: its name, signature and lowering (NVVM IR 1.0 chapters 9 and 13; LLVM Language Reference;
// names of LLVM 3.2 to 21). Syntax of rows and templates: intrinsics/row.ts.

import { once } from "../base/once.js";
import { arithmeticRows } from "./intrinsics/arithmetic.table.js";
import { convertRows } from "./intrinsics/convert.table.js";
import { generalRows } from "./intrinsics/general.table.js";
import { matrixRows } from "./intrinsics/matrix.table.js";
import { memoryRows } from "./intrinsics/memory.table.js";
import type { IntrinsicRow } from "./intrinsics/row.js";
import { tcgen05Rows } from "./intrinsics/tcgen05.table.js";
import { textureRows } from "./intrinsics/texture.table.js";
import { threadRows } from "./intrinsics/threads.table.js";

export const intrinsicRows = once((): readonly IntrinsicRow[] => [
  ...generalRows,
  ...arithmeticRows,
  ...convertRows,
  ...threadRows,
  ...memoryRows,
  ...matrixRows(),
  ...textureRows,
  ...tcgen05Rows,
]);
