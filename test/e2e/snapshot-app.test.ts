import { beforeAll, describe, expect, it } from 'vitest';

import { contents, snapshots } from '../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  type ApplicationSnapshotSpec,
  executionHooks,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { VERDICT, VERDICT_EVIDENCE, VERDICT_REASON } from '../../src/lifecycles/snapshot/names.ts';
import { deleted } from '../fixtures/api-cases/case.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type AppStand, reasonsOf, settled, snapshotOf } from './snapshot-app-stand.ts';
import { CLASS, LATE_CLASS, reportPod } from './snapshot-app-storage.ts';
import { hooked, openWorlds, type World } from './snapshot-app-world.ts';

let stand: AppStand;
const { stand: standOfFile, open: world } = openWorlds();

beforeAll(() => {
  stand = standOfFile();
});

/** Expects the same marks on the snapshot and on its content. */
async function expectMarks(
  { namespace }: World,
  { volumes = [] }: NonNullable<ApplicationSnapshot['status']>,
): Promise<void> {
  const { client } = stand;
  const { volumeSnapshotName: name = '' } = volumes[0] ?? {};
  const snapshot = await client.get(snapshots, { namespace, name });
  const content = snapshot.status?.boundVolumeSnapshotContentName ?? '';
  for (const { metadata = {} } of [snapshot, await client.get(contents, { name: content })]) {
    expect(metadata.labels).toMatchObject({
      [VERDICT]: 'ApplicationConsistent',
      [VERDICT_REASON]: 'FrozenAtCut',
    });
    expect(metadata.annotations?.[VERDICT_EVIDENCE]).toContain('"pod":"db-0"');
  }
}

describe('a snapshot with hooks', () => {
  it('freezes, cuts, thaws at the cut and not only when it is ready, and is ApplicationConsistent (SNAP-R29, SNAP-R33, SNAP-CASE28)', async () => {
    await using here = await world({ claims: ['data'] });
    const { client } = stand;
    const key = await here.make(hooked('good'));
    await here.storage.cut('data');
    await eventually('thawed before ready', async () => here.log().includes('thawed 0'));
    const thawed = await eventually('the evidence', async () => {
      const found = await snapshotOf(stand, key);
      return found.status?.phase === 'Finishing' ? found : null;
    });
    expect(thawed.status?.completedAt).toBeUndefined();
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Cut', 'thawed 0']);
    await here.storage.ready('data');
    const { status = {}, metadata } = await settled(stand, key);
    expect(status).toMatchObject({
      phase: 'Completed',
      verdict: { value: 'ApplicationConsistent', reason: 'FrozenAtCut' },
      hooks: [{ targets: [{ podName: 'db-0', identity: 'Same', thawedBy: 'post' }] }],
    });
    const hookName = `nightly-${String(metadata?.uid).slice(0, 8)}-hook-0`;
    expect(status.executionHookNames).toEqual([hookName]);
    await deleted(client, executionHooks, { namespace: here.namespace, name: hookName });
    await expectMarks(here, status);
    expect(stand.reported.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['CutObserved', 'Verdict']),
    );
    const reasons = await eventually('the events', async () => {
      const found = await reasonsOf(stand, key);
      return found.includes('ApplicationConsistent') ? found : null;
    });
    expect(reasons).toEqual(['ApplicationConsistent', 'CutObserved', 'Freezing', 'Planned']);
  });

  it('of a class that trusts only readyToUse thaws when it is ready (SNAP-CASE31)', async () => {
    await using here = await world({ claims: ['data'] });
    const key = await here.make({ ...hooked('good'), volumeSnapshotClassName: LATE_CLASS });
    await here.storage.cut('data');
    await new Promise((go) => {
      setTimeout(go, 500);
    });
    expect(here.log()).toEqual(['freeze 0']);
    await here.storage.ready('data');
    const { status } = await settled(stand, key);
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Cut', 'thawed 0']);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
  });

  it('thaws its hooks in reverse order, one after the other (SNAP-G18, SNAP-CASE33)', async () => {
    await using here = await world({ claims: ['data', 'log'], manners: { slow: { thawMs: 300 } } });
    const key = await here.make(hooked('slow', 'slow', 'slow'));
    await here.storage.cut('data');
    expect(here.log()).toEqual(['freeze 0', 'freeze 1', 'freeze 2']);
    await here.storage.cut('log');
    for (const claim of ['data', 'log']) await here.storage.ready(claim);
    const { status } = await settled(stand, key);
    expect(here.log().slice(3)).toEqual([
      'thaw 2 Cut',
      'thawed 2',
      'thaw 1 Cut',
      'thawed 1',
      'thaw 0 Cut',
      'thawed 0',
    ]);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
  });

  it('has the verdict Unknown and thaws when its container was restarted (SNAP-CASE36)', async () => {
    await using here = await world({ claims: ['data'], manners: { slow: { thawMs: 300 } } });
    const key = await here.make(hooked('slow'));
    await here.storage.asked('data');
    const pod = { namespace: here.namespace, name: 'db-0' };
    await reportPod(stand.client, pod, { restartCount: 1, containerID: 'hand://2' });
    await here.storage.cut('data');
    await here.storage.ready('data');
    const { status } = await settled(stand, key);
    expect(status?.verdict).toMatchObject({ value: 'Unknown', reason: 'TargetChanged' });
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Cut', 'thawed 0']);
  });

  it('is consistent when its postAction fails, reports it, and keeps its hook (SNAP-R20, SNAP-CASE47)', async () => {
    await using here = await world({ claims: ['data'], manners: { stuck: { post: false } } });
    const key = await here.make(hooked('stuck'));
    await here.storage.cut('data');
    await here.storage.ready('data');
    const { status } = await settled(stand, key);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
    expect(status?.verdict?.message).toContain('postAction');
    const { items } = await stand.client.list(executionHooks, { namespace: here.namespace });
    expect(items.map(({ metadata }) => metadata?.deletionTimestamp)).toEqual([undefined]);
    await eventually('it is told', async () =>
      (await reasonsOf(stand, key)).includes('PostActionFailed'),
    );
  });

  it('continues in each phase after a restart of the controller (SNAP-I13, SNAP-CASE20)', async () => {
    await using here = await world({ claims: ['data'] });
    const restart = async (): Promise<void> => {
      await stand.stop();
      stand.start();
    };
    const key = await here.make(hooked('good', 'good'));
    await eventually('it freezes', async () => here.log().length > 0);
    await restart();
    const asked = await here.storage.asked('data');
    await restart();
    await stand.stop();
    await here.storage.cut('data');
    stand.start();
    await eventually('it thaws', async () => here.log().includes('thaw 1 Cut'));
    await restart();
    await here.storage.ready('data');
    const { status } = await settled(stand, key);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
    expect(here.log()).toEqual([
      'freeze 0',
      'freeze 1',
      'thaw 1 Cut',
      'thawed 1',
      'thaw 0 Cut',
      'thawed 0',
    ]);
    expect(status?.volumes?.[0]?.volumeSnapshotUID).toBe(asked.metadata?.uid);
  });
});

describe('a snapshot without hooks', () => {
  it('of an unused volume creates no hook and has the reason NotInUse (SNAP-R28, SNAP-CASE23)', async () => {
    await using here = await world({ claims: ['data'], isUsed: false });
    const key = await here.make(hooked('good'));
    await here.storage.cut('data');
    await here.storage.ready('data');
    const { status } = await settled(stand, key);
    expect(status?.verdict).toMatchObject({ value: 'CrashConsistent', reason: 'NotInUse' });
    expect(status?.executionHookNames).toEqual([]);
    expect(here.log()).toEqual([]);
  });

  it('of two volumes in use is Inconsistent, cut at different moments (SNAP-R27)', async () => {
    await using here = await world({ claims: ['data', 'log'] });
    const key = await here.make({});
    for (const claim of ['data', 'log']) {
      await here.storage.cut(claim);
      await here.storage.ready(claim);
    }
    const { status } = await settled(stand, key);
    expect(status?.verdict).toMatchObject({
      value: 'Inconsistent',
      reason: 'CutAtDifferentMoments',
    });
  });

  it('fails at once with reason NoClass when its class does not exist', async () => {
    await using here = await world({ claims: ['data'] });
    const key = await here.make({ volumeSnapshotClassName: 'nobody' });
    const { status } = await settled(stand, key);
    expect(status?.failure).toMatchObject({
      reason: 'NoClass',
      message: 'claim data: VolumeSnapshotClass nobody does not exist',
    });
  });
});

describe('a group snapshot', () => {
  const group: Partial<ApplicationSnapshotSpec> = {
    source: { selector: { matchLabels: { app: 'db' } } },
    mode: 'Group',
    volumeGroupSnapshotClassName: CLASS,
  };

  it('is consistent, and its members carry the verdict (SNAP-R35)', async () => {
    await using here = await world({ claims: ['data', 'log'] });
    const { client } = stand;
    const key = await here.make({ ...group, ...hooked('good') });
    await here.storage.cutGroup(['data', 'log']);
    const { status } = await settled(stand, key);
    expect(status?.verdict?.value).toBe('ApplicationConsistent');
    const { items } = await client.list(snapshots, { namespace: here.namespace });
    expect(items.map(({ metadata }) => metadata?.labels?.[VERDICT])).toEqual([
      'ApplicationConsistent',
      'ApplicationConsistent',
    ]);
  });

  it('is Inconsistent when it lacks a planned volume (SNAP-CASE39)', async () => {
    await using here = await world({ claims: ['data', 'log'] });
    const key = await here.make(group);
    await here.storage.cutGroup(['data']);
    const { status } = await settled(stand, key);
    expect(status?.verdict).toMatchObject({ value: 'Inconsistent', reason: 'VolumeMissing' });
    expect(status?.verdict?.message).toContain('log');
  });
});
