#!/bin/sh
# Makes everything here again, with nvcc and ptxas of CUDA 13.0.88 and readelf 2.40.
set -e
nvcc -fatbin --compress-mode=size -gencode arch=compute_80,code=sm_80 -gencode 'arch=compute_90,code=[sm_90,compute_90]' \
  unlike.cu -o unlike.fatbin
# Without the folder in which it is made.
nvcc -ptx -lineinfo -arch=sm_90 inlined.cu -o - | sed "s#$PWD/##" >inlined.tmp
ptxas -lineinfo -arch=sm_90 inlined.tmp -o inlined.sm_90.cubin
rm inlined.tmp
readelf --debug-dump=decodedline inlined.sm_90.cubin 2>/dev/null |
  sed -nE 's/^(\S+)\s+([0-9]+)\s+(0x[0-9a-f]+|0)(\s.*|)$/\1 \2 \3/p' >inlined.readelf.txt
