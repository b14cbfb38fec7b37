/** The steps of the cut: one creation each, and the order of the releases (SNAP-I2, SNAP-I11, SNAP-I12, SNAP-G18). */
import { describe, expect, it } from 'vitest';

import {
  ago,
  CUT_PROOFS,
  frozen,
  NOW_MS,
  sampleFacts,
  sampleHook,
  sampleTarget,
  sampleVolume,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { failure as refusalOf } from '../../../../test/sim/controller/sim-api.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { snapshots as volumeSnapshots } from '../../../kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshotStatus,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import { CUT_RELEASE, CUT_SEEN } from '../names.ts';
import { cutMark, withProof } from '../cut-mark.ts';
import type { Acting } from './acting.ts';
import { cutTokenOf } from './cut-token.ts';
import { askHooks, makeSnapshots, recordCut, releaseHook, releaseNext } from './cut-steps.ts';
import { timeIn } from './thaw-order.ts';

const CUT_SECRET = 'secret';

/** A snapshot on a server, with these hooks. */
async function stand(status: ApplicationSnapshotStatus, hooks: readonly ExecutionHook[]) {
  const bench = new SimBench();
  const events: string[] = [];
  const create = (hook: ExecutionHook) => bench.until(bench.client.create(executionHooks, hook));
  const stored = await Promise.all(hooks.map(create));
  const volumes = (status.volumes ?? []).map((plan) => volumeFacts(plan, null));
  const facts = sampleFacts({ status, hooks: stored, volumes });
  const snapshot = await bench.until(bench.client.create(applicationSnapshots, facts.snapshot));
  const proofs = withProof({}, cutTokenOf({ cutSecret: CUT_SECRET, facts: { snapshot } }));
  const remember = (): void => {};
  const acting = {
    client: bench.client,
    cutSecret: CUT_SECRET,
    facts: { ...facts, snapshot: { ...snapshot, status: { ...snapshot.status, ...proofs } } },
    caches: {
      writtenHooks: { remember },
      writtenApplications: { remember },
      kinds: { snapshots: { resource: volumeSnapshots } },
    },
    context: {
      platform: { clock: bench.host.clock },
      observe: () => {},
      recorder: {
        record: ({ reason, message }: { reason: string; message: string }) =>
          events.push(`${reason}: ${message}`),
      },
    },
  } as unknown as Acting;
  const annotationsOf = async (name: string): Promise<string[]> => {
    const key = { namespace: 'shop', name };
    const found = await bench.until(getOrNull(bench.client, executionHooks, key));
    return Object.keys(found?.metadata?.annotations ?? {});
  };
  const statusOf = async (): Promise<ApplicationSnapshotStatus> => {
    const key = { namespace: 'shop', name: 'nightly' };
    return (await bench.until(bench.client.get(applicationSnapshots, key))).status ?? {};
  };
  return { bench, acting, annotationsOf, statusOf, events };
}
const two = ['first', 'second'].map((name) => sampleHook({ name }));
const volumes = [sampleVolume('data', { cut: true, creationTime: ago(1) })];
const requested = { cutRequestedAt: ago(5), volumes };

describe('recordCut', () => {
  it('releases the hook that froze last, and leaves the others to their turn (SNAP-G18)', async () => {
    const { bench, acting, annotationsOf } = await stand(requested, two);
    await bench.until(recordCut(acting, volumes));
    expect([await annotationsOf('first'), await annotationsOf('second')]).toEqual([
      [],
      [CUT_RELEASE],
    ]);
  });

  it('SNAP-I2: stores the time of the release as the moment of the cut, after the release', async () => {
    const { bench, acting, statusOf } = await stand(requested, two);
    const writes: string[] = [];
    bench.onWrite = ({ resource }) => writes.push(resource);
    await bench.until(recordCut(acting, volumes));
    const { phase, cutObservedAt } = await statusOf();
    const key = { namespace: 'shop', name: 'second' };
    const hook = await bench.until(bench.client.get(executionHooks, key));
    expect(timeIn(hook.metadata?.annotations?.[CUT_RELEASE])).toBe(cutObservedAt);
    expect([phase, writes.map((resource) => resource.split('.')[0])]).toEqual([
      'Thawing',
      ['executionhooks', 'applicationsnapshots'],
    ]);
  });

  it('SNAP-S8: makes the proof durable first, where another process has requested the cut', async () => {
    const { bench, acting, statusOf } = await stand(requested, two);
    const writes: string[] = [];
    bench.onWrite = ({ resource }) => writes.push(resource.split('.')[0] ?? '');
    await bench.until(recordCut({ ...acting, cutSecret: 'of another process' }, volumes));
    expect(writes).toEqual(['applicationsnapshots', 'executionhooks', 'applicationsnapshots']);
    expect((await statusOf()).cutTokenHashes).toHaveLength(2);
  });

  it('SNAP-S8: fails the snapshot where another client has released the last hook meanwhile', async () => {
    const { bench, acting, statusOf } = await stand(requested, two);
    const body = { metadata: { annotations: { [CUT_RELEASE]: 'Cut' } } };
    const key = { namespace: 'shop', name: 'second' };
    await bench.until(bench.client.patch(executionHooks, key, { type: 'merge', body }));
    const hook = await bench.until(bench.client.get(executionHooks, key));
    const status = frozen({ release: { cause: 'Cut', at: ago(1) }, cutToken: 'Cut' });
    await bench.until(bench.client.replaceStatus(executionHooks, { ...hook, status }));
    await bench.until(recordCut(acting, volumes));
    expect((await statusOf()).failure).toMatchObject({
      reason: 'ThawedBeforeCut',
      message: 'before the cut was observed, hook second was thawed: Cut',
    });
  });

  it('SNAP-R33: releases a hook that another client has changed since it was read', async () => {
    const { bench, acting, statusOf } = await stand(requested, two);
    const body = { metadata: { annotations: { changed: 'yes' } } };
    const key = { namespace: 'shop', name: 'second' };
    await bench.until(bench.client.patch(executionHooks, key, { type: 'merge', body }));
    const requests: string[] = [];
    bench.onWrite = ({ resource }) => requests.push(resource.split('.')[0] ?? '');
    await bench.until(recordCut(acting, volumes));
    expect([(await statusOf()).phase, requests]).toEqual([
      'Thawing',
      ['executionhooks', 'applicationsnapshots'],
    ]);
  });

  it('SNAP-G13: fails the snapshot where the last hook is not frozen any more', async () => {
    const expired = frozen({ release: { cause: 'Expired', at: ago(1) } });
    const hooks = [sampleHook({ name: 'first' }), sampleHook({ name: 'second', status: expired })];
    const { bench, acting, statusOf } = await stand(requested, hooks);
    await bench.until(recordCut(acting, volumes));
    const { phase, failure, cutObservedAt } = await statusOf();
    expect([phase, failure?.reason, failure?.message, cutObservedAt]).toEqual([
      'Failed',
      'ThawedBeforeCut',
      'before the cut was observed, hook second was thawed: Expired',
      undefined,
    ]);
  });

  it('SNAP-I2: fails the snapshot where the time of a freeze is over, which its status may not show yet', async () => {
    const preAction = { actionTimeoutSeconds: 1 };
    const resolved = {
      policy: 'ExecuteAll',
      preAction,
      origin: 'x',
      expirationSeconds: 5,
    } as const;
    const long = { actionTimestamp: '2025-01-01T00:00:00.000000Z', actionSucceed: true };
    const targets = [sampleTarget({ preActionStatus: long })];
    const status = frozen({ resolved, containerExecutionHookStatuses: targets });
    const hooks = [sampleHook({ name: 'first', status }), sampleHook({ name: 'second' })];
    const { bench, acting, annotationsOf, statusOf } = await stand(requested, hooks);
    await bench.until(recordCut(acting, volumes));
    expect((await statusOf()).failure?.message).toBe(
      'before the cut was observed, hook first had expired',
    );
    expect(await annotationsOf('second')).toEqual([]);
  });

  it('SNAP-R27: is finished at once without hooks, and warns of the clock of the storage (SNAP-CASE32)', async () => {
    const skewed = [sampleVolume('data', { creationTime: ago(600) })];
    const { bench, acting, statusOf, events } = await stand(requested, []);
    await bench.until(recordCut(acting, skewed));
    expect((await statusOf()).phase).toBe('Finishing');
    expect(events.map((text) => text.split(':')[0])).toEqual(['CutObserved', 'ClockSkew']);
  });
});

it('askHooks marks each hook that is to ask, and releases none', async () => {
  const { bench, acting, annotationsOf } = await stand(requested, two);
  const hooks = acting.facts.hooks.flatMap(({ hook }) => hook ?? []);
  await bench.until(askHooks(acting, { kind: 'askHooks', hooks, volumes }));
  expect([await annotationsOf('first'), await annotationsOf('second')]).toEqual([
    [CUT_SEEN],
    [CUT_SEEN],
  ]);
});

it('releaseNext releases the hook of its turn alone', async () => {
  const { bench, acting, annotationsOf } = await stand(requested, two);
  const [first] = acting.facts.hooks;
  if (first?.hook === undefined || first.hook === null) throw new Error('no hook');
  await bench.until(releaseNext(acting, first.hook));
  expect([await annotationsOf('first'), await annotationsOf('second')]).toEqual([
    [CUT_RELEASE],
    [],
  ]);
});

describe('makeSnapshots (SNAP-I12)', () => {
  const { volumeSnapshotUID: _, ...unmade } = sampleVolume('log');
  const planned = [sampleVolume('data', { volumeSnapshotUID: 'made-before' }), unmade];

  it('creates those that are not recorded, once, and records their UIDs', async () => {
    const { bench, acting, statusOf } = await stand({ volumes: planned }, []);
    await bench.until(makeSnapshots(acting));
    // The second call starts from the old state: it finds the VolumeSnapshot again, and the server refuses the status.
    await expect(bench.until(makeSnapshots(acting))).rejects.toThrow('has been modified');
    const all = await bench.until(bench.client.list(volumeSnapshots, { namespace: 'shop' }));
    expect(all.items.map(({ metadata }) => metadata?.name)).toEqual(['nightly-log']);
    const { volumes: recorded = [] } = await statusOf();
    expect(recorded.map(({ volumeSnapshotUID }) => volumeSnapshotUID)).toEqual([
      'made-before',
      all.items[0]?.metadata?.uid,
    ]);
  });

  it('fails where a VolumeSnapshot of that name is of another owner', async () => {
    const { bench, acting, statusOf } = await stand({ volumes: planned }, []);
    const metadata = { name: 'nightly-log', namespace: 'shop' };
    await bench.until(bench.client.create(volumeSnapshots, { metadata }));
    await bench.until(makeSnapshots(acting));
    const { phase, failure } = await statusOf();
    expect([phase, failure?.reason]).toEqual(['Failed', 'NameTaken']);
  });

  it('names the status where the server refuses only that', async () => {
    const { bench, acting, statusOf } = await stand({ volumes: planned }, []);
    let refusals = 0;
    bench.api.review = ({ resource, part }) => {
      if (resource !== applicationSnapshots || part !== 'status') return null;
      refusals += 1;
      return refusals === 1 ? refusalOf(403, 'Forbidden', 'denied by a webhook') : null;
    };
    await bench.until(makeSnapshots(acting));
    expect((await statusOf()).failure).toMatchObject({
      reason: 'CutRefused',
      message: "the server refuses the status with the snapshots' UIDs: denied by a webhook",
    });
  });
});

it.each(['+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '2036-01-01T00:00:00Z', 'x'])(
  'takes its own time where another client has changed the release after the cut to %s',
  async (at) => {
    const { client } = new SimBench();
    const hook = sampleHook({ annotations: { [CUT_RELEASE]: cutMark('ab12', at) } });
    const releasing = { client, proofs: CUT_PROOFS, token: 'ab12', nowMs: NOW_MS };
    expect(await releaseHook(hook, releasing)).toMatchObject({ kind: 'released', at: ago(0) });
  },
);

it('releases no later hook of the same name (SNAP-I2)', async () => {
  const bench = new SimBench();
  const made = sampleHook({ name: 'h', status: frozen(), finalizers: [] });
  const hook = bench.api.create(executionHooks, made) as unknown as ExecutionHook;
  const { namespace = '', name = '' } = hook.metadata ?? {};
  bench.api.delete(executionHooks, { namespace, name }, {});
  const later = bench.api.create(executionHooks, made);
  const { client } = bench;
  const releasing = { client, proofs: CUT_PROOFS, token: 'ab12', nowMs: NOW_MS };
  expect(await bench.until(releaseHook(hook, releasing))).toMatchObject({
    kind: 'notHeld',
    why: `hook ${name} was deleted`,
  });
  expect(bench.api.get(executionHooks, { namespace, name })).toEqual(later);
});
