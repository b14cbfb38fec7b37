/** Correct manifests of a small shop. */
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: nginx
          envFrom: [{ configMapRef: { name: web-settings } }]
          lifecycle:
            preStop: { sleep: { seconds: 10 } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web-settings }
data: { PORT: "80" }
`;

const LIFECYCLE = `apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  rollingUpdate:
    pre:
      execNewPod:
        containerName: web
        command: [./migrate]
`;

const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  selector: { app: web }
  ports: [{ port: 80 }]
`;

const SNAPSHOT = `apiVersion: lifehook.dev/v1alpha1
kind: ApplicationSnapshot
metadata: { name: nightly }
spec:
  source: { persistentVolumeClaimNames: [orders-data] }
  executionHookInfos:
    - executionHookTemplateName: freeze-orders
      podSelector: { matchLabels: { app: web } }
      containerSelector: { ContainerName: web }
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze-orders }
preAction: { exec: { command: [freeze] } }
postAction: { exec: { command: [thaw] } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: orders-data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

/** A text in the manifest, and its replacement. */
export type Change = readonly [from: string, to: string];

export const deployment = (change?: Change): string => changed(DEPLOYMENT, change);
export const lifecycle = (change?: Change): string => changed(LIFECYCLE, change);
export const service = (change?: Change): string => changed(SERVICE, change);
export const snapshot = (change?: Change): string => changed(SNAPSHOT, change);

function changed(text: string, change: Change | undefined): string {
  if (change === undefined) return text;
  const [from, to] = change;
  if (!text.includes(from)) throw new Error(`the manifest has no ${from}`);
  return text.replace(from, to);
}
