#!/bin/sh
# Runs before the build: adds the version and a program that starts the Node of this machine.
set -eu
cp version.txt server/version
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v node)" >server/node
chmod 755 server/node
echo "VERSION=$(cat version.txt)" >>"$LIFEHOOK_ENV"
