// multimem: PTX ISA 9.0 section 9.7.9.14. On one device a multimem address has a single copy of the memory: a reducing load
// returns its value, stores and reductions act on it.

import { atomicMeanings } from "./atomic.js";
import type { Meanings } from "./meaning.js";
import { memoryMeanings } from "./memory.js";

export const multimemMeanings: Meanings = {
  "multimem.ld_reduce": memoryMeanings["ld"]!,
  "multimem.ld_reduce.float": memoryMeanings["ld"]!,
  "multimem.st": memoryMeanings["st"]!,
  "multimem.st.float": memoryMeanings["st"]!,
  "multimem.red": atomicMeanings["red"]!,
  "multimem.red.float": atomicMeanings["red"]!,
};
