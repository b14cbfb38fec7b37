#!/bin/sh
# Tests of what was deployed: it is of this run, and it is ready.
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
