import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';
import { beforeAll, describe, expect, it } from 'vitest';

import { microTimeText } from '../../src/controller/kube-time.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { persistentVolumeClaims } from '../../src/kube/resources.ts';
import { contents, snapshots } from '../../src/kube/snapshots.ts';
import { withProof } from '../../src/lifecycles/snapshot/cut-mark.ts';
import { releaseHook } from '../../src/lifecycles/snapshot/app/cut-steps.ts';
import { applicationSnapshots, executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { VERDICT_REASON } from '../../src/lifecycles/snapshot/names.ts';
import { deleted } from '../fixtures/api-cases/case.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { fastPlatform } from '../fixtures/pipeline/fast-platform.ts';
import { type AppStand, reasonsOf, settled, snapshotOf } from './snapshot-app-stand.ts';
import { hooked, openWorlds } from './snapshot-app-world.ts';

let stand: AppStand;
const { stand: standOfFile, open: world } = openWorlds();

beforeAll(() => {
  stand = standOfFile();
});

describe('a snapshot that fails', () => {
  it('thaws the earlier hook and cuts nothing when one freeze fails, and is not retried (SNAP-R31, SNAP-CASE33)', async () => {
    await using here = await world({ claims: ['data'], manners: { bad: { pre: false } } });
    const { client } = stand;
    const key = await here.make(hooked('good', 'bad', 'good'));
    const { status } = await settled(stand, key);
    expect(status).toMatchObject({ phase: 'Failed', failure: { reason: 'PreActionFailed' } });
    expect(status?.failure?.message).toContain('it would not freeze');
    expect(here.log()).toEqual([
      'freeze 0',
      'freeze 1',
      'thaw 1 PreFailed',
      'thawed 1',
      'thaw 0 Deleted',
      'thawed 0',
    ]);
    const { items } = await client.list(snapshots, { namespace: here.namespace });
    expect(items).toEqual([]);
    expect(status?.verdict).toBeUndefined();
    // The controller deletes a thawed hook a moment after it reports the failure.
    const left = async (): Promise<Pick<ObjectMeta, 'name' | 'finalizers'>[]> => {
      const found = await client.list(executionHooks, { namespace: here.namespace });
      return found.items.map(({ metadata = {} }) => metadata);
    };
    await eventually('one hook is left', async () => (await left()).length === 1);
    expect(await left()).toMatchObject([{ name: expect.stringMatching(/hook-1$/) as string }]);
    expect((await left())[0]?.finalizers).toBeUndefined();
  });

  it('thaws when it expires before the cut, and labels the late cut (SNAP-G13, SNAP-CASE21 and SNAP-CASE30)', async () => {
    let isBound = false;
    const short = { isExpired: () => isBound };
    await using here = await world({ claims: ['data'], manners: { short } });
    const { client } = stand;
    const key = await here.make(hooked('short'));
    const asked = await here.storage.asked('data');
    const content = await here.storage.bind(asked);
    isBound = true;
    const { status } = await settled(stand, key);
    expect(status).toMatchObject({
      phase: 'Failed',
      failure: { reason: 'ThawedBeforeCut' },
      verdict: { value: 'Inconsistent', reason: 'ThawedBeforeCut' },
    });
    await deleted(client, snapshots, { ...key, name: asked.metadata?.name ?? '' });
    await here.storage.cutContent(content);
    await eventually('the late cut is told', async () => {
      const found = await client.get(contents, { name: content });
      return found.metadata?.labels?.[VERDICT_REASON] === 'LateCut';
    });
    await eventually('and seen', async () => (await reasonsOf(stand, key)).includes('LateCut'));
    expect((await snapshotOf(stand, key)).status?.verdict?.reason).toBe('ThawedBeforeCut');
  });

  it('thaws at the deadline of the cut (SNAP-R32, SNAP-CASE22 and SNAP-CASE30)', async () => {
    await using here = await world({ claims: ['data'] });
    const key = await here.make({ ...hooked('good'), cutDeadlineSeconds: 8 });
    const asked = await here.storage.asked('data');
    await here.storage.fails('data', 'the array is on fire');
    const { status } = await settled(stand, key);
    expect(status?.failure?.reason).toBe('CutDeadlineExceeded');
    expect(status?.failure?.message).toContain('the array is on fire');
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Deleted', 'thawed 0']);
    await deleted(stand.client, snapshots, { ...key, name: asked.metadata?.name ?? '' });
  });

  it('thaws when it is deleted halfway, then is deleted with its hooks and volume snapshots', async () => {
    await using here = await world({ claims: ['data'], manners: { slow: { thawMs: 300 } } });
    const { client } = stand;
    const key = await here.make(hooked('slow'));
    const asked = await here.storage.asked('data');
    await client.delete(applicationSnapshots, key);
    await deleted(client, applicationSnapshots, key);
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Deleted', 'thawed 0']);
    await deleted(client, snapshots, { ...key, name: asked.metadata?.name ?? '' });
    await eventually('no hooks', async () => {
      const { items } = await client.list(executionHooks, { namespace: here.namespace });
      return items.length === 0;
    });
  });

  it('fails and thaws when its claim is deleted while it freezes', async () => {
    await using here = await world({ claims: ['data'], manners: { hangs: { pre: null } } });
    const { client } = stand;
    const key = await here.make(hooked('hangs'));
    await eventually('it freezes', async () => here.log().length > 0);
    await client.delete(persistentVolumeClaims, { namespace: here.namespace, name: 'data' });
    const { status } = await settled(stand, key);
    expect(status?.failure?.reason).toBe('ClaimGone');
    expect(here.log()).toEqual(['freeze 0', 'thaw 0 Deleted', 'thawed 0']);
  });

  it('thaws although it cannot write its own status', async () => {
    await using here = await world({ claims: ['data'] });
    await stand.stop();
    // The controller thaws at the 12th failed write, half a minute after the first.
    const refusing = (client: KubeClient): KubeClient => ({
      ...client,
      replaceStatus: async (resource, object, options) => {
        const { status = {} } = object as { status?: { phase?: string } };
        if (status.phase === 'Cutting' || status.phase === 'Failed') throw new Error('no space');
        return client.replaceStatus(resource, object, options);
      },
    });
    stand.start(refusing, fastPlatform);
    const key = await here.make(hooked('good'));
    await eventually('it is thawed', async () => here.log().includes('thawed 0'));
    await stand.stop();
    stand.start();
    const { status } = await settled(stand, key);
    expect(status?.failure?.reason).toBe('ThawedBeforeCut');
  });
});

describe('the request for a thaw', () => {
  const key = { namespace: 'default', name: 'by-hand' };

  it('counts only while the hook is still held, whatever version of it was read (SNAP-I2)', async () => {
    const { client } = stand;
    const made = await client.create(executionHooks, {
      metadata: key,
      spec: { podSelector: {}, executionHookTemplateName: 'none' },
    });
    const frozen = await client.replaceStatus(executionHooks, {
      ...made,
      status: { preActionSucceed: true },
    });
    const touched = { metadata: { annotations: { seen: 'yes' } } };
    await client.patch(executionHooks, key, { type: 'merge', body: touched });
    const current = await client.get(executionHooks, key);
    const release = { cause: 'Expired', at: microTimeText(0) } as const;
    const status = { ...current.status, release };
    await client.replaceStatus(executionHooks, { ...current, status });
    const token = 'ab12';
    const releasing = { client, token, proofs: withProof({}, token), nowMs: 0 };
    expect((await releaseHook(frozen, releasing)).kind).toBe('notHeld');
    const { release: _, ...held } = status;
    const marked = await client.get(executionHooks, key);
    await client.replaceStatus(executionHooks, { ...marked, status: held });
    const released = await releaseHook(frozen, releasing);
    expect(released).toMatchObject({ kind: 'released', hook: { status: held } });
    const later = { ...releasing, nowMs: 9_000 };
    expect(await releaseHook(released.hook ?? frozen, later)).toMatchObject({
      at: microTimeText(0),
    });
  });
});
