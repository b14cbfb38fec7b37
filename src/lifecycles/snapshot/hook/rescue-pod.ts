/**
 * The rescue pod of a target: it runs the thaw on the same node with the same volumes when the target's container
 * cannot. Pure.
 *
 * Its template is read from the target's pod when the hook begins, since that pod may be deleted later.
 */
import type { Container, Pod, PodSpec, Volume } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import { apiVersionOf } from '../../../kube/object.ts';
import { sha256 } from '../../../platform/digests.ts';
import {
  type Rescue,
  type RescueSource,
  type ContainerStatus,
  executionHooks,
  type ResolvedActions,
} from '../kinds.ts';
import { RESCUE_POD } from '../names.ts';

/** `fsGroup` is not copied: a kubelet that changes the owner of files would block on the frozen file system. */
const NOT_TAKEN_OVER = ['fsGroup', 'fsGroupChangePolicy'];
/** Maximum length of the name: Kubernetes cuts a longer one for the host name of the pod. */
const NAME_CHARACTERS_MAX = 63;
const HASH_CHARACTERS = 10;

/** The name of the container in the rescue pod that thaws. */
export const THAW_CONTAINER = 'thaw';

/**
 * The source of a rescue pod. null: no rescue is configured, or the container mounts no volume that another pod could
 * mount too.
 */
export function rescueSource(
  { spec }: Pod,
  containerName: string,
  rescue: Rescue | undefined,
): RescueSource | null {
  const found = containersOf(spec).find(({ name }) => name === containerName);
  if (rescue === undefined || spec === undefined || found === undefined) return null;
  const kept = volumesOf(spec, found);
  if (kept.length === 0) return null;
  const names = new Set(kept.map(({ name }) => name));
  const isKept = ({ name }: { readonly name: string }): boolean => names.has(name);
  return defined({
    serviceAccountName: spec.serviceAccountName,
    runtimeClassName: spec.runtimeClassName,
    imagePullSecrets: spec.imagePullSecrets,
    securityContext: without(spec.securityContext, NOT_TAKEN_OVER),
    volumes: kept,
    container: defined({
      image: rescue.image ?? found.image,
      securityContext: found.securityContext,
      volumeMounts: found.volumeMounts?.filter(isKept),
      volumeDevices: found.volumeDevices?.filter(isKept),
    }),
  });
}

export interface RescuePodFacts {
  readonly hook: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly target: ContainerStatus;
  readonly resolved: ResolvedActions;
  /** Timeout of the attempt in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Builds a pod that the hook owns. Its name follows from the hook and the target, so that a restarted process finds it.
 */
export function rescuePod({ hook, target, resolved, timeoutMs }: RescuePodFacts): Pod {
  const { container, ...source } = (target.rescue ?? {}) as Partial<PodSpec> & {
    readonly container?: Partial<Container>;
  };
  return {
    metadata: {
      namespace: hook.namespace,
      name: rescueName(hook, target),
      labels: { [RESCUE_POD]: 'true' },
      ownerReferences: [
        {
          apiVersion: apiVersionOf(executionHooks),
          kind: executionHooks.kind,
          name: hook.name,
          uid: hook.uid,
        },
      ],
    },
    spec: {
      ...source,
      ...(target.nodeName === undefined ? {} : { nodeName: target.nodeName }),
      restartPolicy: 'Never',
      activeDeadlineSeconds: Math.max(1, Math.ceil(timeoutMs / 1_000)),
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // The pod must run on this node, so no taint may keep it away.
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          ...container,
          name: THAW_CONTAINER,
          imagePullPolicy: 'IfNotPresent',
          command: thawCommand(resolved).map(literally),
          // The pod's status then has the end of the output, so no permission for logs is needed.
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
    },
  };
}

/**
 * Whether a found pod runs the thaw of the wanted pod. Every user who may create pods can create one with this name and
 * owner (SNAP-I24). A pod that a webhook has changed is not reused, but recreated.
 */
export function runsSameThaw({ spec: found }: Pod, { spec: wanted }: Pod): boolean {
  if (wanted?.nodeName !== undefined && found?.nodeName !== wanted.nodeName) return false;
  return sameJson(whatRuns(found), whatRuns(wanted));
}

function whatRuns({ initContainers = [], containers = [], volumes = [] }: Partial<PodSpec> = {}) {
  const kept = containers.map(
    ({ name, image, command, args, env, envFrom, workingDir, ...container }) => {
      const { volumeMounts, volumeDevices, securityContext } = container;
      const mounted = { volumeMounts, volumeDevices, securityContext };
      return { name, image, command, args, env, envFrom, workingDir, ...mounted };
    },
  );
  return { initContainers, containers: kept, volumes };
}

function rescueName(
  { name, uid }: RescuePodFacts['hook'],
  { podUID, containerName }: ContainerStatus,
): string {
  const rest = `rescue-${sha256(`${uid}/${podUID}/${containerName}`).slice(0, HASH_CHARACTERS)}`;
  const start = name.replaceAll('.', '-').slice(0, NAME_CHARACTERS_MAX - rest.length - 1);
  return `${start.replace(/-+$/, '')}-${rest}`;
}

function thawCommand({ preAction, postAction }: ResolvedActions): readonly string[] {
  return (postAction === undefined ? preAction.session?.thaw : postAction.exec?.command) ?? [];
}

/** Escapes an argument, since the kubelet replaces `$(NAME)` in commands and turns `$$` into `$`. */
function literally(word: string): string {
  return word.replaceAll('$', '$$$$');
}

function containersOf({
  containers = [],
  initContainers = [],
}: Partial<PodSpec> = {}): Container[] {
  return [...initContainers, ...containers];
}

/** Volumes that the container mounts and that another pod can mount at the same time. */
function volumesOf({ volumes = [] }: PodSpec, container: Container): Volume[] {
  const mounted = new Set(mountsOf(container).map(({ name }) => name));
  return volumes.filter(
    ({ name, persistentVolumeClaim, hostPath }) =>
      mounted.has(name) && (persistentVolumeClaim ?? hostPath) !== undefined,
  );
}

function mountsOf({ volumeMounts = [], volumeDevices = [] }: Container): { name: string }[] {
  return [...volumeMounts, ...volumeDevices];
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The fields without those of these names. undefined: no field is left. */
function without(
  fields: object | undefined,
  names: readonly string[],
): Record<string, unknown> | undefined {
  const left = Object.entries(fields ?? {}).filter(([name]) => !names.includes(name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
