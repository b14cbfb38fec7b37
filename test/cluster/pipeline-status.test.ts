/** The status check against a real kubelet. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openProject } from '../e2e/pipeline-stand.ts';
import { BASE_IMAGE } from './parameters.ts';
import { connectToCluster, kubeconfigPath, makeNamespace } from './real-cluster.ts';

const BUSYBOX = `image: ${BASE_IMAGE}`;
let namespace: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const { client, connection } = connectToCluster();
  const made = await makeNamespace(client, 'pipeline-status');
  namespace = made.namespace;
  close = async () => {
    await made.remove();
    connection.transport.close();
  };
});

afterAll(async () => {
  await close();
});

const manifest = (script: string, container: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{ name: app, command: [sh, -c, ${JSON.stringify(script)}], ${container} }]
`;

it.each([
  {
    how: 'exits at once',
    script: 'echo no settings; exit 3',
    container: BUSYBOX,
    why: /exited with code 3.*\n {4}\| no settings/u,
  },
  {
    how: 'exits after it was ready',
    script: 'echo short; sleep 1',
    container: BUSYBOX,
    why: /exited with code 0.*\n {4}\| short/u,
  },
  {
    how: 'lacks its image',
    script: 'true',
    container: 'image: absent.invalid/web:1',
    why: /waits with (ErrImagePull|ImagePullBackOff): /u,
  },
  {
    how: 'lacks its configuration',
    script: 'true',
    container: `${BUSYBOX}, envFrom: [{ configMapRef: { name: nowhere } }]`,
    why: /waits with CreateContainerConfigError: .*nowhere/u,
  },
])('the status check fails with the reason when a container $how', async (one) => {
  using project = openProject(kubeconfigPath(), {
    'skaffold.yaml': `apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: status }
manifests: { rawYaml: [k8s/*.yaml] }
deploy: { kubectl: {} }
`,
    'k8s/web.yaml': manifest(one.script, one.container),
  });
  const { code, stderr } = await project.lifehook('pipeline', 'run', '-n', namespace);
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(one.why);
});
