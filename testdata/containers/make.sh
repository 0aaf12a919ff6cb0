#!/bin/sh
# Makes everything here again, with nvcc, fatbinary and nvlink of CUDA 13.0.88, GNU ar and ld 2.40, llvm-ar 14, zstd 1.5.4; and what is named below.
# The thin archives name files beside them.
set -e
ptx90='-gencode arch=compute_90,code=compute_90'

nvcc -dc $ptx90 scale.cu -o scale.o
nvcc -dc -gencode arch=compute_75,code=compute_75 -gencode 'arch=compute_90,code=[sm_90,compute_90]' twice.cu -o twice.o
nvcc -dc -gencode arch=compute_90,code=sm_90 twice.cu -o twice.sass.o
nvcc -dc -gencode arch=compute_90,code=lto_90 twice.cu -o twice.lto.o
nvcc -dc --compress-mode=none -gencode arch=compute_90,code=lto_90 twice.cu -o twice.lto.raw.o
ld -r scale.o twice.o -o both.o
nvcc -dlink -gencode arch=compute_90,code=sm_90 scale.o twice.o -o linked.tmp
ld -static --unresolved-symbols=ignore-all -e 0 scale.o twice.o linked.tmp -o program
nvcc -c $ptx90 scale.alone.cu -o whole.o

nvcc -ptx -dc -arch=compute_75 twice.cu -o twice.sm_75.ptx
nvcc -ptx -dc -arch=compute_90 twice.cu -o twice.sm_90.ptx
nvcc -cubin -dc -arch=sm_90 twice.cu -o twice.sm_90.cubin
for mode in none speed balance size default; do
  fatbinary --create twice.$mode.fatbin -64 --compress-mode=$mode --cmdline=--compile-only \
    --image3=kind=elf,sm=90,file=twice.sm_90.cubin \
    --image3=kind=ptx,sm=75,file=twice.sm_75.ptx --image3=kind=ptx,sm=90,file=twice.sm_90.ptx
done
fatbinary --create named.fatbin -64 -g -c --ident=src/twice.cu --cmdline=-O1 --compress-all --compress-mode=speed \
  --image3=kind=elf,sm=90,file=twice.sm_90.cubin --image3=kind=ptx,sm=90a,file=twice.sm_90.ptx \
  --image3=kind=ptx,sm=100f,file=twice.sm_90.ptx
fatbinary --create empty.fatbin

rm -f ./*.a
ar rcsD gnu.a scale.o twice.o a-member-with-a-long-name.ptx
ar rcsDT thin.a scale.o twice.o
ar rcSDT nested.a gnu.a
ar rcSD unindexed.a scale.o twice.o
llvm-ar --format=gnu rcsD llvm.a scale.o a-member-with-a-long-name.ptx
llvm-ar --format=bsd rcsD bsd.a scale.o a-member-with-a-long-name.ptx
llvm-ar --format=darwin rcsD darwin.a scale.o a-member-with-a-long-name.ptx

text='seq -f %g:_the_quick_brown_fox 1 7000'
$text | zstd -19 --no-check -c > numbers.19.zst
zstd -9 -c ../cubins/linked.sm_75.cubin > cubin.9.zst
zstd --fast=5 -c ../cubins/linked.sm_75.cubin > cubin.fast.zst
head -c 300000 /dev/zero | zstd -3 -c > zeros.3.zst

# Files of Windows and macOS with the fatbins of both.o and program: binutils-mingw-w64 2.40, llvm-mc, llvm-lipo and lld 14.
objcopy --dump-section __nv_relfatbin=rel.tmp both.o /dev/null
objcopy --dump-section .nv_fatbin=linked.tmp program /dev/null
x86_64-w64-mingw32-as windows.s -o windows.obj
x86_64-w64-mingw32-as -mbig-obj windows.s -o windows.big.obj
x86_64-w64-mingw32-ld -s --no-insert-timestamp -e main windows.obj -o windows.exe
lld-link /dll /noentry /timestamp:0 /out:windows.dll windows.obj
rm -f windows.lib
llvm-mc -triple x86_64-apple-macos10.13 -filetype=obj macos.s -o x86.tmp
llvm-mc -triple arm64-apple-macos11 -filetype=obj macos.s -o arm.tmp
llvm-lipo -create x86.tmp arm.tmp -output macos.universal.o
ld64.lld -arch x86_64 -platform_version macos 10.13 10.13 -dylib -o macos.dylib x86.tmp
rm -f ./*.tmp
