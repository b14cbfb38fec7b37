/**
 * The rescue pod of a target: it runs the thaw on the same node with the same volumes, where the target's container
 * cannot. What it needs of the target's pod is read when the hook begins, since that pod may be deleted by then. Pure.
 */
import type { Container, Pod, PodSpec, Volume } from 'kubernetes-types/core/v1.js';

import { apiVersionOf } from '../../../kube/object.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { Rescue, RescueSource } from '../action-kinds.ts';
import { type ContainerStatus, executionHooks, type ResolvedActions } from '../kinds.ts';
import { RESCUE_POD } from '../names.ts';

/** `fsGroup` is left out: a kubelet that changes the owner of files waits for the frozen file system. */
const NOT_TAKEN_OVER = ['fsGroup', 'fsGroupChangePolicy'];
/** A pod's name is its host name. */
const NAME_CHARACTERS_MAX = 63;
const HASH_CHARACTERS = 10;

/** null: no rescue is wanted, or the container mounts nothing that another pod could mount too. */
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
  /** Of the attempt. */
  readonly timeoutMs: number;
}

/** It is owned by its hook, and its name follows from hook and target, so that it is found after a restart. */
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
      // Its node is given, so that it must not be turned away there.
      tolerations: [{ operator: 'Exists' }],
      containers: [
        {
          ...container,
          name: 'thaw',
          imagePullPolicy: 'IfNotPresent',
          command: thawCommand(resolved).map(literally),
          // The end of its output, where no right to read logs is needed.
          terminationMessagePolicy: 'FallbackToLogsOnError',
        },
      ],
    },
  };
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

/** The kubelet replaces `$(NAME)` in commands, and makes one of two dollar signs. */
function literally(word: string): string {
  return word.replaceAll('$', '$$$$');
}

function containersOf({
  containers = [],
  initContainers = [],
}: Partial<PodSpec> = {}): Container[] {
  return [...initContainers, ...containers];
}

/** Those that the container mounts, and that another pod can mount with it. */
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

/** undefined: nothing is left. */
function without(
  fields: object | undefined,
  names: readonly string[],
): Record<string, unknown> | undefined {
  const left = Object.entries(fields ?? {}).filter(([name]) => !names.includes(name));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}
