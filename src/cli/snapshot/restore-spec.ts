/** The SnapshotRestore that the options of `lifehook snapshot restore` describe. Pure. */
import type {
  RestoreHook,
  ScaleAction,
  SnapshotRestore,
  SnapshotRestoreSpec,
} from '../../lifecycles/snapshot/restore/kinds.ts';
import type { RestoreOptions } from './restore-options.ts';

/** What is wrong with the options together, and what to do; null: nothing. */
export function whyWrongOptions(
  name: string | undefined,
  { volumeSnapshot = [], verify, command, image }: RestoreOptions,
): { readonly message: string; readonly next: string } | null {
  if ((name === undefined) === (volumeSnapshot.length === 0)) {
    return {
      message:
        'A restore is of one ApplicationSnapshot, or of VolumeSnapshots: exactly one of the two.',
      next: 'Name an ApplicationSnapshot, or give --volume-snapshot NAME.',
    };
  }
  const checks = verify !== undefined || command !== undefined;
  if (checks === (image !== undefined)) return null;
  return {
    message: checks
      ? 'The check of the copy runs in a pod, and --image is missing.'
      : 'With --image, a check of the copy is missing.',
    next: checks
      ? 'Give the image of the application, in the version of the snapshot: --image mariadb:11.'
      : 'Give --verify RECIPE or --command LINE.',
  };
}

export function restoreOf(
  name: string | undefined,
  namespace: string,
  options: RestoreOptions,
): SnapshotRestore {
  const { volumeSnapshot = [], as } = options;
  const stem = name ?? volumeSnapshot[0] ?? '';
  return {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'SnapshotRestore',
    metadata: { namespace, ...(as === undefined ? { generateName: `${stem}-` } : { name: as }) },
    spec: {
      source:
        name === undefined
          ? { volumeSnapshotNames: [...volumeSnapshot] }
          : { applicationSnapshotName: name },
      ...given(options),
    },
  };
}

function given(options: RestoreOptions): Omit<SnapshotRestoreSpec, 'source'> {
  const { require: requiredVerdict, claim, storageClass, stop = [], scratch } = options;
  const verify = verifyOf(options);
  return {
    ...(requiredVerdict === undefined ? {} : { requiredVerdict }),
    ...(claim === undefined ? {} : { claims: [...claim] }),
    ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    ...(stop.length === 0 ? {} : { preRestore: stop.map(stopHook) }),
    ...(verify === null ? {} : { verify: [verify] }),
    ...(scratch === undefined ? {} : { scratch }),
  };
}

function stopHook(scale: ScaleAction, index: number): RestoreHook {
  return { name: `stop-${index}`, scale };
}

function verifyOf({ verify, image, command }: RestoreOptions): RestoreHook | null {
  if (image === undefined) return null;
  if (verify !== undefined) return { name: 'verify', pod: { image, recipe: verify } };
  return { name: 'verify', pod: { image, command: ['sh', '-c', command ?? ''] } };
}
