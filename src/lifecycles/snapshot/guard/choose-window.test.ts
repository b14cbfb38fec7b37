import { describe, expect, it } from 'vitest';

import {
  sampleEntry,
  sampleGuard,
  sampleWindow,
} from '../../../../test/fixtures/snapshot/guard-samples.ts';
import type { ApplicationSnapshot, ApplicationSnapshotStatus } from '../kinds.ts';
import { ADMITTED_CLAIMS_MAX, ADMITTED_MAX } from '../schema/limits.ts';
import { chooseWindow, type WaitingRequest, type WindowStep } from './choose-window.ts';

const AT = '2026-01-01T00:00:00.000000Z';
const FROZEN = { cutRequestedAt: AT } as const;
const request: WaitingRequest = {
  asked: { uid: 'u' },
  claimNames: ['data'],
  input: { guard: sampleGuard(), claimNames: ['data'] },
  joined: null,
  newestNumber: 3,
  hasHalfItsTime: false,
  nowMs: Date.parse(AT),
  overForMs: 0,
};

function chosen(
  window: ApplicationSnapshot | null,
  more: Partial<WaitingRequest> = {},
): WindowStep {
  return chooseWindow(window, { ...request, ...more });
}

const withStatus = (status: ApplicationSnapshotStatus): ApplicationSnapshot =>
  sampleWindow(3, status);

describe('the window of a request', () => {
  it('is opened if there is none, and joined while it freezes (SNAP-W6)', () => {
    expect(chosen(null, { newestNumber: 0 })).toEqual({ kind: 'open', number: 1 });
    expect(chosen(withStatus({}))).toEqual({ kind: 'join' });
    expect(chosen(withStatus({ phase: 'Freezing' }))).toEqual({ kind: 'join' });
  });

  it('gets a number that no deleted window had (SNAP-W6)', () => {
    expect(chosen(null)).toEqual({ kind: 'open', number: 4 });
  });

  it('admits it only when the freeze is durable (SNAP-W1)', () => {
    expect(chosen(withStatus(FROZEN))).toEqual({ kind: 'admit' });
  });

  it('has admitted a repeated call already (SNAP-W2)', () => {
    expect(chosen(withStatus({ ...FROZEN, admitted: [sampleEntry('u')] }))).toEqual({
      kind: 'admitted',
    });
    const admitted = [sampleEntry('before'), sampleEntry('u')];
    expect(chosen(withStatus({ ...FROZEN, admitted }))).toEqual({ kind: 'admitted' });
  });

  it.each<[string, ApplicationSnapshotStatus]>([
    ['closed', { ...FROZEN, closedAt: AT }],
    ['released', { ...FROZEN, cutObservedAt: AT }],
    ['completed', { ...FROZEN, completedAt: AT }],
    ['failed before this request came', { failure: { reason: 'X', message: 'x', at: AT } }],
  ])('that is %s admits nothing: the next one is opened (SNAP-W2)', (_, status) => {
    expect(chosen(withStatus(status))).toEqual({ kind: 'open', number: 4 });
  });

  it('is not opened before the application has rested from a vain freeze (SNAP-W14)', () => {
    const closedAt = '2026-01-01T00:00:05.000000Z';
    const vain = withStatus({ ...FROZEN, closedAt, executionHookNames: ['h'] });
    const nowMs = Date.parse(closedAt);
    expect(chosen(vain, { nowMs })).toMatchObject({ kind: 'rest', ms: 5_000 });
    expect(chosen(vain, { nowMs: nowMs + 4_999 })).toMatchObject({ kind: 'rest', ms: 1 });
    expect(chosen(vain, { nowMs: nowMs + 5_000 })).toEqual({ kind: 'open', number: 4 });
  });

  it('that is being deleted admits nothing (SNAP-W2)', () => {
    const window = withStatus(FROZEN);
    const metadata = { ...window.metadata, deletionTimestamp: AT };
    expect(chosen({ ...window, metadata })).toEqual({ kind: 'open', number: 4 });
    const { status: _, ...fresh } = { ...window, metadata };
    expect(chosen(fresh, { joined: 'window-3' })).toEqual({ kind: 'open', number: 4 });
  });

  it('whose freeze it has waited for, and which failed, is its answer (SNAP-W8)', () => {
    const failed = withStatus({ failure: { reason: 'PreActionFailed', message: 'no', at: AT } });
    const answer = { kind: 'failed', reason: 'PreActionFailed', message: 'no' };
    expect(chosen(failed, { joined: 'window-3' })).toEqual(answer);
    expect(chosen(failed, { joined: 'window-2' })).toEqual({ kind: 'open', number: 4 });
  });

  it('whose freeze took too long is not the answer to a request that still has time (SNAP-W8)', () => {
    const failure = { reason: 'FreezeTimeout', message: 'slow', at: AT };
    const afterIt = (hasHalfItsTime: boolean): string =>
      chosen(withStatus({ failure }), { joined: 'window-3', hasHalfItsTime }).kind;
    expect([afterIt(true), afterIt(false)]).toEqual(['open', 'failed']);
    const other = { ...failure, reason: 'PreActionFailed' };
    const step = chosen(withStatus({ failure: other }), {
      joined: 'window-3',
      hasHalfItsTime: true,
    });
    expect(step.kind).toBe('failed');
  });

  it('is none if a user created a snapshot under its name: the next one is opened (SNAP-W6)', () => {
    const named = withStatus({});
    const { window: own, ...spec } = named.spec;
    expect(chosen({ ...named, spec })).toEqual({ kind: 'open', number: 4 });
    const ofOther = { ...spec, window: { ...own, guardName: 'other' } as never };
    expect(chosen({ ...named, spec: ofOther })).toEqual({ kind: 'open', number: 4 });
  });

  it('is waited for, and not joined, if it was opened before a change of the guard (SNAP-W11)', () => {
    const guard = sampleGuard({ executionHookInfos: [{ executionHookTemplateName: 'other' }] });
    const input = { guard, claimNames: ['data'] };
    expect(chosen(withStatus(FROZEN), { input })).toEqual({
      kind: 'wait',
      message: 'it was opened before the guard was changed',
    });
    expect(chosen(withStatus({ ...FROZEN, closedAt: AT }), { input })).toMatchObject({
      kind: 'open',
    });
  });

  it('is waited for if it lacks a claim, is sealed or is full (SNAP-W6)', () => {
    const sealed = withStatus({ ...FROZEN, sealedAt: AT });
    const many = Array.from({ length: ADMITTED_MAX }, (_, index) => sampleEntry(`${index}`));
    const [first = sampleEntry('0')] = many;
    const claimNames = Array.from({ length: ADMITTED_CLAIMS_MAX }, (_, index) => `${index}`);
    const waits = (message: string): WindowStep => ({ kind: 'wait', message });
    const full = 'it is full: a window admits at most 50 snapshots, of at most 200 claims';
    expect(chosen(withStatus(FROZEN), { claimNames: ['new'] })).toEqual(
      waits('it was opened before claim new existed'),
    );
    expect(chosen(sealed)).toEqual(waits('it admits nothing more until its snapshots are cut'));
    expect(chosen(withStatus({ ...FROZEN, admitted: many }))).toEqual(waits(full));
    expect(chosen(withStatus({ ...FROZEN, admitted: many.slice(1) }))).toEqual({ kind: 'admit' });
    const large = withStatus({ ...FROZEN, admitted: [{ ...first, claimNames }] });
    expect(chosen(large)).toEqual(waits(full));
    const rest = [{ ...first, claimNames: claimNames.slice(1) }];
    expect(chosen(withStatus({ ...FROZEN, admitted: rest }))).toEqual({ kind: 'admit' });
  });

  it('is still the same when the claims of the guard change (SNAP-W6)', () => {
    const input = { guard: sampleGuard(), claimNames: ['data', 'more'] };
    expect(chosen(withStatus(FROZEN), { input })).toEqual({ kind: 'admit' });
  });
});
