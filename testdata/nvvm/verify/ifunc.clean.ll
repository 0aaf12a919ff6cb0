define i8* @r() {
  ret i8* null
}
@h = alias i8* (), i8* ()* @r
