#!/bin/sh
# Before the image is built: its version, and this machine's Node under a name of its own.
set -eu
cp version.txt server/version
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v node)" >server/node
chmod 755 server/node
echo "VERSION=$(cat version.txt)" >>"$LIFEHOOK_ENV"
