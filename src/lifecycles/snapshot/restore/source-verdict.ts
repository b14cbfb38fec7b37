/**
 * The verdict on the source of a restore, and what it was read from (SNAP-V3). A label of a VolumeSnapshot can be
 * written by every user who may patch it, so it is never trusted. The status of the ApplicationSnapshot is: only who may
 * write that subresource can forge it. So is the label of the content, a cluster-scoped object. Pure.
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { VolumeSnapshot, VolumeSnapshotContent } from '../../../kube/snapshots.ts';
import type { VerdictValue, ApplicationSnapshot } from '../kinds.ts';
import { VERDICT, VERDICT_REASON } from '../names.ts';
import type { SourceVerdict } from './kinds.ts';

export interface SnapshotSource {
  readonly snapshot: VolumeSnapshot;
  /** null: it does not exist, or cannot be read. */
  readonly content: VolumeSnapshotContent | null;
  /** The ApplicationSnapshot that recorded this VolumeSnapshot by its UID; null: none. */
  readonly record: ApplicationSnapshot | null;
  /** The window of a guard that admitted it, or its group, by its UID; null: none. */
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
  if (first === undefined) return unknown('NoSnapshot', 'The source has no volume.');
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

/** One ApplicationSnapshot recorded all, or there is one only. */
function areOfOneMoment(first: SnapshotSource, rest: readonly SnapshotSource[]): boolean {
  const uid = first.record?.metadata?.uid;
  return rest.every(({ record }) => uid !== undefined && record?.metadata?.uid === uid);
}

/** The undecided state that the verdict waits for (SNAP-V15); null: none can be decided any more. */
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

/** Its marks follow the verdict, so the content may be without one although the window has ended. */
function unmarkedWindow(source: SnapshotSource): ApplicationSnapshot | null {
  return isVerdict(contentLabels(source)[VERDICT] ?? '') ? null : source.window;
}

function contentLabels({ content, snapshot }: SnapshotSource): Readonly<Record<string, string>> {
  return isContentOf(content, snapshot) ? (content?.metadata?.labels ?? {}) : {};
}

/** Both refer to each other, so a content of another snapshot lends it no verdict. */
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
