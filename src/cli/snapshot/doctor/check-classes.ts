/** Checks whether the kinds of volume snapshots are installed, and checks the classes of these kinds. Pure. */
import type { Capabilities } from '../../../kube/capabilities.ts';
import type { SnapshotClass } from '../../../kube/snapshots.ts';
import {
  GROUP_VERSIONS,
  IS_DEFAULT_CLASS,
  IS_DEFAULT_GROUP_CLASS,
} from '../../../kube/snapshots.ts';
import type { Asked } from '../../doctor/asked.ts';
import { type Finding, unknownFinding } from '../../doctor/finding.ts';
import type { ClassFacts } from './gather-classes.ts';

export function snapshotKinds(capabilities: Capabilities): readonly Finding[] {
  const check = 'snapshot kinds';
  const { volumeSnapshot, volumeGroupSnapshot } = capabilities;
  if (volumeSnapshot === null) {
    const found =
      'the server has no VolumeSnapshot (snapshot.storage.k8s.io/v1): no snapshots can be taken';
    const next =
      'Install the snapshot controller of your CSI driver, or the kinds alone: lifehook install --snapshot-kinds';
    return [{ check, result: 'warning', found, next }];
  }
  const group =
    volumeGroupSnapshot === null
      ? `no VolumeGroupSnapshot in ${GROUP_VERSIONS.join(', ')}, so no \`mode: Group\``
      : `VolumeGroupSnapshot ${volumeGroupSnapshot}`;
  return [{ check, result: 'ok', found: `VolumeSnapshot ${volumeSnapshot}; ${group}` }];
}

export function snapshotClasses(
  { snapshotClasses: classes, groupClasses }: ClassFacts,
  { volumeSnapshot }: Capabilities,
): readonly Finding[] {
  if (volumeSnapshot === null) return [];
  const single = {
    kind: 'VolumeSnapshotClass',
    mark: IS_DEFAULT_CLASS,
    create:
      'Create a VolumeSnapshotClass for the driver of your volumes: without one nothing is cut.',
  };
  const group = {
    kind: 'VolumeGroupSnapshotClass',
    mark: IS_DEFAULT_GROUP_CLASS,
    create:
      'To use `mode: Group`, create a VolumeGroupSnapshotClass for the driver of your volumes.',
  };
  return [
    ...classesFindings(single, classes),
    ...(groupClasses === undefined ? [] : classesFindings(group, groupClasses)),
  ];
}

interface ClassKind {
  readonly kind: string;
  /** The annotation that marks the default class. */
  readonly mark: string;
  /** The next step if the cluster has no class of this kind. */
  readonly create: string;
}

function classesFindings(
  { kind, mark, create }: ClassKind,
  asked: Asked<readonly SnapshotClass[]>,
): Finding[] {
  const check = 'snapshot classes';
  if (asked.kind !== 'known') return [unknownFinding(check, kind, asked)];
  if (asked.value.length === 0) {
    return [{ check, result: 'warning', found: `there is no ${kind}`, next: create }];
  }
  const drivers = [...new Set(asked.value.map(({ driver }) => driver))];
  return drivers.map((driver) => driverFinding({ kind, mark, driver }, asked.value));
}

function driverFinding(
  { kind, mark, driver }: Omit<ClassKind, 'create'> & { readonly driver: string },
  all: readonly SnapshotClass[],
): Finding {
  const check = 'snapshot classes';
  const own = all.filter((each) => each.driver === driver);
  const names = own.map(({ metadata }) => metadata?.name ?? '').join(', ');
  const defaults = own.filter(({ metadata }) => metadata?.annotations?.[mark] === 'true');
  const [only] = defaults;
  if (only !== undefined && defaults.length === 1) {
    const found = `${kind} of driver ${driver}: ${names} (default: ${only.metadata?.name ?? ''})`;
    return { check, result: 'ok', found };
  }
  const count = only === undefined ? 'none is the default' : `${defaults.length} are the default`;
  const found = `${kind} of driver ${driver}: ${names}; ${count}`;
  const next = `Annotate exactly one with ${mark}=true, or name a class in each ApplicationSnapshot.`;
  return { check, result: 'warning', found, next };
}
