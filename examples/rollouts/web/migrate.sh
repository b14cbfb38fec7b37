#!/bin/sh
# The hook of every stage. It runs migrations/VERSION/STAGE.sql in one transaction, if it has the newest fencing token
# and the schema is that of the version before. `psql` exits with 3 if a statement of a file fails.
set -eu
cd "$(dirname "$0")/migrations"
version=$(cat ../version)
stage=$LIFEHOOK_STAGE
token=$LIFEHOOK_FENCING_TOKEN
export PGAPPNAME="migration to v$version"
export PGOPTIONS="-c client_min_messages=warning -c shop.version=$version -c shop.stage=$stage -c shop.token=$token"
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

sql -f claim.sql
is=$(sql -c 'SELECT version FROM schema_state')
if [ "$stage" = post ]; then
  sql -f verify.sql
  echo "the schema is v$version, and all rows are there"
elif [ "$is" -eq "$version" ]; then
  echo "the schema is v$version already"
elif [ "$is" -ne $((version - 1)) ]; then
  echo "the schema is v$is: from there is no way to v$version" >&2
  exit 1
elif [ -f "$version/$stage.sql" ]; then
  set -- -f begin.sql
  [ "$stage" != mid ] || set -- "$@" -f alone.sql
  sql --single-transaction "$@" -f "$version/$stage.sql" -f end.sql
  echo "v$version: $stage is done, as $token"
fi
