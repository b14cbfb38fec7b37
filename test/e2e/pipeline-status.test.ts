/**
 * The status check of a deployment, and container hooks without that check, on a local cluster whose containers are
 * processes.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { hostHook, openProject, type Project, SERVE } from './pipeline-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

interface Shop {
  /** Name of the Deployment. */
  readonly name: string;
  /** The shell line of its container; null: the command of the image. */
  readonly script: string | null;
  readonly container?: string;
  readonly replicas?: number;
  /** Node selector. */
  readonly node?: string;
  readonly hooks?: string;
  /** Seconds until the deadline of the status check. */
  readonly seconds?: number;
}

function manifestOf(shop: Shop): string {
  const { name, script, container = 'image: web', replicas = 1, node = '{}' } = shop;
  const command = script === null ? '' : `command: [sh, -c, ${JSON.stringify(script)}],`;
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 1
      nodeSelector: ${node}
      containers: [{ name: app, ${command} ${container} }]
`;
}

function openShop(shop: Shop): Project {
  return openProject(cluster.kubeconfig, {
    'skaffold.yaml': `apiVersion: skaffold/v4beta13
kind: Config
metadata: { name: ${shop.name} }
build:
  tagPolicy: { inputDigest: {} }
  artifacts: [{ image: web, context: web }]
manifests: { rawYaml: [k8s/*.yaml] }
deploy:
  statusCheckDeadlineSeconds: ${shop.seconds ?? 60}
  kubectl: { hooks: { after: ${shop.hooks ?? `[${hostHook('echo deployed')}]`} } }
`,
    'lifehook.yaml': 'folderBuilders: { web: { path: ., command: [sh] } }\n',
    'web/page.html': 'hello\n',
    'k8s/app.yaml': manifestOf(shop),
  });
}

/** The lines of the error message, without the name of the pod. */
async function refused(shop: Shop): Promise<string> {
  using project = openShop(shop);
  const { code, stdout, stderr } = await project.lifehook('pipeline', 'run');
  expect(code, stdout + stderr).toBe(1);
  expect(stdout).not.toContain('] deployed');
  await project.lifehook('pipeline', 'delete');
  return stderr.replaceAll(new RegExp(String.raw`pod ${shop.name}-\w+-\w+`, 'gu'), 'pod POD');
}

describe('the status check', () => {
  it('fails with the exit code and the last lines of a container that exits at once', async () => {
    const script = 'echo reading settings; echo no settings: end >&2; exit 3';
    const message = await refused({ name: 'crash', script });
    expect(message).toMatch(
      /Deployment default\/crash: container app of pod POD exited with code 3.*\n {4}\| reading settings\n {4}\| no settings: end\n/u,
    );
  });

  it('fails when a container without a readiness probe exits with 0 after it was ready', async () => {
    const message = await refused({ name: 'short', script: 'echo done early; sleep 0.2' });
    expect(message).toMatch(/container app of pod POD exited with code 0.*\n {4}\| done early\n/u);
  });

  it('fails with the reason when an image is missing', async () => {
    const message = await refused({
      name: 'nowhere',
      script: null,
      container: 'image: "absent:1"',
    });
    expect(message).toMatch(/container app of pod POD waits with \w*Image\w*: .*absent:1/u);
  });

  it('fails with the reason when the configuration of a container is missing', async () => {
    const container = 'image: web, envFrom: [{ configMapRef: { name: settings } }]';
    const message = await refused({ name: 'bare', script: SERVE, container });
    expect(message).toMatch(
      /container app of pod POD waits with CreateContainerConfigError: .*settings/u,
    );
  });

  it('masks in the last lines the values of Secrets that the container is given', async () => {
    const env = '[{ name: WORD, valueFrom: { secretKeyRef: { name: word, key: word } } }]';
    const script = 'echo "with $WORD"; echo "$WORD" | base64 -w 10; exit 3';
    using project = openShop({ name: 'keeps', script, container: `image: web, env: ${env}` });
    const value = 'a plain value that no name tells of';
    const metadata = '{ name: word }';
    project.write(
      'k8s/word.yaml',
      `apiVersion: v1\nkind: Secret\nmetadata: ${metadata}\nstringData: { word: ${value} }\n`,
    );
    const { code, stderr } = await project.lifehook('pipeline', 'run');
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('    | with ***\n    | ***\n');
    expect(stderr).not.toContain(Buffer.from(value).toString('base64').slice(0, 10));
    await project.lifehook('pipeline', 'delete');
  });

  it.each([
    ['batch/v1', 'Job', '{ backoffLimit: 0, template: { spec: SPEC } }'],
    ['v1', 'Pod', 'SPEC'],
  ])('names the container and its last lines where a %s %s fails', async (version, kind, spec) => {
    using project = openShop({ name: 'once', script: null });
    const command = '[sh, -c, "echo no such order; exit 5"]';
    const pod = `{ restartPolicy: Never, containers: [{ name: app, image: web, command: ${command} }] }`;
    project.write(
      'k8s/app.yaml',
      `apiVersion: ${version}\nkind: ${kind}\nmetadata: { name: once }\nspec: ${spec.replace('SPEC', pod)}\n`,
    );
    const { code, stderr } = await project.lifehook('pipeline', 'run');
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(
      /container app of pod once\S* exited with code 5\n {4}\| no such order\n/u,
    );
    await project.lifehook('pipeline', 'delete');
  });

  it('names at the deadline why a pod is on no node', async () => {
    using project = openShop({
      name: 'large',
      script: SERVE,
      node: '{ disk: large }',
      seconds: 10,
    });
    const { code, stderr } = await project.lifehook('pipeline', 'run');
    expect(code).toBe(1);
    expect(stderr).toContain('1 of its objects are not ready after 10 s');
    expect(stderr).toMatch(/pod large-\w+-\w+ is not scheduled: .*node/u);
    await project.lifehook('pipeline', 'delete');
  });

  it('judges the pods of the newest template only', async () => {
    const shop = { name: 'mended', script: 'exit 1' };
    using project = openShop(shop);
    expect((await project.lifehook('pipeline', 'run')).code).toBe(1);
    project.write('k8s/app.yaml', manifestOf({ ...shop, script: SERVE }));
    const { code, stdout, stderr } = await project.lifehook('pipeline', 'run');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('] deployed');
    await project.lifehook('pipeline', 'delete');
  });
});

describe('container hooks without the status check', () => {
  it('wait for the new pods and never run in old ones', async () => {
    const command = '[sh, -c, "echo hooked in $ROUND"]';
    const hooks = `[{ container: { podName: 'rounds-*', command: ${command} } }]`;
    const round = (name: string): Shop => ({
      name: 'rounds',
      replicas: 2,
      script: SERVE,
      container: `image: web, env: [{ name: ROUND, value: ${name} }]`,
      hooks,
    });
    using project = openShop(round('one'));
    const run = async (): Promise<string[]> => {
      const { code, stdout, stderr } = await project.lifehook(
        'pipeline',
        'run',
        '--status-check=false',
      );
      expect(code, stderr).toBe(0);
      return stdout.split('\n').flatMap((line) => line.split('] hooked in ')[1] ?? []);
    };
    expect(await run()).toEqual(['one', 'one']);
    project.write('k8s/app.yaml', manifestOf(round('two')));
    expect(await run()).toEqual(['two', 'two']);
    await project.lifehook('pipeline', 'delete');
  });
});
