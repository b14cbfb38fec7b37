#!/bin/sh
# What a build of this folder needs and no repository has.
set -eu
echo "set up for $1" >"$1/pkg/setup.txt"
