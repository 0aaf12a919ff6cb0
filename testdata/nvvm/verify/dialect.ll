define void @f() {
  call void asm sideeffect inteldialect "bar.sync 0;", ""()
  ret void
}
; expected: nvvm-asm 2:28
