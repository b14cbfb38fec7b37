/** Formats an ApplicationSnapshot as text. Pure. */
import { findCondition } from '../../controller/conditions.ts';
import { KINDS_SERVED } from '../../lifecycles/snapshot/app/read-kinds.ts';
import type {
  HookEvidence,
  Verdict,
  ApplicationSnapshot,
  ApplicationSnapshotStatus,
  ContainerStatus,
  SnapshotVolume,
} from '../../lifecycles/snapshot/kinds.ts';
import { printable, textTable } from '../terminal-text.ts';

export function statusText(snapshot: ApplicationSnapshot): string {
  const { volumes = [], hooks = [] } = snapshot.status ?? {};
  const text = [headText(snapshot)];
  if (volumes.length > 0) text.push('\n', volumeTable(volumes));
  const rows = hooks.flatMap((hook) => hook.targets.map((target) => targetRow(hook, target)));
  if (rows.length > 0) {
    text.push('\n', textTable(['HOOK', 'POD', 'CONTAINER', 'FROZEN', 'THAWED', 'PROBES'], rows));
  }
  return printable(text.join(''));
}

function headText({ metadata = {}, status = {} }: ApplicationSnapshot): string {
  const { phase = 'Pending', verdict, failure } = status;
  const lines = [`ApplicationSnapshot ${metadata.namespace ?? ''}/${metadata.name ?? ''}`];
  lines.push(`  phase     ${phase}`);
  const waiting = waitText(status);
  if (waiting !== null) lines.push(`  waits     ${waiting}`);
  if (failure !== undefined) lines.push(`  failure   ${failure.reason}: ${failure.message}`);
  if (verdict !== undefined) lines.push(...verdictLines(verdict));
  return `${lines.join('\n')}\n`;
}

function verdictLines({ value, reason, message, freezeWindowMs }: Verdict): string[] {
  const lines = [`  verdict   ${value} (${reason})`, `            ${message}`];
  return freezeWindowMs === undefined ? lines : [...lines, `  frozen    ${freezeWindowMs} ms`];
}

/** The reason why the snapshot has not started; null: it has started, or nothing blocks it. */
export function waitText({ phase, conditions = [] }: ApplicationSnapshotStatus): string | null {
  const served = findCondition(conditions, KINDS_SERVED);
  if (served?.status !== 'False' || hasEnded(phase)) return null;
  return `${served.reason}: ${served.message}`;
}

function hasEnded(phase: ApplicationSnapshotStatus['phase']): boolean {
  return phase === 'Failed' || phase === 'Completed';
}

function volumeTable(volumes: readonly SnapshotVolume[]): string {
  return textTable(
    ['CLAIM', 'IN USE', 'VOLUMESNAPSHOT', 'CUT', 'READY'],
    volumes.map(({ claimName, inUse, volumeSnapshotName, creationTime, readyToUse }) => [
      claimName,
      inUse ? 'yes' : 'no',
      volumeSnapshotName ?? '-',
      creationTime ?? '-',
      readyToUse === true ? 'yes' : 'no',
    ]),
  );
}

function targetRow(hook: HookEvidence, target: ContainerStatus): string[] {
  const { podName, containerName, preActionStatus, postActionStatus, thawedBy, probes } = target;
  return [
    hook.name,
    podName,
    containerName,
    answer(preActionStatus?.actionSucceed, preActionStatus?.error?.message),
    thawedBy ?? answer(postActionStatus?.actionSucceed, postActionStatus?.error?.message),
    (probes ?? []).map(({ when, outcome }) => `${when}=${outcome}`).join(' ') || '-',
  ];
}

function answer(succeeded: boolean | undefined, why = ''): string {
  if (succeeded === undefined) return '-';
  return succeeded ? 'yes' : `no: ${why}`;
}
