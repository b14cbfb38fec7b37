/** The pod of one attempt of a hook. Pure. */
import type { Container, Pod, Volume } from 'kubernetes-types/core/v1.js';

import { apiVersionOf } from '../../../kube/object.ts';
import { sha256 } from '../../../platform/digests.ts';
import {
  RESTORE_POD_FINALIZER,
  RESTORE_POD_TOKEN,
  RESTORED_BY,
  RESTORED_BY_NAME,
} from '../names.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { recipeParameters } from '../schema/check-recipe.ts';
import { statusOf, timeoutSecondsOf } from './hook-steps.ts';
import {
  type RestoreHook,
  type RestorePod,
  type SnapshotRestore,
  snapshotRestores,
} from './kinds.ts';
import { hookPodName } from './object-names.ts';

export const HOOK_CONTAINER = 'hook';
const HASH_CHARACTERS = 10;
/**
 * Relative to the working directory "/", because the process runner of the local cluster mounts nothing at the root.
 */
const MOUNT_FOLDER = 'restored';

/**
 * The pod of an attempt. The restore owns the pod, so the pod is deleted with it. The finalizer keeps the pod until its
 * end is recorded.
 */
export function hookPod(restore: SnapshotRestore, hook: RestoreHook, attempt: number): Pod {
  const { namespace = '', name = '', uid = '' } = restore.metadata ?? {};
  const pod = hook.pod ?? { image: '' };
  const mounts = mountsOf(restore, pod);
  return {
    metadata: {
      namespace,
      name: hookPodName(restore, hook.name, attempt),
      labels: { [RESTORED_BY]: uid },
      annotations: { [RESTORED_BY_NAME]: name, ...tokenOf(restore, hook) },
      finalizers: [RESTORE_POD_FINALIZER],
      ownerReferences: [
        {
          apiVersion: apiVersionOf(snapshotRestores),
          kind: snapshotRestores.kind,
          name,
          uid,
          controller: true,
        },
      ],
    },
    spec: {
      restartPolicy: 'Never',
      // The node stops the pod at the timeout, whether or not a controller runs.
      activeDeadlineSeconds: timeoutSecondsOf(hook),
      automountServiceAccountToken: pod.serviceAccountName !== undefined,
      enableServiceLinks: false,
      ...(pod.serviceAccountName === undefined
        ? {}
        : { serviceAccountName: pod.serviceAccountName }),
      ...(pod.imagePullSecrets === undefined ? {} : { imagePullSecrets: pod.imagePullSecrets }),
      ...(pod.securityContext === undefined ? {} : { securityContext: pod.securityContext }),
      volumes: mounts.map(({ claimName, volumeName }): Volume => ({
        name: volumeName,
        persistentVolumeClaim: { claimName },
      })),
      containers: [containerOf(pod, mounts, name)],
    },
  };
}

/**
 * Whether the pod was created for the newest attempt of the hook. Every user who may create pods can create one with
 * its name and owner in advance (SNAP-V16). An attempt of an earlier version of Lifehook has no token.
 */
export function isPodOf(
  restore: SnapshotRestore,
  hook: RestoreHook,
  { metadata = {} }: Pod,
): boolean {
  const { annotations = {}, ownerReferences = [] } = metadata;
  const isOwned = ownerReferences.some(({ uid }) => uid === restore.metadata?.uid);
  const tokens = Object.entries(tokenOf(restore, hook));
  return isOwned && tokens.every(([name, token]) => annotations[name] === token);
}

function tokenOf(restore: SnapshotRestore, { name }: RestoreHook): Record<string, string> {
  const { podToken } = statusOf(restore, name) ?? {};
  return podToken === undefined ? {} : { [RESTORE_POD_TOKEN]: podToken };
}

function containerOf(pod: RestorePod, mounts: readonly Mounted[], restore: string): Container {
  const path = mounts[0]?.path ?? '';
  return {
    name: HOOK_CONTAINER,
    image: pod.image,
    imagePullPolicy: 'IfNotPresent',
    workingDir: '/',
    ...commandOf(pod, path),
    env: [
      { name: 'LIFEHOOK_RESTORE', value: restore },
      { name: 'LIFEHOOK_PATH', value: literally(path) },
      ...(pod.env ?? []),
    ],
    ...(pod.resources === undefined ? {} : { resources: pod.resources }),
    volumeMounts: mounts
      .filter(({ isBlock }) => !isBlock)
      .map(({ path: mountPath, readOnly, volumeName }) => ({
        name: volumeName,
        mountPath,
        ...(readOnly ? { readOnly } : {}),
      })),
    ...devicesOf(mounts),
    // After a failure the pod's status then has the end of the output, so no permission for logs is needed.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

/**
 * The block volumes among the mounts. A block volume is a device and cannot be mounted; the path of a device must be
 * absolute.
 */
function devicesOf(mounts: readonly Mounted[]): Pick<Container, 'volumeDevices'> {
  const devices = mounts.filter(({ isBlock }) => isBlock);
  if (devices.length === 0) return {};
  return {
    volumeDevices: devices.map(({ path: devicePath, volumeName: name }) => ({ name, devicePath })),
  };
}

function commandOf({ command, args, recipe }: RestorePod, path: string): Partial<Container> {
  const verify = recipe === undefined ? undefined : resolveRecipe(recipe.name)?.verify;
  if (verify !== undefined) {
    const parameters = recipeParameters(verify, recipe?.parameters ?? {});
    return { command: verify.command(parameters, path).map(literally) };
  }
  return {
    ...(command === undefined ? {} : { command: command.map(literally) }),
    ...(args === undefined ? {} : { args: args.map(literally) }),
  };
}

/** Escapes a text, since the kubelet replaces `$(NAME)` in commands and variables, and turns `$$` into `$`. */
function literally(word: string): string {
  return word.replaceAll('$', '$$$$');
}

interface Mounted {
  readonly volumeName: string;
  readonly claimName: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly isBlock: boolean;
}

/** The mounts of a hook pod; none before the claims are ready. */
function mountsOf({ status = {} }: SnapshotRestore, { mounts }: RestorePod): readonly Mounted[] {
  const { claims = [], claimsReadyAt } = status;
  if (claimsReadyAt === undefined) return [];
  const wanted =
    mounts ??
    claims.map(({ sourceClaimName: name }) => ({
      sourceClaimName: name,
      path: `${MOUNT_FOLDER}/${name}`,
    }));
  return wanted.flatMap(({ sourceClaimName, path, readOnly = false }: Mount) => {
    const claim = claims.find((each) => each.sourceClaimName === sourceClaimName);
    if (claim === undefined) return [];
    const { claimName, volumeMode } = claim;
    const isBlock = volumeMode === 'Block';
    const at = isBlock && !path.startsWith('/') ? `/${path}` : path;
    return [{ volumeName: volumeNameOf(sourceClaimName), claimName, path: at, readOnly, isBlock }];
  });
}

type Mount = NonNullable<RestorePod['mounts']>[number];

/** The name of the source claim if a volume can have that name, else a hash of it. */
function volumeNameOf(sourceClaim: string): string {
  if (/^[a-z0-9-]{1,63}$/.test(sourceClaim)) return sourceClaim;
  return `claim-${sha256(sourceClaim).slice(0, HASH_CHARACTERS)}`;
}
