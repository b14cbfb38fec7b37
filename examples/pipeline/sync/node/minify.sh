#!/bin/sh
# Removes comments and empty lines: minify.sh FROM TO
set -eu
mkdir -p "$2"
for file in "$1"/*.js; do
  sed -e 's|[[:space:]]*//.*$||' -e '/^[[:space:]]*$/d' "$file" >"$2/${file##*/}"
done
echo "minified into $2"
