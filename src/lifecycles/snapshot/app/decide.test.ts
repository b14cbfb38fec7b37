import { describe, expect, it } from 'vitest';

import {
  ago,
  frozen,
  NOW_MS,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleSnapshot,
  sampleTarget,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import { RELEASE } from '../names.ts';
import { decide } from './decide.ts';
import type { SnapshotFacts } from './facts.ts';

const told = (facts: SnapshotFacts): string => stepText(decide(facts));
const of = (sample: SampleFacts): string => told(sampleFacts(sample));

const undecided = frozen({ containerExecutionHookStatuses: [] });
delete undecided.preActionSucceed;
const hookThat = (name: string, more: Parameters<typeof sampleHook>[0] = {}) =>
  sampleHook({ name, ...more });
const freezing = (name: string) => hookThat(name, { status: undecided });
const refused = (name: string) =>
  hookThat(name, {
    status: {
      preActionSucceed: false,
      containerExecutionHookStatuses: [
        sampleTarget({ preActionStatus: { actionTimestamp: ago(3), actionSucceed: false } }),
      ],
    },
  });
const expired = (name: string) =>
  hookThat(name, { status: frozen({ release: { cause: 'Expired', at: ago(1) } }) });

describe('the beginning', () => {
  const fresh = (snapshot: SnapshotFacts['snapshot']): SnapshotFacts => ({
    ...sampleFacts(),
    snapshot,
  });

  it.each<[string, SnapshotFacts['snapshot'], string]>([
    ['our finalizer comes first', { ...sampleSnapshot(), metadata: {} }, 'addFinalizer'],
    ['then the plan', sampleSnapshot(), 'plan'],
    [
      'case 38: matchExpressions are refused before anything',
      sampleSnapshot(undefined, {
        mode: 'Group',
        source: { selector: { matchExpressions: [] } },
      }),
      'fail Invalid',
    ],
    [
      'case 40: a deadline of 1e12 s is refused',
      sampleSnapshot(undefined, { cutDeadlineSeconds: 1e12 }),
      'fail Invalid',
    ],
  ])('%s', (_, snapshot, expected) => {
    expect(told(fresh(snapshot))).toBe(expected);
  });
});

describe('the freeze', () => {
  it.each<[string, SampleFacts, string]>([
    ['case 23: without hooks the cut is asked for at once', {}, 'requestCut'],
    ['R29: the first hook is made', { hooks: [null, null] }, 'createHook 0'],
    [
      'I11: the second waits for the first',
      { hooks: [freezing('hook-0'), null] },
      'wait 130000 ms',
    ],
    [
      'case 33: the second is made when the first has frozen',
      { hooks: [hookThat('hook-0'), null] },
      'createHook 1',
    ],
    [
      'I12: the cut is asked for when all have',
      { hooks: [hookThat('hook-0'), hookThat('hook-1')] },
      'requestCut',
    ],
    [
      'R31: one that fails ends it',
      { hooks: [hookThat('hook-0'), refused('hook-1'), null] },
      'fail PreActionFailed',
    ],
    [
      'case 21: one that has expired meanwhile ends it',
      { hooks: [expired('hook-0'), freezing('hook-1')] },
      'fail ThawedBeforeCut',
    ],
    [
      'one that somebody deletes ends it',
      { hooks: [hookThat('hook-0', { going: ago(1) })] },
      'fail ThawedBeforeCut',
    ],
    [
      'one that somebody deletes before it has frozen ends it',
      { hooks: [hookThat('hook-0', { going: ago(1), status: undecided })] },
      'fail HookReleased',
    ],
    [
      'one that a person releases ends it',
      { hooks: [hookThat('hook-0', { annotations: { [RELEASE]: `Human@${ago(1)}` } })] },
      'fail ThawedBeforeCut',
    ],
    [
      'one that is taken away by force ends it',
      { hooks: [null, hookThat('hook-1')] },
      'fail HookGone',
    ],
    [
      'a claim that goes ends it',
      { lostClaims: ['data'], hooks: [freezing('hook-0')] },
      'fail ClaimGone',
    ],
    [
      'case 36: a freeze that was lost ends it',
      {
        hooks: [
          hookThat('hook-0', {
            status: frozen({
              containerExecutionHookStatuses: [
                sampleTarget({ freezeLost: { at: ago(1), reason: 'the container was restarted' } }),
              ],
            }),
          }),
          null,
        ],
      },
      'fail ThawedBeforeCut',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });

  it('does not wait for ever for a hook that shows no sign of life', () => {
    const facts = sampleFacts({ hooks: [freezing('hook-0')] });
    expect(told({ ...facts, nowMs: NOW_MS + 131_000 })).toBe('fail HookOverdue');
  });
});
