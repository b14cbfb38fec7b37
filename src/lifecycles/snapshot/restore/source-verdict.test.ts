import { describe, expect, it } from 'vitest';

import type { VolumeSnapshotContent } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { awaitedVerdict, type SnapshotSource, verdictOn } from './source-verdict.ts';

const LABEL = 'lifehook.dev/verdict';

interface Facts {
  readonly name?: string;
  readonly record?: string;
  readonly onContent?: string;
  readonly onSnapshot?: string;
  /** UID of the VolumeSnapshot that the content is bound to. */
  readonly boundTo?: string;
}

function sourceOf({
  name = 'a',
  record,
  onContent,
  onSnapshot,
  boundTo = name,
}: Facts): SnapshotSource {
  const verdict = { value: record, reason: 'R', message: 'as recorded', decidedAt: '' };
  const content = {
    metadata: { name: 'c', labels: onContent === undefined ? {} : { [LABEL]: onContent } },
    spec: { volumeSnapshotRef: { uid: boundTo } },
  } as unknown as VolumeSnapshotContent;
  return {
    snapshot: {
      metadata: {
        name,
        uid: name,
        labels: onSnapshot === undefined ? {} : { [LABEL]: onSnapshot },
      },
      status: { boundVolumeSnapshotContentName: 'c' },
    },
    content,
    window: null,
    record:
      record === undefined
        ? null
        : ({ metadata: { uid: 'app' }, status: { verdict } } as unknown as ApplicationSnapshot),
  };
}

describe('the verdict on a source (SNAP-V3)', () => {
  it.each<[string, Facts, string, string]>([
    ['the record', { record: 'ApplicationConsistent' }, 'ApplicationConsistent', 'Record'],
    [
      'the record before the content',
      { record: 'Inconsistent', onContent: 'ApplicationConsistent' },
      'Inconsistent',
      'Record',
    ],
    [
      'the content without a record',
      { onContent: 'CrashConsistent' },
      'CrashConsistent',
      'Content',
    ],
    [
      'no content of another snapshot',
      { onContent: 'ApplicationConsistent', boundTo: 'b' },
      'Unknown',
      'None',
    ],
    ['no verdict that does not exist', { onContent: 'Perfect' }, 'Unknown', 'None'],
    ['no label of the snapshot', { onSnapshot: 'ApplicationConsistent' }, 'Unknown', 'None'],
  ])('is read from %s', (...[, facts, value, origin]) => {
    expect(verdictOn([sourceOf(facts)])).toMatchObject({ value, origin });
  });

  it('says that a label differs from what is trusted', () => {
    const forged = sourceOf({ record: 'Inconsistent', onSnapshot: 'ApplicationConsistent' });
    expect(verdictOn([forged]).message).toBe(
      'as recorded The label of VolumeSnapshot a has another verdict, and is not trusted.',
    );
    const honest = sourceOf({ record: 'Inconsistent', onSnapshot: 'Inconsistent' });
    expect(verdictOn([honest]).message).toBe('as recorded');
  });

  it('is unknown for several volumes that no ApplicationSnapshot cut together', () => {
    const record = 'ApplicationConsistent';
    const together = [sourceOf({ record }), sourceOf({ name: 'b', record })];
    expect(verdictOn(together).value).toBe(record);
    const apart = [sourceOf({ record }), sourceOf({ name: 'b', onContent: record })];
    expect(verdictOn(apart)).toMatchObject({ value: 'Unknown', reason: 'NotOneMoment' });
    expect(verdictOn([]).reason).toBe('NoSnapshot');
  });

  it('says what it was read from', () => {
    expect(verdictOn([sourceOf({ onContent: 'CrashConsistent' })])).toEqual({
      value: 'CrashConsistent',
      reason: '',
      message: 'The content of VolumeSnapshot a has this verdict as a label.',
      origin: 'Content',
    });
    const one = sourceOf({ onContent: 'CrashConsistent' });
    const labels = { ...one.content?.metadata?.labels, 'lifehook.dev/verdict-reason': 'NotFrozen' };
    const content = { ...one.content, metadata: { name: 'c', labels } } as VolumeSnapshotContent;
    expect(verdictOn([{ ...one, content }]).reason).toBe('NotFrozen');
    expect(verdictOn([sourceOf({})])).toEqual({
      value: 'Unknown',
      reason: 'NoTrustedVerdict',
      message:
        'No ApplicationSnapshot and no VolumeSnapshotContent records a verdict for VolumeSnapshot a.',
      origin: 'None',
    });
    expect(verdictOn([]).message).toBe('The source of the restore names no VolumeSnapshot.');
  });

  it('is not read from a content that is bound to another snapshot, or is none', () => {
    const one = sourceOf({ onContent: 'CrashConsistent' });
    const status = { boundVolumeSnapshotContentName: 'other' };
    const elsewhere = { ...one, snapshot: { ...one.snapshot, status } };
    expect(verdictOn([elsewhere]).origin).toBe('None');
    expect(verdictOn([{ ...one, content: null }]).origin).toBe('None');
  });

  it('names each label that is not trusted, and needs one record for all volumes', () => {
    const record = 'CrashConsistent';
    const onSnapshot = 'ApplicationConsistent';
    const both = [sourceOf({ record, onSnapshot }), sourceOf({ name: 'b', record, onSnapshot })];
    expect(verdictOn(both).message).toContain('VolumeSnapshot a, b has another verdict');
    const mixed = [...both, sourceOf({ name: 'c' })];
    expect(verdictOn(mixed)).toMatchObject({
      reason: 'NotOneMoment',
      message: expect.stringContaining('nothing proves that they are of one moment') as string,
    });
    const unrecorded = [
      sourceOf({ onContent: record }),
      sourceOf({ name: 'b', onContent: record }),
    ];
    expect(verdictOn(unrecorded).reason).toBe('NotOneMoment');
  });
});

describe('the verdict that a restore waits for (SNAP-V15)', () => {
  const application = (phase: string, more: object = {}): ApplicationSnapshot =>
    ({ metadata: { name: 'app', uid: 'app' }, status: { phase, ...more } }) as ApplicationSnapshot;
  const recorded = (record: ApplicationSnapshot, name = 'a'): SnapshotSource => ({
    ...sourceOf({ name }),
    record,
  });
  const admitted = (facts: Facts = {}): SnapshotSource => ({
    ...sourceOf(facts),
    window: application('Cutting'),
  });

  it('is that of the record, or of the window as long as it has not marked the content', () => {
    const text = 'VolumeSnapshot a has no verdict yet (ApplicationSnapshot app is Cutting)';
    const cutting = application('Cutting');
    expect(awaitedVerdict([recorded(cutting)])).toBe(text);
    expect(awaitedVerdict([recorded(cutting), recorded(cutting, 'b')])).toBe(text);
    expect(awaitedVerdict([admitted()])).toBe(text);
    expect(awaitedVerdict([admitted({ onContent: 'Inconsistent' })])).toBeNull();
  });

  it('is none where none can be decided any more', () => {
    const verdict = { value: 'Inconsistent' };
    expect(awaitedVerdict([])).toBeNull();
    expect(awaitedVerdict([sourceOf({})])).toBeNull();
    expect(awaitedVerdict([recorded(application('Completed', { verdict }))])).toBeNull();
    expect(awaitedVerdict([recorded(application('Failed'))])).toBeNull();
    expect(awaitedVerdict([admitted(), admitted({ name: 'b' })])).toBeNull();
    expect(awaitedVerdict([recorded(application('Cutting')), admitted({ name: 'b' })])).toBeNull();
  });
});
