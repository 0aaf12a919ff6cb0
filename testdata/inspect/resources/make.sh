#!/bin/sh
# What ptxas 13.0.88 says of kernels.cu, and the cubins: usage.txt has a heading for each file.
set -e
rm -f usage.txt
for sm in 75 90 100; do
  echo "kernels.sm_$sm.cubin" >>usage.txt
  nvcc -cubin -arch=sm_$sm --resource-usage kernels.cu -o kernels.sm_$sm.cubin 2>&1 |
    grep -E 'gmem|entry function|Used|Function properties|stack frame' >>usage.txt
done
nvcc -fatbin -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=[sm_90,compute_90] kernels.cu -o kernels.fatbin
