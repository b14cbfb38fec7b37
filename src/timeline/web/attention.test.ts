import { describe, expect, it } from 'vitest';

import type { Bar } from '../bar.ts';
import { attentionOf, RECENT_MS } from './attention.ts';

const NOW = 10 * RECENT_MS;
const MINUTE = 60_000;

/** A hook that failed ten minutes ago. */
const hook = (id: string, more: Partial<Bar> = {}): Bar => ({
  id,
  lifecycle: 'pipeline',
  lane: 'build/web',
  kind: 'hook',
  run: 'build 1',
  point: 'build before',
  name: 'generate',
  attempt: 1,
  startMs: NOW - 11 * MINUTE,
  endMs: NOW - 10 * MINUTE,
  outcome: 'Failed',
  ...more,
});

const frozen = (id: string, more: Partial<Bar> = {}): Bar =>
  hook(id, {
    lifecycle: 'snapshot',
    lane: 'shop/db-0/postgres',
    kind: 'frozen',
    run: 'nightly',
    endMs: null,
    outcome: 'Running',
    ...more,
  });

const rollout = (id: string, run: string, more: Partial<Bar> = {}): Bar =>
  hook(id, { lifecycle: 'rollout', lane: 'shop/web', kind: 'phase', run, name: run, ...more });

const found = (...bars: Bar[]): string[] =>
  attentionOf(bars, NOW).map(({ kind, bar }) => `${kind} ${bar.id}`);

describe('attentionOf', () => {
  it('lists an overdue thaw first, then freezes from the longest, held rollouts and failures', () => {
    const later = frozen('later', { startMs: NOW - MINUTE });
    const longest = frozen('longest', { startMs: NOW - 30 * MINUTE });
    const overdue = frozen('overdue', { evidence: { thaw: 'overdue' } });
    const held = rollout('held', 'rollout 3', { evidence: { phase: 'Held' } });
    expect(found(hook('failed'), held, later, longest, overdue)).toEqual([
      'overdue overdue',
      'frozen longest',
      'frozen later',
      'held held',
      'failed failed',
    ]);
  });

  it('lists nothing when every freeze is thawed and every run succeeded', () => {
    const thawed = frozen('thawed', { endMs: NOW - MINUTE, outcome: 'Succeeded' });
    expect(found(thawed, hook('good', { outcome: 'Succeeded' }))).toEqual([]);
  });

  it('omits a failure that ended more than an hour ago, but no freeze and no held rollout', () => {
    const old = { startMs: 1_000, endMs: NOW - RECENT_MS };
    const held = rollout('held', 'rollout 3', { ...old, evidence: { phase: 'Held' } });
    expect(found(hook('old', old), frozen('frozen', { startMs: 1 }), held)).toEqual([
      'frozen frozen',
      'held held',
    ]);
    expect(found(hook('recent', { ...old, endMs: NOW - RECENT_MS + 1 }))).toEqual([
      'failed recent',
    ]);
  });

  it('lists a run once, by the first hook whose last attempt failed', () => {
    const phase = hook('phase', { kind: 'phase', startMs: NOW - 12 * MINUTE, name: 'build' });
    const second = hook('second', { name: 'scan', startMs: NOW - 10.5 * MINUTE });
    expect(found(phase, second, hook('first'))).toEqual(['failed first']);
  });

  it('omits a hook whose retry in the same run succeeded', () => {
    const retry = { attempt: 2, startMs: NOW - 9 * MINUTE, outcome: 'Succeeded' } as const;
    expect(found(hook('one'), hook('two', retry))).toEqual([]);
    expect(found(hook('one'), hook('two', { ...retry, outcome: 'Unknown' }))).toEqual([
      'failed two',
    ]);
  });

  it('uses the outcome of the whole rollout, not that of its hooks', () => {
    const own = { lifecycle: 'rollout', lane: 'shop/web', run: 'rollout 3' } as const;
    const bad = hook('bad', own);
    expect(found(bad, rollout('whole', 'rollout 3', { outcome: 'Succeeded' }))).toEqual([]);
    expect(found(bad, rollout('whole', 'rollout 3'))).toEqual(['failed whole']);
    expect(found(bad, rollout('whole', 'rollout 3', { endMs: null, outcome: 'Running' }))).toEqual([
      'failed bad',
    ]);
  });

  it('lists a failure last when a later run of the same step succeeded', () => {
    const success = { run: 'build 2', startMs: NOW - MINUTE, outcome: 'Succeeded' } as const;
    const other = hook('other', { lane: 'build/api', run: 'build 9', endMs: NOW - 50 * MINUTE });
    expect(found(hook('failed'), hook('good', success), other)).toEqual([
      'failed other',
      'settled failed',
    ]);
  });

  it('omits a held rollout after a newer rollout of the same Deployment', () => {
    const held = rollout('held', 'rollout 3', { evidence: { phase: 'Held' } });
    const newer = rollout('newer', 'rollout 4', {
      startMs: NOW - MINUTE,
      endMs: null,
      outcome: 'Running',
    });
    expect(found(held, newer)).toEqual(['failed held']);
    expect(found(held, { ...newer, lane: 'shop/api' })).toEqual(['held held']);
  });

  it('keeps runs of the same name in two namespaces apart', () => {
    const pod = { lifecycle: 'pod', run: 'web-0', name: 'drain' } as const;
    const one = hook('one', { ...pod, lane: 'shop/web-0/web' });
    const two = hook('two', { ...pod, lane: 'test/web-0/web' });
    expect(found(one, two)).toEqual(['failed one', 'failed two']);
  });
});
