define i8* @r() {
  ret i8* null
}
@h = ifunc void (), i8* ()* @r
; expected: nvvm-unsupported 4:1
