/**
 * The verdict on the source of a restore, and the origin of that verdict (SNAP-V3). A label of a VolumeSnapshot is
 * never trusted, because every user who may patch the object can write it. The status of the ApplicationSnapshot is
 * trusted: only a user who may write that subresource can forge it. The label of the content is trusted too, since the
 * content is a cluster-scoped object. Pure.
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../kube/snapshots.ts';
import type { VerdictValue, ApplicationSnapshot } from '../kinds.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import type { SourceVerdict } from './kinds.ts';

export interface SnapshotSource {
  readonly snapshot: VolumeSnapshot;
  /** null: the content does not exist, or belongs to another VolumeSnapshot. */
  readonly content: VolumeSnapshotContent | null;
  /** The ApplicationSnapshot that recorded this VolumeSnapshot by its UID; null: none. */
  readonly record: ApplicationSnapshot | null;
  /** The window of a guard that admitted the VolumeSnapshot, or its group, by UID; null: none. */
  readonly window: ApplicationSnapshot | null;
}

export function verdictOn(sources: readonly SnapshotSource[]): SourceVerdict {
  const verdict = combined(sources);
  const forged = sources.filter(({ snapshot }) => {
    const label = snapshot.metadata?.labels?.[VERDICT];
    return label !== undefined && label !== verdict.value;
  });
  if (forged.length === 0) return verdict;
  const names = forged.map(({ snapshot }) => nameOf(snapshot)).join(', ');
  const note = `The label of VolumeSnapshot ${names} has another verdict, and is not trusted.`;
  return { ...verdict, message: `${verdict.message} ${note}` };
}

function combined(sources: readonly SnapshotSource[]): SourceVerdict {
  const [first, ...rest] = sources;
  if (first === undefined)
    return unknown('NoSnapshot', 'The source of the restore names no VolumeSnapshot.');
  if (areOfOneMoment(first, rest)) return verdictOf(first);
  return unknown(
    'NotOneMoment',
    'The VolumeSnapshots are not recorded by one ApplicationSnapshot, so nothing proves that they are of one moment.',
  );
}

function verdictOf(source: SnapshotSource): SourceVerdict {
  const recorded = source.record?.status?.verdict;
  if (recorded !== undefined) {
    const { value, reason, message } = recorded;
    return { value, reason, message, origin: 'Record' };
  }
  const name = nameOf(source.snapshot);
  const labels = contentLabels(source);
  const value = labels[VERDICT] ?? '';
  if (isVerdict(value)) {
    const reason = labels[VERDICT_REASON] ?? '';
    const message = `The content of VolumeSnapshot ${name} has this verdict as a label.`;
    return { value, reason, message, origin: 'Content' };
  }
  return unknown(
    'NoTrustedVerdict',
    `No ApplicationSnapshot and no VolumeSnapshotContent records a verdict for VolumeSnapshot ${name}.`,
  );
}

/** Whether one ApplicationSnapshot recorded all VolumeSnapshots, or there is only one VolumeSnapshot. */
function areOfOneMoment(first: SnapshotSource, rest: readonly SnapshotSource[]): boolean {
  const uid = first.record?.metadata?.uid;
  return rest.every(({ record }) => uid !== undefined && record?.metadata?.uid === uid);
}

/** Why the verdict is not decided yet (SNAP-V15); null: no verdict is awaited. */
export function awaitedVerdict([first, ...rest]: readonly SnapshotSource[]): string | null {
  if (first === undefined || !areOfOneMoment(first, rest)) return null;
  const judge = first.record === null ? unmarkedWindow(first) : openRecord(first.record);
  if (judge === null) return null;
  const phase = judge.status?.phase ?? 'Pending';
  return `VolumeSnapshot ${nameOf(first.snapshot)} has no verdict yet (ApplicationSnapshot ${nameOf(judge)} is ${phase})`;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

function openRecord(record: ApplicationSnapshot): ApplicationSnapshot | null {
  const { phase, verdict } = record.status ?? {};
  return verdict === undefined && phase !== 'Failed' ? record : null;
}

/**
 * The window that will still mark the content; null: none. The marks are written after the window's verdict, so even a
 * window that has ended may not have marked it yet.
 */
function unmarkedWindow(source: SnapshotSource): ApplicationSnapshot | null {
  return isVerdict(contentLabels(source)[VERDICT] ?? '') ? null : source.window;
}

function contentLabels({ content, snapshot }: SnapshotSource): Readonly<Record<string, string>> {
  return isContentOf(content, snapshot) ? (content?.metadata?.labels ?? {}) : {};
}

/**
 * Whether the content and the VolumeSnapshot refer to each other. So a content of another snapshot gives it no verdict.
 */
export function isContentOf(
  content: VolumeSnapshotContent | null,
  { metadata, status }: VolumeSnapshot,
): boolean {
  return (
    content !== null &&
    content.metadata?.name === status?.boundVolumeSnapshotContentName &&
    content.spec.volumeSnapshotRef.uid === metadata?.uid
  );
}

const VERDICTS: readonly string[] = [
  'ApplicationConsistent',
  'CrashConsistent',
  'Inconsistent',
  'Unknown',
] satisfies VerdictValue[];

function isVerdict(text: string): text is VerdictValue {
  return VERDICTS.includes(text);
}

function unknown(reason: string, message: string): SourceVerdict {
  return { value: 'Unknown', reason, message, origin: 'None' };
}
