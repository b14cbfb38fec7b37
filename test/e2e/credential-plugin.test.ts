/** The built command line with a kubeconfig whose user logs in through a program, as with cloud providers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openWholeCluster, run } from './cluster-stand.ts';

const PROGRAM = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';

interface KubeConfig {
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
}

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A copy of the cluster's kubeconfig whose user runs this script for its token. */
function withPlugin(script: (token: string) => string): string {
  const config = parse(readFileSync(cluster.kubeconfig, 'utf8')) as KubeConfig;
  const users = config.users.map(({ name, user }) => {
    const args = ['-c', script(user.token)];
    const apiVersion = 'client.authentication.k8s.io/v1';
    return { name, user: { exec: { apiVersion, command: 'sh', args, interactiveMode: 'Never' } } };
  });
  const path = join(cluster.folder, 'with-plugin');
  writeFileSync(path, stringify({ ...config, users }), { mode: 0o600 });
  return path;
}

const list = (kubeconfig: string): ReturnType<typeof run> =>
  run(process.execPath, [PROGRAM, 'snapshot', 'list', '--kubeconfig', kubeconfig]);

it('logs in with the token that the credential plugin prints', async () => {
  const answer = (token: string): string =>
    JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token },
    });
  const kubeconfig = withPlugin((token) => `echo '${answer(token)}'`);
  expect(await list(kubeconfig)).toMatchObject({ code: 0, stderr: '' });
});

it('names the user and the reason when the credential plugin fails', async () => {
  const { code, stderr } = await list(withPlugin(() => 'echo "session is over" >&2; exit 4'));
  expect(code).toBe(1);
  expect(stderr).toContain(
    'LHK009: The credential plugin of the user "lifehook-local" gave no credentials (session is over).',
  );
});

/** A pipeline of which a plan, a deployment and a verification all ask the cluster. */
const PIPELINE = `apiVersion: skaffold/v4beta13
kind: Config
manifests: { rawYaml: [map.yaml] }
deploy:
  kubectl:
    hooks:
      before: [{ container: { command: ['true'], podName: none } }]
verify:
  - { name: check, container: { name: check, image: none, command: ['true'] } }
`;

it.each([
  ['deploy', 'SIGTERM'],
  ['plan', 'SIGINT'],
  ['verify', 'SIGINT'],
] as const)('ends %s at %s while the credential plugin hangs', async (command, signal) => {
  const began = join(cluster.folder, `plugin-began-${command}`);
  const kubeconfig = withPlugin(() => `>'${began}'; while :; do sleep 0.1; done`);
  const project = await mkdtemp(join(tmpdir(), 'lifehook-plugin-'));
  onTestFinished(() => rm(project, { recursive: true }));
  writeFileSync(join(project, 'skaffold.yaml'), PIPELINE);
  writeFileSync(
    join(project, 'map.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: map }\n',
  );
  const file = join(project, 'skaffold.yaml');
  const args = [PROGRAM, 'pipeline', command, '--filename', file, '--kubeconfig', kubeconfig];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await eventually('the plugin runs', async () => existsSync(began));
  child.kill(signal);
  expect(await ended).toEqual([130, null]);
});
