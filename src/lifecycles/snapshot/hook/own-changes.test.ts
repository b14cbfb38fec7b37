import { beforeEach, describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import type { Change } from '../../../controller/informer.ts';
import type { ExecutionHook } from '../kinds.ts';
import { OwnChanges } from './own-changes.ts';

const BEGUN = { resolved: { policy: 'ExecuteAll' }, containerExecutionHookStatuses: [] };

function version(resourceVersion: string, more: object = {}): ExecutionHook {
  const hook = { metadata: { name: 'h', uid: 'u', resourceVersion }, spec: {}, status: BEGUN };
  return { ...hook, ...more } as unknown as ExecutionHook;
}

function change(before: ExecutionHook | null, after: ExecutionHook | null): Change<ExecutionHook> {
  return { key: 'ns/h', before, after };
}

describe('a change of a hook', () => {
  let newest: ExecutionHook | undefined;
  let woken: string[];
  let changes: OwnChanges;

  beforeEach(() => {
    woken = [];
    newest = version('2');
    changes = new OwnChanges({ newest: () => newest, wake: (key) => woken.push(key) });
  });

  function reconcile(end: ExecutionHook | null, during: () => void = () => {}): void {
    changes.starts('ns/h');
    during();
    if (end !== null) changes.rests('ns/h', end);
    changes.ends('ns/h');
  }

  it('does not matter if it is the version that the last reconcile has written', () => {
    reconcile(version('2'));
    expect(changes.matters(change(version('1'), version('2')))).toBe(false);
  });

  it('matters if another client has written since', () => {
    reconcile(version('2'));
    newest = version('3');
    expect(changes.matters(change(version('2'), version('3')))).toBe(true);
  });

  it('matters if the server was restored to an older version', () => {
    reconcile(version('2'));
    newest = version('1');
    expect(changes.matters(change(version('2'), version('1')))).toBe(true);
  });

  it('matters if the last reconcile has not ended with this version', () => {
    reconcile(version('2'));
    reconcile(null);
    expect(changes.matters(change(version('1'), version('2')))).toBe(true);
  });

  it('matters if the hook was forgotten', () => {
    reconcile(version('2'));
    changes.forget('ns/h');
    expect(changes.matters(change(version('1'), version('2')))).toBe(true);
  });

  it('matters if the cache has had no targets of it before', () => {
    reconcile(version('2'));
    const before = version('1', { status: {} });
    expect(changes.matters(change(before, version('2')))).toBe(true);
  });

  it.each([
    { what: 'new', before: null, after: version('2') },
    { what: 'deleted', before: version('2'), after: null },
    {
      what: 'another one of its name',
      before: version('1', { metadata: { uid: 'other', resourceVersion: '1' } }),
      after: version('2'),
    },
  ])('matters if the hook is $what', ({ before, after }) => {
    reconcile(version('2'));
    expect(changes.matters(change(before, after))).toBe(true);
  });

  it('starts no other reconcile if it arrives during the one that has written it', () => {
    const received: boolean[] = [];
    reconcile(version('2'), () => {
      received.push(changes.matters(change(version('1'), version('2'))));
    });
    expect({ received, woken }).toEqual({ received: [false], woken: [] });
  });

  it.each([
    { what: 'ends with an older version', end: version('1') },
    { what: 'fails', end: null },
    { what: 'was of another hook', end: version('2', { metadata: { resourceVersion: '2' } }) },
  ])('starts another reconcile after the one during which it arrives if that $what', ({ end }) => {
    reconcile(end, () => changes.matters(change(version('1'), version('2'))));
    expect(woken).toEqual(['ns/h']);
  });

  it('starts another reconcile if the hook is in no cache at the end of the running one', () => {
    reconcile(version('2'), () => {
      changes.matters(change(version('1'), version('2')));
      newest = undefined;
    });
    expect(woken).toEqual(['ns/h']);
  });
});

describe('the controller of hooks', () => {
  it('does not reconcile a hook again for a write of its own, while the thaw runs', async () => {
    const bench = new HookBench();
    bench.behaviours.set('thaw', { exitCode: 0, ms: 1_000 });
    bench.makePod('a');
    bench.start();
    bench.makeHook('h');
    await bench.eventually('frozen', bench.isFrozen());
    await bench.pass(1_000);
    const before = bench.passes.length;
    bench.deleteHook('h');
    await bench.eventually('thaw begun', () => bench.commands().includes('thaw a/db'));
    await bench.pass(500);
    const reconciles = bench.passes.slice(before).filter(({ type }) => type === 'PassStarted');
    expect(reconciles).toHaveLength(1);
  });
});
