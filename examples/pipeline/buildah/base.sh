#!/bin/sh
# Builds the base image `busybox` of the Dockerfiles from the busybox of this machine, so nothing is fetched.
set -eu
busybox=$(command -v busybox)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
cp "$busybox" "$folder/bin/busybox"
for name in $("$busybox" --list); do
  [ "$name" = busybox ] || ln -s busybox "$folder/bin/$name"
done
printf 'FROM scratch\nCOPY bin /bin\n' >"$folder/Dockerfile"
buildah build --quiet --tag localhost/busybox "$folder"
