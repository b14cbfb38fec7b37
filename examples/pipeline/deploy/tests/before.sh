#!/bin/sh
# Tests that need no object of the deployment.
set -eu
namespace=${SKAFFOLD_NAMESPACES%%,*}
kubectl get namespace "$namespace" -o name
if [ "${FAIL:-}" = before ]; then
  echo 'the tests before the deployment fail' >&2
  exit 3
fi
