#!/bin/sh
# Tests the deployment: it is ready, since this hook runs after the status check, and it is of this run.
set -eu
namespace=${SKAFFOLD_NAMESPACES%%,*}
label='{.metadata.labels.skaffold\.dev/run-id}'
deployed=$(kubectl get deployment web --namespace "$namespace" -o "jsonpath=$label")
if [ "$deployed" != "$SKAFFOLD_RUN_ID" ]; then
  echo "the deployment is of the run $deployed" >&2
  exit 4
fi
if [ "${FAIL:-}" = after ]; then
  echo 'the tests after the deployment fail' >&2
  exit 5
fi
echo "tested in $namespace"
