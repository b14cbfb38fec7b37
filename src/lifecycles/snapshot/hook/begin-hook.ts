/**
 * Starts a hook: fixes its actions and its targets for good (SNAP-G1, SNAP-I10).
 *
 * An invalid hook is refused at once. A hook that needs an object that does not exist yet waits for it. Neither has run
 * anything.
 */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import { fieldProblemsMessage } from '../../../controller/definitions/field-problem.ts';
import { CHANGED_SPEC, hasFirstSpec } from '../../../controller/unchanged-spec.ts';
import { hostNotAllowed } from '../../../handlers/pod-network.ts';
import type { CallOptions, KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import {
  applicationSnapshots,
  type ContainerStatus,
  type ExecutionHook,
  type ExecutionHookStatus,
  executionHookTemplates,
  type HookActions,
  type ResolvedActions,
} from '../kinds.ts';
import { judgeHookSpec } from '../schema/validate.ts';
import { TEMPLATE_PATIENCE_SECONDS } from '../schema/limits.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import { resolveActions } from '../schema/resolve-actions.ts';
import type { IsAllowedHost } from '../../../handlers/allowed-hosts.ts';
import { rescueSource } from './rescue-pod.ts';
import { readLostNodes, readPods } from './read-targets.ts';
import {
  type NoSelection,
  type SelectionInput,
  selectForThaw,
  selectTargets,
  STARTING,
} from './select-targets.ts';
import { whyTooLarge } from '../schema/status-budget.ts';
import { outlivesContainer } from './targets.ts';

export type Beginning =
  | { readonly kind: 'begun'; readonly status: ExecutionHookStatus }
  | Refusal
  | Waiting;

export interface Refusal {
  readonly kind: 'refused';
  /** The reason as one token in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** The hook needs an object that does not exist yet. It waits, and has run nothing. */
export interface Waiting {
  readonly kind: 'waits';
  /** The reason as one token in CamelCase. It is also the reason for the refusal if the object never appears. */
  readonly reason: string;
  readonly message: string;
  /** The longest wait, in seconds from the creation of the hook. */
  readonly patienceSeconds: number;
  /** The hook starts without the object when the wait is over. */
  readonly elseBegins?: true;
}

export interface BeginningOptions {
  readonly client: KubeClient;
  readonly resolveRecipe: ResolveRecipe;
  readonly call: CallOptions;
  /** Selects every existing target of the hook, on any node, since nothing will be frozen. */
  readonly isForThaw?: boolean;
  /** Absent: the list of allowed hosts is not known here. Each request is checked when it is sent. */
  readonly isAllowedHost?: IsAllowedHost;
  /** Age of the hook in milliseconds; absent: the hook does not wait for pods. */
  readonly ageMs?: number;
}

export async function beginHook(
  hook: ExecutionHook,
  options: BeginningOptions,
): Promise<Beginning> {
  const { client, resolveRecipe, call, isForThaw = false } = options;
  const { spec } = hook;
  const namespace = hook.metadata?.namespace ?? '';
  if (!hasFirstSpec(hook)) return refused('SpecChanged', CHANGED_SPEC);
  const { errors } = judgeHookSpec(spec, resolveRecipe);
  if (errors.length > 0) return refused('Invalid', fieldProblemsMessage(errors));
  const [written, pods] = await Promise.all([
    actionsOf(hook, client),
    readPods(client, spec, { namespace, ...call }),
  ]);
  if ('kind' in written) return written;
  const resolution = resolveActions({ ...written, resolveRecipe });
  if ('problems' in resolution) {
    const reported = fieldProblemsMessage(resolution.problems);
    return refused('Invalid', `${written.origin}: ${reported}`);
  }
  const { resolved } = resolution;
  if (isForThaw) {
    return begun(hook, resolved, withVolumes(resolved, selectForThaw(spec, pods), pods));
  }
  const lostNodes = await readLostNodes(client, pods);
  return choose({ hook, resolved, ...options }, { pods, lostNodes });
}

/**
 * The first host of any action that is not allowed; null: all are allowed. Checked before the first action: if the host
 * of the thaw were not allowed, the freeze could not be undone.
 */
function foreignHost(
  { preAction, postAction }: ResolvedActions,
  isAllowedHost: IsAllowedHost,
): string | null {
  const actions = [preAction, ...(postAction === undefined ? [] : [postAction])];
  const hosts = actions.flatMap(({ httpGet, tcpSocket }) => [httpGet?.host, tcpSocket?.host]);
  return hosts.find((host = '') => host !== '' && !isAllowedHost(host)) ?? null;
}

function choose(
  of: Pick<BeginningOptions, 'ageMs' | 'isAllowedHost'> & {
    readonly hook: ExecutionHook;
    readonly resolved: ResolvedActions;
  },
  there: Pick<SelectionInput, 'pods' | 'lostNodes'>,
): Beginning {
  const { hook, resolved, ageMs, isAllowedHost = () => true } = of;
  const foreign = foreignHost(resolved, isAllowedHost);
  if (foreign !== null) return refused('HostNotAllowed', hostNotAllowed(foreign));
  const { spec } = hook;
  const patienceSeconds = podPatience(hook, resolved);
  const isPatient = ageMs !== undefined && ageMs < patienceSeconds * 1_000;
  const selection = selectTargets({ ...there, spec, policy: resolved.policy, isPatient });
  if ('reason' in selection) {
    const mayWait = ageMs !== undefined && patienceSeconds > 0;
    return mayWait
      ? waitFor(selection, patienceSeconds)
      : refused(selection.reason, selection.message);
  }
  const targets = withVolumes(resolved, selection.targets, there.pods);
  const tooLarge = whyTooLarge({ hook, resolved, targets });
  if (tooLarge !== null) return refused('TooLarge', tooLarge);
  return begun(hook, resolved, targets);
}

/**
 * The longest wait for pods, in seconds from the creation of the hook: the timeout of its preAction. A hook of a
 * snapshot does not wait: its pods ran when the snapshot was planned, and other hooks may be frozen already.
 */
function podPatience({ metadata }: ExecutionHook, { preAction }: ResolvedActions): number {
  const { ownerReferences = [] } = metadata ?? {};
  const isMade = ownerReferences.some(({ kind }) => kind === applicationSnapshots.kind);
  return isMade ? 0 : preAction.actionTimeoutSeconds;
}

function waitFor(
  { reason, message, mayAppear }: NoSelection,
  patienceSeconds: number,
): Refusal | Waiting {
  if (mayAppear === undefined) return refused(reason, message);
  const waiting = { kind: 'waits', reason, message, patienceSeconds } as const;
  return reason === STARTING ? { ...waiting, elseBegins: true } : waiting;
}

/** For a lock that outlives its container, adds the facts that the thaw needs once the pod is deleted. */
function withVolumes(
  resolved: ResolvedActions,
  targets: readonly ContainerStatus[],
  pods: readonly Pod[],
): readonly ContainerStatus[] {
  if (!outlivesContainer(resolved)) return targets;
  return targets.map((target) => {
    const pod = pods.find(({ metadata }) => metadata?.uid === target.podUID);
    if (pod === undefined) return target;
    const rescue = rescueSource(pod, target.containerName, resolved.rescue);
    const claimNames = [...claimsOf(pod, target.containerName)];
    return { ...target, claimNames, ...(rescue === null ? {} : { rescue }) };
  });
}

interface WrittenActions {
  readonly actions: HookActions;
  readonly origin: string;
  readonly field?: string;
}

async function actionsOf(
  { spec, metadata }: ExecutionHook,
  client: KubeClient,
): Promise<WrittenActions | Waiting> {
  const { executionHookTemplateName: name } = spec;
  if (name === undefined) return { actions: spec, origin: 'the hook itself', field: 'spec' };
  const { namespace = '' } = metadata ?? {};
  const template = await getOrNull(client, executionHookTemplates, { namespace, name });
  if (template !== null) return { actions: template, origin: `template ${name}` };
  const message = `There is no ExecutionHookTemplate ${name} in this namespace: create it, or correct the name and create the hook again.`;
  const patienceSeconds = TEMPLATE_PATIENCE_SECONDS;
  return { kind: 'waits', reason: 'TemplateNotFound', message, patienceSeconds };
}

function begun(
  { status }: ExecutionHook,
  resolved: ResolvedActions,
  targets: readonly ContainerStatus[],
): Beginning {
  return {
    kind: 'begun',
    status: { ...status, resolved, containerExecutionHookStatuses: [...targets] },
  };
}

function refused(reason: string, message: string): Refusal {
  return { kind: 'refused', reason, message };
}

/** The claims of the volumes that this container of the pod mounts, sorted. */
export function claimsOf({ metadata, spec }: Pod, containerName: string): readonly string[] {
  const { containers = [], initContainers = [], volumes = [] } = spec ?? {};
  const container = [...initContainers, ...containers].find(({ name }) => name === containerName);
  const mounted = namesOf(container);
  const claims = volumes.flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (!mounted.has(name)) return [];
    if (ephemeral !== undefined) return [`${metadata?.name ?? ''}-${name}`];
    return persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName];
  });
  return [...new Set(claims)].toSorted();
}

function namesOf({ volumeMounts = [], volumeDevices = [] }: Partial<Container> = {}): Set<string> {
  return new Set([...volumeMounts, ...volumeDevices].map(({ name }) => name));
}
