@v = addrspace(1) global fp128 0xL00000000000000000000000000000000
; expected: nvvm-type 1:26
