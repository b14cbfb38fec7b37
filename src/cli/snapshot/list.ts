/** `lifehook snapshot list`: lists the snapshots with their verdicts, and the targets that are frozen now. */
import {
  type AdmittedSnapshot,
  admittedSnapshots,
} from '../../lifecycles/snapshot/admitted-snapshots.ts';
import { type FrozenTarget, frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  executionHooks,
} from '../../lifecycles/snapshot/kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { type Listing, printListing, toneOf } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { textTable } from '../terminal-text.ts';

export interface SnapshotListOptions extends KubeOptions {
  readonly allNamespaces?: boolean;
  readonly output: ListFormat;
}

export async function runSnapshotList(options: SnapshotListOptions): Promise<number> {
  using cluster = await connectToKube(options, 'snapshot list');
  const scope = options.allNamespaces === true ? {} : { namespace: cluster.namespace };
  const [{ items: snapshots }, { items: hooks }] = await Promise.all([
    cluster.client.list(applicationSnapshots, scope),
    cluster.client.list(executionHooks, scope),
  ]);
  const frozen = hooks.flatMap(frozenTargets);
  printListing(snapshotsListing(snapshots, frozen), options.output);
  return exitCodes.done;
}

export function snapshotsListing(
  snapshots: readonly ApplicationSnapshot[],
  frozen: readonly FrozenTarget[],
): Listing<ApplicationSnapshot> {
  const admitted = snapshots.flatMap(admittedSnapshots);
  return {
    items: snapshots,
    value: { snapshots, admitted, frozen },
    none: 'There are no snapshots.',
    after: `${admittedText(admitted)}${frozenText(frozen)}`,
    nameOf: ({ metadata }) => `applicationsnapshot.lifehook.dev/${metadata?.name ?? ''}`,
    columns: [
      { heading: 'NAMESPACE', cell: ({ metadata }) => metadata?.namespace ?? '' },
      { heading: 'NAME', cell: ({ metadata }) => metadata?.name ?? '' },
      { heading: 'PHASE', cell: phaseOf, tone: (one) => toneOf(phaseOf(one)) },
      {
        heading: 'VERDICT',
        cell: ({ status }) => status?.verdict?.value ?? '-',
        tone: ({ status }) => toneOf(status?.verdict?.value ?? ''),
      },
      {
        heading: 'REASON',
        cell: ({ status }) => status?.verdict?.reason ?? status?.failure?.reason ?? '-',
      },
      { heading: 'FROZEN', cell: freezeText },
      {
        heading: 'CREATED',
        cell: ({ metadata }) => metadata?.creationTimestamp ?? '-',
        isWide: true,
      },
      { heading: 'MODE', cell: modeText, isWide: true },
    ],
  };
}

/** The mode of a snapshot. The window of a guard takes no snapshots itself, so its guard is shown instead of a mode. */
function modeText({ spec }: ApplicationSnapshot): string {
  const { mode = 'Single', window } = spec;
  return window === undefined ? mode : `Window of ${window.guardName}`;
}

function phaseOf({ status }: ApplicationSnapshot): string {
  return status?.phase ?? 'Pending';
}

function freezeText({ status }: ApplicationSnapshot): string {
  const { freezeWindowMs } = status?.verdict ?? {};
  return freezeWindowMs === undefined ? '-' : `${freezeWindowMs} ms`;
}

function admittedText(admitted: readonly AdmittedSnapshot[]): string {
  if (admitted.length === 0) return '';
  const heading = ['NAMESPACE', 'SNAPSHOT', 'VERDICT', 'REASON', 'WINDOW', 'FROZEN', 'THAWED'];
  const rows = admitted.map(({ namespace, kind, name, window, verdict, frozenAt, thawedAt }) => [
    namespace,
    `${kind.toLowerCase()}/${name}`,
    verdict?.value ?? '-',
    verdict?.reason ?? '-',
    window,
    frozenAt ?? '-',
    thawedAt ?? '-',
  ]);
  return `\nGuarded snapshots of other clients:\n${textTable(heading, rows)}`;
}

function frozenText(frozen: readonly FrozenTarget[]): string {
  if (frozen.length === 0) return '';
  const heading = ['NAMESPACE', 'HOOK', 'POD', 'CONTAINER', 'SINCE', 'OVERDUE', 'UNPROVEN'];
  const rows = frozen.map((one) => [
    one.namespace,
    one.hook,
    one.pod,
    one.container,
    one.since,
    one.overdue ? 'yes' : 'no',
    one.unproven ? 'yes' : 'no',
  ]);
  return `\nFrozen now:\n${textTable(heading, rows)}`;
}
