/** Formats a VolumeSnapshot as text: its verdict, and the freeze on which the verdict is based. Pure. */
import type { VolumeSnapshot } from '../../kube/snapshots.ts';
import {
  type AdmittedSnapshot,
  admittedSnapshots,
} from '../../lifecycles/snapshot/admitted-snapshots.ts';
import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { VERDICT, VERDICT_REASON } from '../../lifecycles/snapshot/names.ts';

/** The objects that recorded a VolumeSnapshot by its UID. */
export interface VolumeSnapshotRecords {
  /** The ApplicationSnapshot that created the VolumeSnapshot; null: another client created it. */
  readonly created: ApplicationSnapshot | null;
  /** The admission of the VolumeSnapshot, or of its group, by a window of a guard; null: no such window is kept. */
  readonly admitted: AdmittedSnapshot | null;
}

/**
 * Finds the records of a VolumeSnapshot in ApplicationSnapshots. `all`: the ApplicationSnapshots in the namespace of
 * the VolumeSnapshot.
 */
export function recordsOf(
  { metadata = {} }: VolumeSnapshot,
  all: readonly ApplicationSnapshot[],
): VolumeSnapshotRecords {
  const owners = metadata.ownerReferences ?? [];
  const uids = [metadata.uid ?? '', ...owners.map(({ uid }) => uid)];
  const created = all.find(({ status }) =>
    (status?.volumes ?? []).some(({ volumeSnapshotUID }) => volumeSnapshotUID === metadata.uid),
  );
  const admitted = all.flatMap(admittedSnapshots).find(({ uid }) => uids.includes(uid));
  return { created: created ?? null, admitted: admitted ?? null };
}

export function volumeSnapshotText(
  snapshot: VolumeSnapshot,
  records: VolumeSnapshotRecords,
): string {
  const { namespace = '', name = '', labels = {} } = snapshot.metadata ?? {};
  const head = `VolumeSnapshot ${namespace}/${name}`;
  const lines = [head, ...storageLines(snapshot), ...recordLines(records, labels)];
  return `${lines.join('\n')}\n`;
}

function storageLines({ spec, status = {} }: VolumeSnapshot): string[] {
  return [
    `  claim     ${spec?.source?.persistentVolumeClaimName ?? '-'}`,
    `  cut       ${status.creationTime ?? '-'}`,
    `  ready     ${status.readyToUse === true ? 'yes' : 'no'}`,
  ];
}

function recordLines(
  { created, admitted }: VolumeSnapshotRecords,
  labels: Readonly<Record<string, string>>,
): string[] {
  if (created !== null) {
    const name = created.metadata?.name ?? '';
    const by = `  created   by ApplicationSnapshot ${name}`;
    return [by, ...verdictLines(created.status?.verdict ?? null)];
  }
  if (admitted === null) return [labelLine(labels)];
  const { window, verdict, frozenAt, thawedAt } = admitted;
  const lines = [`  window    ${window}`, ...verdictLines(verdict)];
  if (frozenAt !== null) lines.push(`  frozen    ${frozenAt}`, `  thawed    ${thawedAt ?? '-'}`);
  return lines;
}

interface Judgement {
  readonly value: string;
  readonly reason: string;
  readonly message: string;
}

function verdictLines(verdict: Judgement | null): string[] {
  if (verdict === null) return ['  verdict   not decided yet'];
  const { value, reason, message } = verdict;
  return [`  verdict   ${value} (${reason})`, `            ${message}`];
}

/**
 * The verdict from the labels: old windows of guards are deleted, and `lifehook uninstall` deletes every
 * ApplicationSnapshot but keeps the VolumeSnapshots.
 */
function labelLine(labels: Readonly<Record<string, string>>): string {
  const value = labels[VERDICT];
  if (value === undefined) {
    return '  verdict   none: no guard has admitted it, and no ApplicationSnapshot created it';
  }
  return `  verdict   ${value} (${labels[VERDICT_REASON] ?? ''}) by its label, which proves nothing: the ApplicationSnapshot that recorded it is deleted`;
}
