/**
 * The beginning of a hook: what it does and whom it is for, fixed from here on (SNAP-G1, SNAP-I10). Whatever is wrong
 * with it ends it at once, and what is not there yet is waited for; nothing has run in either case.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

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
import { checkHookSpec } from '../schema/check-hook.ts';
import { TEMPLATE_PATIENCE_SECONDS } from '../schema/limits.ts';
import type { ResolveRecipe } from '../schema/check-recipe.ts';
import { resolveActions } from '../schema/resolve-actions.ts';
import { claimsOf } from './claims-of.ts';
import type { IsAllowedHost } from './hook-hosts.ts';
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
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
}

/** Something that the hook needs is not there yet: the hook waits for it, with nothing run. */
export interface Waiting {
  readonly kind: 'waits';
  /** One word in CamelCase; also the reason of the refusal that follows if nothing comes. */
  readonly reason: string;
  readonly message: string;
  /** The longest wait, counted from the creation of the hook. */
  readonly patienceSeconds: number;
  /** When the patience is over, the hook begins without it. */
  readonly elseBegins?: true;
}

export interface BeginningOptions {
  readonly client: KubeClient;
  readonly resolveRecipe: ResolveRecipe;
  readonly call: CallOptions;
  /** Whatever is there of what the hook selects, on whatever node: nothing will be frozen. */
  readonly isForThaw?: boolean;
  /** Absent: it is not known, and the request itself is judged. */
  readonly isAllowedHost?: IsAllowedHost;
  /** Of the hook, milliseconds; absent: it waits for no pod. */
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
  const problems = checkHookSpec(spec, resolveRecipe);
  if (problems.length > 0) return refused('Invalid', fieldProblemsMessage(problems));
  const [written, pods] = await Promise.all([
    actionsOf(hook, client),
    readPods(client, spec, { namespace, ...call }),
  ]);
  if ('kind' in written) return written;
  const resolution = resolveActions({ ...written, resolveRecipe });
  if ('problems' in resolution) {
    const told = fieldProblemsMessage(resolution.problems);
    return refused('Invalid', `${written.origin}: ${told}`);
  }
  const { resolved } = resolution;
  if (isForThaw) {
    return begun(hook, resolved, withVolumes(resolved, selectForThaw(spec, pods), pods));
  }
  const lostNodes = await readLostNodes(client, pods);
  return choose({ hook, resolved, ...options }, { pods, lostNodes });
}

/** Of any action, before the first is run: what is frozen and cannot be thawed would stay so. null: there is none. */
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
 * How long a hook waits for its pods, seconds from its creation: what its preAction may take. The pods of a
 * snapshot's hook ran when the snapshot was planned, and other hooks may be frozen already: it does not wait.
 */
function podPatience({ metadata }: ExecutionHook, { preAction }: ResolvedActions): number {
  const { ownerReferences = [] } = metadata ?? {};
  const isMade = ownerReferences.some(({ kind }) => kind === applicationSnapshots.kind);
  return isMade ? 0 : preAction.actionTimeoutSeconds;
}

function waitFor(
  { reason, message, mayCome }: NoSelection,
  patienceSeconds: number,
): Refusal | Waiting {
  if (mayCome === undefined) return refused(reason, message);
  const waiting = { kind: 'waits', reason, message, patienceSeconds } as const;
  return reason === STARTING ? { ...waiting, elseBegins: true } : waiting;
}

/** Of a lock that outlives its pod: what has to be known when the pod is deleted. */
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
  const message = `There is no ExecutionHookTemplate ${name} in this namespace: create it, or correct the name and make the hook again.`;
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
