// Patterns of selectors, which follow an operand after a dot: usually the bytes or half-words of a video instruction's register.
// PTX ISA 9.0 section 9.7.18. Patterns, because there are 4096 ways to select four of eight bytes.

export const selectorSets: Readonly<Record<string, RegExp>> = {
  /** One byte or half-word of a scalar video operand. */
  part: /^(?:b[0-3]|h[01])$/,
  /** Two of the four half-words of a pair of operands. */
  halves: /^h[0-3]{2}$/,
  /** Four of the eight bytes of a pair of operands. */
  bytes: /^b[0-7]{4}$/,
  /** The half-words of the destination that are written. */
  halfmask: /^h(?:0|1|10)$/,
  /** The bytes of the destination that are written, high ones first. */
  bytemask: /^b(?=[0-3])3?2?1?0?$/,
  /** `ld.global.u32 d, [a].unified`: the address has the same contents on all GPUs (section 9.7.9.8). */
  unified: /^unified$/,
};
