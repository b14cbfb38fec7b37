/**
 * Blocks that a reader can run but these tests cannot, by their exact text. Each has its needs, and the test that
 * covers it on a machine that meets these needs.
 */
export interface Elsewhere {
  readonly text: string;
  readonly needs: string;
  readonly shownBy: string;
}

export const shownElsewhere: readonly Elsewhere[] = [
  {
    text: 'kubectl patch configmap argocd-cm --namespace argocd --patch-file deploy/argo-cd/health.yaml',
    needs: 'a cluster with Argo CD',
    shownBy: 'test/e2e/gitops.test.ts',
  },
  {
    text: 'npm ci && npm run demo',
    needs: 'a machine that nothing is installed on',
    shownBy: 'test/clean/clean-machine.test.ts',
  },
  {
    text: 'npm ci && npm test',
    needs: 'a machine that nothing is installed on; it runs this very test',
    shownBy: 'test/clean/clean-machine.test.ts',
  },
  {
    text: `npm install --global lifehook
lifehook --version`,
    needs: 'a package that is published',
    shownBy: 'test/e2e/package.test.ts',
  },
  {
    text: `npm ci && npm run build:sea
dist/sea/lifehook --version`,
    needs: 'a checkout whose programs nobody else uses meanwhile',
    shownBy: 'test/system/single-executable.test.ts',
  },
  {
    text: `npm ci && npm run build
npm link`,
    needs: 'a checkout whose programs nobody else uses meanwhile',
    shownBy: 'test/clean/clean-machine.test.ts',
  },
  {
    text: `lifehook install | kubectl apply -f -
kubectl --namespace lifehook-system rollout status deployment/lifehook-controller`,
    needs: 'a cluster that has the image',
    shownBy: 'test/cluster/install-cluster.test.ts',
  },
  {
    text: `helm install lifehook deploy/chart --namespace lifehook-system --create-namespace --wait
helm test lifehook --namespace lifehook-system --logs`,
    needs: 'a cluster that has the image',
    shownBy: 'test/cluster/chart.test.ts',
  },
  {
    text: 'helm install lifehook deploy/chart --namespace lifehook-system --take-ownership --server-side=false',
    needs: 'a cluster that it is installed in',
    shownBy: 'test/e2e/install-release.test.ts',
  },
  {
    text: `helm upgrade lifehook deploy/chart --namespace lifehook-system --reset-then-reuse-values --wait
helm rollback lifehook --namespace lifehook-system --wait`,
    needs: 'a cluster that it is installed in',
    shownBy: 'test/cluster/chart.test.ts',
  },
  {
    text: `lifehook uninstall --yes
helm uninstall lifehook --namespace lifehook-system`,
    needs: 'a cluster that it is installed in',
    shownBy: 'test/e2e/install-release.test.ts',
  },
  {
    text: `npm run build
npx tsx scripts/build-image.ts --out lifehook.tar --tag registry.example/lifehook:0.1.0`,
    needs: 'a checkout whose programs nobody else uses meanwhile',
    shownBy: 'test/cluster/install-cluster.test.ts',
  },
  {
    text: `kubectl label namespace shop lifehook.dev/snapshot-guard=enabled
kubectl apply --namespace shop -f guard.yaml
kubectl wait --namespace shop --for=condition=Ready snapshotguard/shop
velero backup create nightly --include-namespaces shop`,
    needs: 'a cluster with Velero',
    shownBy: 'bench/velero.ts',
  },
  {
    text: `lifehook uninstall          # shows what it would stop and remove
lifehook uninstall --yes`,
    needs: 'a cluster that it is installed in',
    shownBy: 'test/cluster/install-undone.test.ts',
  },
  {
    text: `$ kubectl -n lifehook-system port-forward deployment/lifehook-controller 9091
$ curl http://127.0.0.1:9091
This timeline opens with a link that works once: \`kubectl -n lifehook-system logs lifehook-controller-847b7788f-f2clb | grep '"Timeline"' | tail -1\` shows one.`,
    needs: 'a cluster that it is installed in',
    shownBy: 'test/cluster/install-cluster.test.ts',
  },
];

export const elsewhere: ReadonlySet<string> = new Set(shownElsewhere.map(({ text }) => text));
