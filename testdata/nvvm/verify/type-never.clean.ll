@v = addrspace(1) global double 0.0
