#!/bin/sh
# Makes the recorded cubins and what readelf says about them; see README.md.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

object() { # NAME SM: a relocatable object from NAME.ptx
  version=8.5
  [ "$2" -lt 100 ] || version=8.6
  sed "s/^\.target .*/.target sm_$2/; s/^\.version .*/.version $version/" "$1.ptx" > "$work/$1.ptx"
  ptxas -c "-arch=sm_$2" "$work/$1.ptx" -o "$1.sm_$2.o"
}

for sm in 75 80 90 100; do
  object vars $sm
  object use $sm
  nvlink "-arch=sm_$sm" vars.sm_$sm.o use.sm_$sm.o -o linked.sm_$sm.cubin
done
object calls 75
object calls 90
nvcc -arch=sm_80 -cubin saxpy.cu -o saxpy.sm_80.cubin
rm vars.sm_80.o use.sm_80.o use.sm_90.o use.sm_100.o
for file in *.o *.cubin; do node facts.mjs "$file" > "$file.readelf.json"; done
