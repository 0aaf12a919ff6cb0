// Zero, for fields that become fractions. The host stores whole numbers differently, and at the first fraction discards all code
// that reads the field. Minus zero is stored as fractions are.

export const DOUBLE_ZERO = -0;
