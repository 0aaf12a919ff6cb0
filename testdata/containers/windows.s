.section __nv_relfatbin,"dr"
.balign 8
.incbin "rel.tmp"
.section .nv_fatbin,"dr"
.balign 8
zeros: .quad 0
linked: .incbin "linked.tmp"
.section .nvFatBinSegment,"dw"
.long 0x466243b1, 2
.quad linked, 0
.text
.globl main
main: ret
