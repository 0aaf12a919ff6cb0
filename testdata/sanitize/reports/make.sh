#!/bin/sh
# Makes the .ptx files of this folder, or of those given: nvcc 13.0, with the folders of .file cut.
for file in "${@:-*.cu}"; do
  for each in $file; do
    nvcc -arch=sm_90 -lineinfo -ptx "$each" -o "${each%.cu}.ptx" || exit 1
    sed -i -E 's#^(\t\.file\t[0-9]+ )".*/([^/]*)"#\1"\2"#' "${each%.cu}.ptx"
  done
done
