.section __NV_CUDA,__nv_relfatbin
.p2align 3
.incbin "rel.tmp"
.section __NV_CUDA,__nv_fatbin
.p2align 3
.quad 0
linked: .incbin "linked.tmp"
.section __NV_CUDA,__fatbin
.long 0x466243b1, 2
.quad linked, 0
.text
.globl _main
_main: ret
