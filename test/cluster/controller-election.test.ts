/**
 * The election of `lifehook controller` on a real server: only one process leads, even if the processes have different
 * options.
 */
import { resolve } from 'node:path';

import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { leases } from '../../src/kube/resources.ts';
import { type Ended, run } from '../e2e/cluster-stand.ts';
import { startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { type CaseStand, openCaseStand } from './rollout-case-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const TIMEOUT_MS = 120_000;

let stand: CaseStand;
let namespace: string;
let removeNamespace: () => Promise<void>;

beforeAll(async () => {
  stand = await openCaseStand();
  ({ namespace, remove: removeNamespace } = await makeNamespace(stand.client, 'election'));
}, TIMEOUT_MS);

afterAll(async () => {
  await removeNamespace();
  await stand.close();
}, TIMEOUT_MS);

/** Identity of the leader; null if no replica leads. */
async function holder(): Promise<string | null> {
  const key = { namespace, name: 'lifehook-controller' };
  const lease: Lease | null = await getOrNull(stand.client, leases, key);
  const { holderIdentity = '' } = lease?.spec ?? {};
  return holderIdentity === '' ? null : holderIdentity;
}

function refused(...args: readonly string[]): Promise<Ended> {
  const where = ['--kubeconfig', kubeconfigPath(), '--metrics-address', '127.0.0.1:0'];
  return run(process.execPath, [PROGRAM, 'controller', ...where, ...args]);
}

it(
  'refuses a second controller that does not stand by, in this namespace and in another',
  { timeout: TIMEOUT_MS },
  async () => {
    const options = ['--namespaced', '-n', namespace, '--no-leader-elect'];
    await using _first = await startController({ kubeconfig: kubeconfigPath() }, options);
    const leader = await eventually('it leads', holder);
    const [same, other] = await Promise.all([refused(...options), refused('-n', 'default')]);
    expect([same.code, same.stderr]).toEqual([
      1,
      expect.stringContaining(
        `LHK105: Another controller is the leader: ${leader} renews the Lease`,
      ),
    ]);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining(
        `LHK106: Another controller is the leader for the same objects: ${leader}`,
      ),
    ]);
    await using _second = await startController(
      { kubeconfig: kubeconfigPath() },
      options.slice(0, 3),
    );
    expect(await holder()).toBe(leader);
    await _first.end();
    await eventually('the one that stood by leads', async () => {
      const next = await holder();
      return next !== null && next !== leader;
    });
  },
);
