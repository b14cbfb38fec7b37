/**
 * Builds the pod of one attempt (ROLL-DH2, ROLL-DH6, ROLL-DH7, ROLL-DH8, ROLL-C25, ROLL-C27, ROLL-C28) from the
 * container of the template and the overrides of the hook. A service mesh may add containers to the pod: only the exit
 * of the hook's container counts, and the pod is deleted after that exit is recorded.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { EnvVar, Pod, PodTemplateSpec, Container, PodSpec } from 'kubernetes-types/core/v1.js';
import { matchesLabels } from '../../../kube/label-selector.ts';
import type {
  Direction,
  LifecycleHook,
  Stage,
  ExecNewPodHook,
  HookPodOverrides,
} from '../kinds.ts';
import { HOOK_POD_FINALIZER } from '../names.ts';
import { findContainer, HOOK_CONTAINER, hookContainer, copiedVolumes } from './hook-container.ts';
import { hookPodName, hookPodLabels } from './identity.ts';
import { ownerOf } from './owner.ts';
import { tokenFromPermit } from './permit-object.ts';

export interface HookPodRequest {
  readonly deployment: Deployment;
  readonly number: number;
  readonly stage: Stage;
  readonly attempt: number;
  readonly direction: Direction;
  readonly fromRevision?: string;
  readonly toRevision?: string;
  /** The template of this rollout. */
  readonly template: PodTemplateSpec;
  readonly hook: LifecycleHook;
  /** The ReplicaSet of the template; null: it was not created yet. */
  readonly replicaSet: ReplicaSet | null;
}

/** The reason why no pod can be built from this hook and this template. A retry gives the same result. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: 'ContainerNotFound' | 'LabelsMatchSelector';
  readonly message: string;
}

export function buildHookPod(request: HookPodRequest): Pod | Refusal {
  const { template, hook, deployment } = request;
  const { execNewPod } = hook;
  const container = findContainer(template, execNewPod.containerName);
  if (container === null) return containerNotFound(request);
  const labels = { ...execNewPod.labels, ...hookPodLabels(identityFor(request)) };
  if (matchesLabels(deployment.spec?.selector, labels)) return labelsMatch(request);
  const { namespace = '' } = deployment.metadata ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: hookPodName(identityFor(request)),
      namespace,
      labels,
      annotations: { ...carriedAnnotations(template, container.name), ...execNewPod.annotations },
      finalizers: [HOOK_POD_FINALIZER],
      ownerReferences: [ownerOf(request)],
    },
    spec: hookPodSpec({
      template,
      hook: execNewPod,
      container: hookContainer({ container, hook: execNewPod, ours: ourEnv(request), template }),
    }),
  };
}

export function isRefusal(built: Pod | Refusal): built is Refusal {
  return built.kind === 'refused';
}

function identityFor({ deployment, number, stage, attempt }: HookPodRequest): {
  deployment: string;
  uid: string;
  number: number;
  stage: Stage;
  attempt: number;
} {
  const { name = '', uid = '' } = deployment.metadata ?? {};
  return { deployment: name, uid, number, stage, attempt };
}

/** Annotation for the whole pod. */
const OF_POD = 'seccomp.security.alpha.kubernetes.io/pod';
/** Prefixes of annotations for one container. The name of the container follows. */
const OF_CONTAINER = [
  'container.apparmor.security.beta.kubernetes.io/',
  'container.seccomp.security.alpha.kubernetes.io/',
];

/**
 * Copies only the annotations that are older forms of security fields: without them the hook would be less confined
 * than its container.
 */
function carriedAnnotations(
  { metadata }: PodTemplateSpec,
  container: string,
): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata?.annotations ?? {})) {
    if (key === OF_POD) carried[key] = value;
    const prefix = OF_CONTAINER.find((each) => key === each + container);
    if (prefix !== undefined) carried[prefix + HOOK_CONTAINER] = value;
  }
  return carried;
}

/** The variables that describe the rollout to its hook. */
function ourEnv(request: HookPodRequest): EnvVar[] {
  const { deployment, number, stage, attempt, direction } = request;
  const { name = '', namespace = '', uid = '' } = deployment.metadata ?? {};
  const values = {
    LIFEHOOK_NAMESPACE: namespace,
    LIFEHOOK_DEPLOYMENT: name,
    LIFEHOOK_ROLLOUT: String(number),
    LIFEHOOK_ROLLOUT_ID: `${uid}/${number}`,
    LIFEHOOK_STAGE: stage,
    LIFEHOOK_ATTEMPT: String(attempt),
    LIFEHOOK_DIRECTION: direction.toUpperCase(),
    LIFEHOOK_FROM_REVISION: request.fromRevision ?? '',
    LIFEHOOK_TO_REVISION: request.toRevision ?? '',
  };
  const valueFrom = tokenFromPermit(identityFor(request));
  const given = Object.entries(values).map(([variable, value]) => ({ name: variable, value }));
  return [...given, { name: 'LIFEHOOK_FENCING_TOKEN', valueFrom }];
}

function containerNotFound({ template, hook, stage }: HookPodRequest): Refusal {
  const { containers = [], initContainers = [] } = template.spec ?? {};
  const names = [...containers, ...initContainers].map(({ name }) => name).join(', ');
  const wanted = hook.execNewPod.containerName;
  const message = `The ${stage} hook runs the image of container "${wanted}", which this template does not have (it has: ${names}). Correct containerName in the DeploymentLifecycle, or the template.`;
  return { kind: 'refused', reason: 'ContainerNotFound', message };
}

function labelsMatch({ deployment, stage }: HookPodRequest): Refusal {
  const name = deployment.metadata?.name ?? '';
  const message = `The labels of the ${stage} hook's pod match the selector of Deployment ${name}, whose ReplicaSet would adopt the pod and delete it. Remove the matching labels from execNewPod.labels.`;
  return { kind: 'refused', reason: 'LabelsMatchSelector', message };
}

// The spec of a hook pod is that of the template without the fields of a replicated service (ROLL-C28).

/** Seconds; the default of Kubernetes for a pod. */
const DEFAULT_GRACE_SECONDS = 30;
/**
 * Seconds. With a grace period of 0 the server would remove a running pod at once, and no node would report its exit.
 */
const LEAST_GRACE_SECONDS = 1;

interface HookPodParts {
  readonly template: PodTemplateSpec;
  readonly hook: ExecNewPodHook;
  readonly container: Container;
}

/**
 * The spec of the pod. Affinity is inherited unchanged: an anti-affinity that separates the application's pods also
 * separates the hook's pod from them. If no node is left, set `overrides.affinity: {}`.
 */
function hookPodSpec({ template, hook, container }: HookPodParts): PodSpec {
  const { overrides = {} } = hook;
  const base = withoutReplicaParts(template.spec ?? { containers: [] });
  const grace =
    overrides.terminationGracePeriodSeconds ??
    base.terminationGracePeriodSeconds ??
    DEFAULT_GRACE_SECONDS;
  return {
    ...withOverrides(base, overrides),
    containers: [container],
    volumes: copiedVolumes(template, hook),
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: Math.max(LEAST_GRACE_SECONDS, grace),
  };
}

type PodBase = Omit<PodSpec, 'containers'>;

/** Applies the overrides. An override also removes the fields that admission computed from the overridden field. */
function withOverrides(base: PodBase, overrides: HookPodOverrides): PodBase {
  const { serviceAccountName, nodeSelector, tolerations, affinity } = overrides;
  const { imagePullSecrets, priorityClassName, runtimeClassName } = overrides;
  const { serviceAccount, priority, preemptionPolicy, overhead, ...rest } = base;
  const kept = {
    ...(serviceAccountName === undefined ? { serviceAccount } : {}),
    ...(priorityClassName === undefined ? { priority, preemptionPolicy } : {}),
    ...(runtimeClassName === undefined ? { overhead } : {}),
  };
  const replaced = {
    serviceAccountName,
    nodeSelector,
    tolerations,
    affinity,
    imagePullSecrets,
    priorityClassName,
    runtimeClassName,
  };
  return { ...rest, ...present(kept), ...present(replaced) };
}

function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function withoutReplicaParts(spec: PodSpec): PodBase {
  const {
    containers: _containers,
    initContainers: _initContainers,
    ephemeralContainers: _ephemeralContainers,
    volumes: _volumes,
    restartPolicy: _restartPolicy,
    readinessGates: _readinessGates,
    topologySpreadConstraints: _topologySpreadConstraints,
    activeDeadlineSeconds: _activeDeadlineSeconds,
    ...rest
  } = spec;
  return rest;
}
