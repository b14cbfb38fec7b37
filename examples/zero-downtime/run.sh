#!/bin/sh
# Restarts a Deployment while a client sends requests without a pause: once with a preStop sleep of five seconds, and
# once without. It needs lifehook and kubectl on the PATH, and removes everything that it creates.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
state=$work/state
client=
finish() {
  [ -z "$client" ] || kill "$client" 2>/dev/null || true
  lifehook down --delete --state-dir "$state" >/dev/null
  rm -r "$work"
}
trap finish EXIT

# As in a large cluster: clients use the new endpoints one second after a pod was deleted.
lifehook up --state-dir "$state" --endpoint-delay 1s >/dev/null
export KUBECONFIG="$state/kubeconfig"

# The image: the server, and a program that starts it with this machine's Node.
cp -R "$here/server" "$work/server"
printf '#!/bin/sh\nexec "%s" serve.mjs\n' "$(command -v node)" >"$work/server/start"
chmod 755 "$work/server/start"
lifehook image import "$work/server" web:v1 --state-dir "$state" >/dev/null
kubectl apply -f "$here/web.yaml" >/dev/null

restart_under_load() {
  echo "$1"
  kubectl rollout status deployment/web --timeout=60s >/dev/null
  address=$(kubectl get service web -o 'jsonpath={.spec.clusterIP}')
  sleep 2
  node "$here/client.mjs" "http://$address/" &
  client=$!
  sleep 1
  kubectl rollout restart deployment/web >/dev/null
  kubectl rollout status deployment/web --timeout=60s >/dev/null
  # Until the last old pod is deleted, and for two more seconds.
  until [ "$(kubectl get pods -l app=web -o name | wc -l)" -eq 3 ]; do sleep 0.2; done
  sleep 2
  kill "$client"
  wait "$client"
  client=
}

restart_under_load "With a preStop sleep of 5 s:"
kubectl patch deployment web --type=json --patch-file "$here/without-sleep.json" >/dev/null
restart_under_load "Without:"
