import { describe, expect, it } from 'vitest';

import { apiVersionOf } from '../../../src/kube/object.ts';
import {
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import {
  CUT_RELEASE,
  EVIDENCE_FINALIZER,
  TAKEN_ON,
} from '../../../src/lifecycles/snapshot/names.ts';
import { noNetworkFaults } from '../controller/sim-client.ts';
import { HookBench } from './hook-bench.ts';
import { targetsIn } from './hook-views.ts';
import { HELD_HOOK, HOOK, SnapshotStand } from './stand.ts';

describe('a conformance case of the snapshot lifecycle', () => {
  it('SNAP-CASE2: freezes only the pods of the list when selectors match other pods (SNAP-R4)', async () => {
    const bench = new HookBench();
    bench.makePod('listed', ['db'], { metadata: { labels: { app: 'other' } } });
    bench.makePod('selected', ['db'], { metadata: { labels: { app: 'db' } } });
    bench.makeHook('h', {
      podContainerNamesList: [{ podName: 'listed', containerNames: ['db'] }],
      podSelector: { matchLabels: { app: 'db' } },
    });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands()).toEqual(['freeze listed/db', 'thaw listed/db']);
  });

  it('SNAP-CASE43: runs no command twice when most writes conflict (SNAP-I6, SNAP-I14)', async () => {
    const bench = new HookBench();
    bench.makePod('a', ['db', 'log']);
    bench.faults = { ...noNetworkFaults, conflict: 0.8 };
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands()).toEqual(['freeze a/db', 'freeze a/log', 'thaw a/log', 'thaw a/db']);
  });

  it('SNAP-CASE44: thaws from the next leader, and sends nothing from a leader lost during the freeze', async () => {
    const stand = new SnapshotStand({ replicas: 2 });
    let cutMs = 0;
    stand.onSend = ({ host }) => {
      if (cutMs > 0) return;
      cutMs = stand.world.elapsedMs;
      stand.replicas.find(({ host: { name } }) => name === host)?.cutOffFor(120_000);
    };
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
    const { commands } = stand.account;
    const [freeze, thaw] = commands;
    expect(commands.map(({ verb }) => verb)).toEqual(['freeze', 'thaw']);
    expect(thaw?.host).not.toBe(freeze?.host);
    expect(stand.snapshot?.status).toMatchObject({
      phase: 'Failed',
      failure: { reason: 'PreActionFailed' },
    });
    expect(stand.cluster.applications.map((each) => each.freeze)).toEqual([null]);
  });

  it('SNAP-CASE47: keeps the names of the hooks after they are deleted (SNAP-R12)', async () => {
    const stand = new SnapshotStand({ replicas: 1 });
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
    const names = stand.snapshot?.status?.executionHookNames ?? [];
    expect(names).toHaveLength(1);
    expect(stand.views.ofName(names[0] ?? '')?.isDeleted).toBe(true);
    expect(stand.snapshot?.status?.verdict).toMatchObject({
      value: 'ApplicationConsistent',
      reason: 'FrozenAtCut',
    });
  });

  it.each([
    {
      what: 'the cut in the annotation',
      isWritten: ({ metadata }: ExecutionHook) =>
        metadata?.annotations?.[CUT_RELEASE] !== undefined,
    },
    {
      what: 'the release in the status',
      isWritten: ({ status }: ExecutionHook) => status?.release !== undefined,
    },
  ])(
    'gives an Unknown verdict for a session whose controller is killed after writing $what',
    async (of) => {
      const stand = new SnapshotStand({ replicas: 1, hook: HELD_HOOK });
      let killed = false;
      stand.views.listen(({ hook }) => {
        if (killed || !of.isWritten(hook)) return;
        killed = true;
        stand.replaceAfter(10_000);
      });
      await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
      expect(stand.snapshot?.status?.verdict).toMatchObject({
        value: 'Unknown',
        reason: 'ProbeUnknown',
      });
      expect(stand.cluster.applications.map((each) => each.freeze)).toEqual([null]);
    },
  );

  it.each(['s0', 'gone'])(
    'deletes a hook created after its snapshot %s was deleted or replaced, and leaves nothing frozen',
    async (name) => {
      const stand = new SnapshotStand({ replicas: 1 });
      await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
      const { kind } = applicationSnapshots;
      const apiVersion = apiVersionOf(applicationSnapshots);
      const ownerReferences = [{ apiVersion, kind, name, uid: 'of-another', controller: true }];
      const key = { namespace: 'ns', name: 'late' };
      const late: ExecutionHook = {
        metadata: { ...key, finalizers: [EVIDENCE_FINALIZER], ownerReferences },
        spec: { ...HOOK.actions, ...HOOK.targets },
      };
      stand.api.create(executionHooks, late);
      await stand.eventually(() => stand.api.find(executionHooks, key) === undefined);
      expect(stand.cluster.applications.map((each) => each.freeze)).toEqual([null]);
      const kept = stand.views.ofName(stand.snapshot?.status?.executionHookNames?.[0] ?? '');
      expect([kept?.isDeleted, stand.snapshot?.status?.phase]).toEqual([true, 'Completed']);
    },
  );

  it('deletes a hook created again after its snapshot completed, and leaves nothing frozen', async () => {
    const stand = new SnapshotStand({ replicas: 1 });
    const seen: ExecutionHook[] = [];
    stand.views.listen(({ hook }) => seen.push(hook));
    await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
    await stand.eventually(() => [...stand.views.all.values()].every(({ isDeleted }) => isDeleted));
    const [{ metadata: { resourceVersion: _, uid: __, ...metadata } = {}, spec } = { spec: {} }] =
      seen;
    const again: ExecutionHook = { metadata, spec };
    stand.api.create(executionHooks, again);
    await stand.eventually(() => [...stand.views.all.values()].every(({ isDeleted }) => isDeleted));
    expect([stand.views.all.size, stand.snapshot?.status?.phase]).toEqual([2, 'Completed']);
    expect(stand.cluster.applications.map((each) => each.freeze)).toEqual([null]);
  });

  it('records the thaw of an unreachable session helper by its window, not when a probe finds nothing frozen', async () => {
    const session = { freeze: ['freeze', 's0.0'], thaw: ['thaw', 's0.0'], windowSeconds: 10 };
    const actions = { ...HELD_HOOK.actions, preAction: { session } };
    // A probe could not show the state of a session helper, which thaws by its own clock.
    const hook = { ...HELD_HOOK, actions, probed: false };
    const stand = new SnapshotStand({ replicas: 1, hook });
    const hooks = (): ExecutionHook[] => [...stand.views.all.values()].map((view) => view.hook);
    await stand.eventually(() => hooks().some(({ status }) => status?.preActionSucceed === true));
    // The connection becomes silent, the controller is killed, and a user thaws by hand.
    stand.replicas[0]?.cutOffFor(1);
    stand.replaceAfter(100);
    stand.cluster.applications[0]?.endFreeze('thawed by hand');
    const thawedBy = (): unknown[] => hooks().flatMap((each) => targetsIn(each)[0]?.thawedBy ?? []);
    await stand.eventually(() => thawedBy().length > 0);
    expect(thawedBy()).toEqual(['deadman']);
    const byHolder = stand.account.commands.filter(({ host }) => host === null);
    expect(byHolder.map(({ verb }) => verb)).toEqual(['thaw']);
  });

  it('SNAP-CASE48: releases a deleted hook that cannot thaw when a user marks the thaw as done by hand (SNAP-G15)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('thaw', { exitCode: 1 });
    bench.makeHook('h', {
      postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 3 },
    });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('overdue', () => bench.condition('Thawed') === 'ThawOverdue');
    await bench.pass(600_000);
    expect(bench.isDeleted()()).toBe(false);
    bench.annotate('h', { [TAKEN_ON]: 'ann' });
    await bench.eventually('gone', bench.isDeleted());
  });
});
