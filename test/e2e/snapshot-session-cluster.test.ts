/**
 * Held sessions in containers of the local cluster through its API server, and recipes through the command line.
 * @module-tag kubectl
 */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openExec } from '../../src/kube/exec.ts';
import type { KubeConnection } from '../../src/kube/client.ts';
import { openHeldSession } from '../../src/lifecycles/snapshot/session/held-session.ts';
import type { OpenedSession } from '../../src/lifecycles/snapshot/session/session.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, connect, type Ended, openCluster, run } from './cluster-stand.ts';

let cluster: ClusterStand;

/** Time limit for events that arrive at once on an idle machine. */
const PATIENCE_MS = 60_000;

const POD = `apiVersion: v1
kind: Pod
metadata: { name: app }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - { name: main, image: none, command: [sleep, "1000"] }
`;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.apply(POD);
  await cluster.kubectl('wait', '--for=condition=Ready', 'pod/app', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const noted = async (file: string): Promise<string> =>
  (await cluster.kubectl('exec', 'app', '--', 'sh', '-c', `cat ${file} 2>/dev/null`)).stdout;

async function open(
  file: string,
  windowSeconds: number,
  connection: KubeConnection,
): Promise<OpenedSession> {
  return openHeldSession({
    openExec: async (options) => openExec(connection, options),
    target: { namespace: 'default', pod: 'app', container: 'main' },
    action: {
      freeze: ['sh', '-c', `echo freeze >>${file}; echo before`],
      thaw: ['sh', '-c', `echo "thaw $LIFEHOOK_PRIOR" >>${file}`],
      windowSeconds,
    },
    timeoutMs: PATIENCE_MS,
    platform,
    random: Math.random,
  });
}

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

const recipesTest = (...args: readonly string[]): Promise<Ended> =>
  run(process.execPath, [
    PROGRAM,
    'recipes',
    'test',
    ...args,
    '--pod',
    'app',
    '--kubeconfig',
    cluster.kubeconfig,
  ]);

it('a session thaws when its connection is closed', async () => {
  const own = await connect(cluster.kubeconfig);
  // The window is longer than every wait of this test.
  const { session } = await open('cut', 600, own);
  own.transport.close();
  expect(await session?.ended).toMatchObject({ kind: 'lost' });
  await eventually('thawed', async () => (await noted('cut')) === 'freeze\nthaw before\n');
});

it('a session ends without a thaw when its pod is deleted', async () => {
  await cluster.apply(POD.replace('name: app', 'name: app2'));
  await cluster.kubectl('wait', '--for=condition=Ready', 'pod/app2', '--timeout=60s');
  const { session } = await openHeldSession({
    openExec: async (options) => openExec(cluster.connection, options),
    target: { namespace: 'default', pod: 'app2' },
    action: { client: ['cat'], freeze: ['frozen'], ready: 'frozen', thaw: ['thawed'] },
    timeoutMs: PATIENCE_MS,
    platform,
    random: Math.random,
  });
  await cluster.kubectl('delete', 'pod', 'app2', '--grace-period=0', '--force');
  const end = await session?.ended;
  expect(end?.kind).not.toBe('thawed');
});

it('`lifehook recipes test` freezes, holds and thaws, and prints each step', async () => {
  const { code, stdout, stderr } = await recipesTest(
    'generic',
    '--hold',
    '1',
    '--set',
    'freeze=echo cold >>tried; echo was-warm',
    '--set',
    'thaw=echo "$LIFEHOOK_PRIOR" >>tried',
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^generic on default\/app, /);
  expect(stdout).toMatch(/ok {3}freeze +\d+ ms {2}Frozen; the session helper/);
  expect(stdout).toMatch(/ok {3}hold +\d{4,} ms {2}Held\./);
  expect(stdout).toMatch(/ok {3}thaw +\d+ ms {2}The session helper thawed on request\./);
  expect(stdout).toContain('generic works here.');
  expect(code).toBe(0);
  expect(await noted('tried')).toBe('cold\nwas-warm\n');
});

it('`lifehook recipes test` fails after it has undone a failed freeze', async () => {
  const { code, stdout } = await recipesTest(
    'generic',
    '--set',
    'freeze=echo no way; exit 7',
    '--set',
    'thaw=echo undone >>failed',
  );
  expect(code).toBe(3);
  expect(stdout).toContain('FAIL freeze');
  expect(stdout).toContain('| no way');
  expect(await noted('failed')).toBe('undone\n');
});
