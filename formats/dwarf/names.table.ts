// DWARF numbers that a reader of variables needs: tags, attributes, encodings of base types, operations, and NVIDIA's address
// classes. DWARF 4 section 7; the address classes are those of cuda-gdb (PTX Writer's Guide to Interoperability, section 6.2).

/** DW_TAG_*. */
export const TAG = {
  array: 0x01,
  class: 0x02,
  enumeration: 0x04,
  formalParameter: 0x05,
  lexicalBlock: 0x0b,
  member: 0x0d,
  pointer: 0x0f,
  reference: 0x10,
  unit: 0x11,
  structure: 0x13,
  subroutineType: 0x15,
  typedef: 0x16,
  union: 0x17,
  inheritance: 0x1c,
  inlined: 0x1d,
  subrange: 0x21,
  base: 0x24,
  const: 0x26,
  enumerator: 0x28,
  subprogram: 0x2e,
  variable: 0x34,
  volatile: 0x35,
  restrict: 0x37,
  namespace: 0x39,
  void: 0x3b,
  rvalueReference: 0x42,
  atomic: 0x47,
} as const;

/** DW_AT_*. */
export const AT = {
  location: 0x02,
  name: 0x03,
  byteSize: 0x0b,
  bitOffset: 0x0c,
  bitSize: 0x0d,
  lowPc: 0x11,
  highPc: 0x12,
  constValue: 0x1c,
  upperBound: 0x2f,
  abstractOrigin: 0x31,
  artificial: 0x34,
  addressClass: 0x33,
  count: 0x37,
  memberLocation: 0x38,
  declLine: 0x3b,
  encoding: 0x3e,
  specification: 0x47,
  type: 0x49,
  ranges: 0x55,
  dataBitOffset: 0x6b,
} as const;

/** DW_ATE_*. */
export const ATE = {
  boolean: 0x02,
  float: 0x04,
  signed: 0x05,
  signedChar: 0x06,
  unsigned: 0x07,
  unsignedChar: 0x08,
  utf: 0x10,
} as const;

/** DW_OP_*: the operations that an evaluator supports. */
export const OP = {
  addr: 0x03,
  deref: 0x06,
  const1u: 0x08,
  const8s: 0x0f,
  constu: 0x10,
  consts: 0x11,
  dup: 0x12,
  drop: 0x13,
  swap: 0x16,
  minus: 0x1c,
  plus: 0x22,
  plusUconst: 0x23,
  lit0: 0x30,
  lit31: 0x4f,
  regx: 0x90,
  fbreg: 0x91,
  bregx: 0x92,
  nop: 0x96,
  implicitValue: 0x9e,
  stackValue: 0x9f,
} as const;

/** Values of DW_AT_address_class by state space. */
export const ADDRESS_CLASS = { register: 2, const: 4, global: 5, local: 6, param: 7, shared: 8, generic: 12 } as const;
