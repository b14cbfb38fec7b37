/**
 * A snapshot that cannot continue while its application is frozen (SNAP-I5), and hooks whose snapshot does not exist
 * any more.
 */
import { describe, expect, it } from 'vitest';

import { sampleHook, sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { failure, tooMany } from '../../../../test/sim/controller/sim-api.ts';
import type { SimHost } from '../../../../test/sim/controller/sim-host.ts';
import { silence } from '../../../../test/sim/controller/silence.ts';
import type { ChangeClient } from '../../../../test/sim/snapshot/replica.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import { NAMESPACE } from '../../../../test/sim/snapshot/sim-cluster.ts';
import { resourceName } from '../../../kube/object.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { applicationSnapshots, type ExecutionHook, executionHooks } from '../kinds.ts';
import { CUT_RELEASE, EVIDENCE_FINALIZER, HOOK_FINALIZER } from '../names.ts';
import { orphansOf } from './drive.ts';

/** Withholds the answer to the release for some time, as a hanging or failing webhook of another project does. */
type Trouble = (host: SimHost) => Promise<never>;

const TROUBLES: readonly { what: string; trouble: Trouble; frozenMs: number }[] = [
  { what: 'does not answer within 30 s', trouble: (host) => silence(host), frozenMs: 31_000 },
  {
    what: 'refuses after 10 s',
    trouble: (host) =>
      new Promise((_, reject) => {
        host.timers.after(10_000, () => {
          reject(failure(500, 'InternalError', 'failed calling webhook'));
        });
      }),
    frozenMs: 36_000,
  },
  {
    what: 'refuses at once',
    trouble: () => Promise.reject(failure(500, 'InternalError', 'failed calling webhook')),
    frozenMs: 31_000,
  },
];

/** Delays only the patch with the release: hooks are patched for other reasons too. */
function holdRelease(trouble: Trouble): ChangeClient {
  return (client, host) => ({
    ...client,
    patch: (resource, key, options) =>
      JSON.stringify(options.body).includes(CUT_RELEASE)
        ? trouble(host)
        : client.patch(resource, key, options),
  });
}

it.each(TROUBLES)(
  'thaws a hook without an expiry when the server $what to its release',
  async ({ trouble, frozenMs }) => {
    const stand = new SnapshotStand({ replicas: 1, changeClient: holdRelease(trouble) });
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined, 900_000);
    const [freeze, thaw] = stand.account.commands;
    expect([freeze?.verb, thaw?.verb]).toEqual(['freeze', 'thaw']);
    expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(frozenMs);
    expect(stand.snapshot?.status).toMatchObject({
      phase: 'Failed',
      failure: {
        reason: 'ThawedBeforeCut',
        message: expect.stringMatching(/^hook \S+ was deleted$/) as string,
      },
    });
  },
);

it('requests a thaw by its own pause, whatever pause a busy server asks for (CTRL-R5)', async () => {
  let refusals = 0;
  const busy: ChangeClient = (client) => ({
    ...client,
    patch: (resource, key, options) => {
      if (!JSON.stringify(options.body).includes(CUT_RELEASE) || refusals === 3)
        return client.patch(resource, key, options);
      refusals += 1;
      return Promise.reject(tooMany(18));
    },
  });
  const stand = new SnapshotStand({ replicas: 1, changeClient: busy });
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined, 900_000);
  const [freeze, thaw] = stand.account.commands;
  expect([refusals, freeze?.verb, thaw?.verb]).toEqual([3, 'freeze', 'thaw']);
  expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(18_000);
});

it('thaws a hook without an expiry when a claim of the snapshot cannot be read any more', async () => {
  let isBroken = false;
  const breakClaims: ChangeClient = (client) => ({
    ...client,
    get: (resource, key, options) =>
      isBroken && resourceName(resource) === resourceName(persistentVolumeClaims)
        ? Promise.reject(failure(500, 'InternalError', 'etcd has lost the key'))
        : client.get(resource, key, options),
  });
  const stand = new SnapshotStand({ replicas: 1, changeClient: breakClaims });
  stand.onSend = ({ verb }) => {
    if (verb !== 'freeze') return;
    isBroken = true;
    stand.api.delete(persistentVolumeClaims, { namespace: NAMESPACE, name: 'c0' }, {});
  };
  await stand.eventually(() => stand.account.commands.some(({ verb }) => verb === 'thaw'));
  const [freeze, thaw] = stand.account.commands;
  expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(36_000);
});

it('thaws a hook without an expiry when the next process cannot read the snapshot', async () => {
  let isBroken = false;
  const breakSnapshots: ChangeClient = (client) => ({
    ...client,
    get: (resource, key, options) =>
      isBroken && resourceName(resource) === resourceName(applicationSnapshots)
        ? Promise.reject(failure(500, 'InternalError', 'etcd has lost the key'))
        : client.get(resource, key, options),
  });
  const stand = new SnapshotStand({ replicas: 1, changeClient: breakSnapshots });
  const isFrozen = ({ status }: ExecutionHook): boolean => status?.preActionSucceed === true;
  await stand.eventually(() =>
    stand.api.peek(executionHooks).some((hook) => isFrozen(hook as never)),
  );
  isBroken = true;
  stand.replaceAfter(1_000);
  await stand.eventually(() => stand.account.commands.some(({ verb }) => verb === 'thaw'));
  const [freeze, thaw] = stand.account.commands;
  expect((thaw?.atMs ?? 0) - (freeze?.atMs ?? 0)).toBeLessThan(36_000);
});

/** A hook that the snapshot with this UID owns. */
function hookOf(uid: string, finalizers: string[] = [EVIDENCE_FINALIZER]): ExecutionHook {
  const hook = sampleHook({ finalizers });
  const owner = {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    name: 'nightly',
  };
  return {
    ...hook,
    metadata: { ...hook.metadata, ownerReferences: [{ ...owner, uid, controller: true }] },
  };
}

describe('orphansOf', () => {
  const own = hookOf('aaaaaaaa-0000');
  const strange = hookOf('bbbbbbbb-0000');
  const kept = hookOf('aaaaaaaa-0000', [HOOK_FINALIZER]);
  const there = sampleSnapshot();
  const over = sampleSnapshot({ phase: 'Failed', completedAt: '2026-01-01T00:00:00Z' });

  it.each([
    { what: 'of the current snapshot', hooks: [own], snapshot: there, count: 0 },
    { what: 'of it and an earlier one', hooks: [own, strange], snapshot: there, count: 1 },
    { what: 'of a deleted snapshot', hooks: [own, strange], snapshot: null, count: 2 },
    { what: 'of a completed snapshot', hooks: [own], snapshot: over, count: 1 },
    { what: 'without the evidence finalizer', hooks: [kept], snapshot: over, count: 0 },
    { what: 'without it and without a snapshot', hooks: [kept], snapshot: null, count: 0 },
  ])('counts $count orphans among hooks $what', ({ hooks, snapshot, count }) => {
    expect(orphansOf(hooks, snapshot)).toHaveLength(count);
  });
});
