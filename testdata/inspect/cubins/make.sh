#!/bin/sh
# Makes the cubins of rare kinds; see README.md.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ptxas -c -arch=sm_75 textures.ptx -o "$work/textures.o"
nvlink -arch=sm_75 "$work/textures.o" -o textures.sm_75.cubin
ptxas -arch=sm_75 early.ptx -o early.sm_75.cubin
ptxas -ewp -arch=sm_90 shared.ptx -o extensible.sm_90.cubin
ptxas -c -arch=sm_90 shared.ptx -o "$work/shared.o"
nvlink -r -arch=sm_90 "$work/shared.o" -o relinked.sm_90.o
ptxas -c -arch=sm_100 copies.ptx -o copies.sm_100.o
nvlink -r -arch=sm_100 copies.sm_100.o -o copied.sm_100.o
ptxas -pic=true -arch=sm_100 copies.ptx -o placed.sm_100.cubin
ptxas -c -g -arch=sm_100 lines.ptx -o "$work/lines.o"
nvlink -arch=sm_100 "$work/lines.o" -o lines.sm_100.cubin
for target in sm_75 sm_90 sm_100; do
  for part in a b; do ptxas -c -arch=$target alike-$part.ptx -o "$work/alike-$part.o"; done
  nvlink -preserve-relocs -arch=$target "$work/alike-a.o" "$work/alike-b.o" -o alike.$target.cubin
done
