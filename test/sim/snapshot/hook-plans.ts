/** Random plans of hooks: their locks, actions and targets. */
import type {
  SessionAction,
  ExecutionHookInfo,
  HookActions,
  HookTargets,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Random } from '../random.ts';
import type { Lock } from './application.ts';
import type { PodPlan } from './sim-cluster.ts';
import { READY } from './sim-holder.ts';

/** Plan of one hook, with the facts that judges need. */
export interface HookPlan {
  /** Identifies the hook in each of its commands. */
  readonly tag: string;
  readonly lock: Lock;
  readonly probed: boolean;
  readonly held: boolean;
  readonly thaws: boolean;
  /** True if a freeze of this hook may outlive the pod. */
  readonly outlives: boolean;
  readonly actions: HookActions;
  readonly targets: HookTargets;
}

export function throwHook(random: Random, tag: string, pod: PodPlan): HookPlan {
  const { lock } = pod;
  const endsAlone = lock === 'selfExpiring';
  const held = lock === 'session' || (!endsAlone && random.chance(0.3));
  // A server in another container may exit unnoticed unless there is a probe.
  const probed = endsAlone || random.chance(pod.server === undefined ? 0.4 : 1);
  const thaws = !endsAlone || random.chance(0.7);
  // True if the lock is in a file system, or in a server outside this pod.
  const outlives = lock === 'superblock' || (pod.server !== undefined && thaws);
  const is = { tag, lock, probed, held, thaws, outlives };
  return { ...is, actions: throwActions(random, is), targets: throwTargets(random, pod) };
}

export function throwActions(
  random: Random,
  { tag, lock, probed, held, thaws, outlives }: Omit<HookPlan, 'actions' | 'targets'>,
): HookActions {
  const seconds = random.pick([undefined, 4, 10]);
  const limit = seconds === undefined ? {} : { actionTimeoutSeconds: seconds };
  const again = random.chance(0.5) && isIdempotent(lock) ? { idempotent: true } : {};
  const pre = held ? { session: sessionOf(random, { lock, tag }) } : exec('freeze', tag);
  const preAction = { ...pre, ...limit, ...again };
  const actions: HookActions = { policy: 'ExecuteAll', preAction, ...scopeOf(outlives) };
  if (thaws && !held) actions.postAction = { ...exec('thaw', tag), ...limit };
  if (probed) actions.probe = { ...exec('probe', tag), timeoutSeconds: 3 };
  const expires = lock === 'selfExpiring' ? 15 : random.pick([undefined, 8, 30]);
  return expires === undefined ? actions : { ...actions, expirationSeconds: expires };
}

function scopeOf(outlives: boolean): Pick<HookActions, 'lockScope'> {
  return outlives ? { lockScope: 'Kernel' } : {};
}

function isIdempotent(lock: Lock): boolean {
  return lock === 'flag' || lock === 'selfExpiring';
}

export function throwTargets(random: Random, { labels, name, containers }: PodPlan): HookTargets {
  return random.pick<HookTargets>([
    { podSelector: { matchLabels: { app: labels['app'] ?? '' } } },
    { podContainerNamesList: [{ podName: name, containerNames: [...containers] }] },
  ]);
}

export function exec(verb: string, tag: string): { exec: { command: string[] } } {
  return { exec: { command: [verb, tag] } };
}

function sessionOf(random: Random, of: { lock: Lock; tag: string }): SessionAction {
  const { lock, tag } = of;
  const windowSeconds = random.pick([2, 4, 10]);
  if (lock !== 'session') {
    return { freeze: ['freeze', tag], thaw: ['thaw', tag], windowSeconds };
  }
  const client = ['client', tag];
  return {
    client,
    freeze: [`freeze ${tag}`],
    thaw: [`thaw ${tag}`],
    ready: READY,
    windowSeconds,
  };
}

/** The hook of a snapshot uses the template that is named after its tag. */
export function infoOf({ tag, targets }: HookPlan): ExecutionHookInfo {
  return { ...targets, executionHookTemplateName: templateName(tag) };
}

export function templateName(tag: string): string {
  return `t-${tag.replace('.', '-')}`;
}

export function planIn(plans: ReadonlyMap<string, HookPlan>, tag: string): HookPlan {
  const [words = ''] = tag.split('#');
  const plan = plans.get(words);
  if (plan === undefined) throw new Error(`no hook has the tag ${tag}`);
  return plan;
}
