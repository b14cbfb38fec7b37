import { describe, expect, it } from 'vitest';

import {
  ago,
  frozen,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleTarget,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import { EVIDENCE_FINALIZER, VERDICT, VERDICT_REASON } from '../names.ts';
import { decide } from './decide.ts';
import { marksDue } from './late-cuts.ts';

const of = (sample: SampleFacts): string => stepText(decide(sampleFacts(sample)));

const failure = { reason: 'CutDeadlineExceeded', message: '', at: ago(0.5) };
const failed = { phase: 'Failed' as const, failure, cutRequestedAt: ago(60) };
const gone = [volumeFacts(sampleVolume('data'), null)];
const refused = frozen({
  preActionSucceed: false,
  containerExecutionHookStatuses: [
    sampleTarget({ preActionStatus: { actionTimestamp: ago(1), actionSucceed: false } }),
  ],
});
const kept = { name: 'hook-0', targets: [] };

/** What stands on the content already. */
function marked(reason: string, isCut: boolean): NonNullable<SampleFacts['volumes']> {
  const facts = volumeFacts(sampleVolume('data'), null);
  const labels = { [VERDICT]: 'Inconsistent', [VERDICT_REASON]: reason };
  const { content } = volumeFacts(sampleVolume('data'), {});
  if (content === null) return [facts];
  const status = isCut ? { creationTime: 1 } : {};
  return [{ ...facts, content: { ...content, metadata: { ...content.metadata, labels }, status } }];
}

describe('a snapshot that has failed', () => {
  it.each<[string, SampleFacts, string]>([
    [
      'G10: thaws before anything else',
      { status: failed, hooks: [sampleHook()] },
      'deleteHook hook-0',
    ],
    [
      'G18: thaws the last hook first',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1' })] },
      'deleteHook hook-1',
    ],
    [
      'I15: thaws before it keeps what another hook tells',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1', status: thawed() })] },
      'deleteHook hook-0',
    ],
    [
      'case 33: waits for the thaw of a hook that thaws by itself before it thaws the one before',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1', status: refused })] },
      'wait 1500 ms',
    ],
    ['marks what is left, whoever keeps it', { status: failed }, 'mark NotCut'],
    [
      'R32: then takes its snapshots back',
      {
        status: failed,
        volumes: [...marked('NotCut', false), volumeFacts(sampleVolume('log'), {})].map(
          withoutContent,
        ),
      },
      'deleteSnapshots',
    ],
    [
      'I15: a thaw that hangs does not hold that up',
      { status: failed, hooks: [sampleHook({ going: ago(3) })] },
      'mark NotCut',
    ],
    [
      'keeps what its hooks tell',
      { status: failed, volumes: gone, hooks: [sampleHook({ status: thawed() })] },
      'keepEvidence hook-0',
    ],
    [
      'waits for the thaws',
      { status: failed, volumes: gone, hooks: [sampleHook({ going: ago(3) })] },
      'wait',
    ],
    [
      'is over when all have told',
      { status: { ...failed, hooks: [kept] }, volumes: gone, hooks: [null] },
      'finishFailure',
    ],
    [
      'case 30: and marks a cut that comes late, also then',
      { status: { ...failed, completedAt: ago(0) }, volumes: marked('NotCut', true) },
      'mark LateCut',
    ],
    [
      'once',
      { status: { ...failed, completedAt: ago(0) }, volumes: marked('LateCut', true) },
      'wait',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });

  it('tells a cut that was there in time from one that came late', () => {
    const { content, ...facts } = volumeFacts(sampleVolume('data'), {});
    const cut = content === null ? null : { ...content, status: { creationTime: 1 } };
    const marks = marksDue({ ...sampleFacts(), volumes: [{ ...facts, content: cut }] }, 'HookGone');
    expect(marks).toMatchObject([{ reason: 'HookGone', isLate: false }]);
  });
});

function withoutContent(facts: ReturnType<typeof volumeFacts>): ReturnType<typeof volumeFacts> {
  return { ...facts, content: null };
}

describe('a snapshot that is deleted', () => {
  const status = { cutRequestedAt: ago(5) };

  it.each<[string, SampleFacts, string]>([
    ['thaws first', { status, going: true, hooks: [sampleHook()] }, 'deleteHook hook-0'],
    [
      'waits for the thaw, 2 s at most',
      { status, going: true, hooks: [sampleHook({ going: ago(1.5) })] },
      'wait 500 ms',
    ],
    ['then marks', { status, going: true, hooks: [sampleHook({ going: ago(2) })] }, 'mark NotCut'],
    [
      'then takes its snapshots back',
      { status, going: true, volumes: [withoutContent(volumeFacts(sampleVolume('data'), {}))] },
      'deleteSnapshots',
    ],
    [
      'stays until its hooks are thawed',
      { status, going: true, volumes: gone, hooks: [sampleHook({ going: ago(9) })] },
      'wait',
    ],
    [
      'lets a thawed hook go',
      { status, going: true, volumes: gone, hooks: [sampleHook({ status: thawed() })] },
      'letHookGo hook-0 kept',
    ],
    [
      'case 18: and one that had begun nothing',
      {
        status,
        going: true,
        volumes: gone,
        hooks: [sampleHook({ going: ago(9), status: {}, finalizers: [EVIDENCE_FINALIZER] })],
      },
      'letHookGo hook-0 kept',
    ],
    ['then goes', { status, going: true, volumes: gone, hooks: [null] }, 'removeFinalizer'],
    [
      'goes at once when it was over',
      { status: { ...status, completedAt: ago(9) }, going: true },
      'removeFinalizer',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });
});
