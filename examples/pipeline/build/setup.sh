#!/bin/sh
# Creates a file that the build of this directory needs, and that is not in the repository.
set -eu
echo "set up for $1" >"$1/pkg/setup.txt"
