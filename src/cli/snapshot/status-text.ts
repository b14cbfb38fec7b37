/** An ApplicationSnapshot in words. Pure. */
import type { HookEvidence } from '../../lifecycles/snapshot/evidence-kinds.ts';
import type {
  ApplicationSnapshot,
  ContainerStatus,
  SnapshotVolume,
} from '../../lifecycles/snapshot/kinds.ts';
import { textTable } from '../text-table.ts';

export function statusText(snapshot: ApplicationSnapshot): string {
  const { volumes = [], hooks = [] } = snapshot.status ?? {};
  const text = [headText(snapshot)];
  if (volumes.length > 0) text.push('\n', volumeTable(volumes));
  const rows = hooks.flatMap((hook) => hook.targets.map((target) => targetRow(hook, target)));
  if (rows.length > 0) {
    text.push('\n', textTable(['HOOK', 'POD', 'CONTAINER', 'FROZEN', 'THAWED', 'PROBES'], rows));
  }
  return text.join('');
}

function headText({ metadata = {}, status = {} }: ApplicationSnapshot): string {
  const { phase = 'Pending', verdict, failure } = status;
  const lines = [`ApplicationSnapshot ${metadata.namespace ?? ''}/${metadata.name ?? ''}`];
  lines.push(`  phase     ${phase}`);
  if (failure !== undefined) lines.push(`  failure   ${failure.reason}: ${failure.message}`);
  if (verdict !== undefined) {
    lines.push(
      `  verdict   ${verdict.value} (${verdict.reason})`,
      `            ${verdict.message}`,
    );
  }
  if (verdict?.freezeWindowMs !== undefined) lines.push(`  frozen    ${verdict.freezeWindowMs} ms`);
  return `${lines.join('\n')}\n`;
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
