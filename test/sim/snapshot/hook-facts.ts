/**
 * Builds facts about hooks for table tests. A test sets only the fields that its case is about; all others are as
 * usual.
 */
import { microTimeText } from '../../../src/controller/kube-time.ts';
import type { AttemptReport } from '../../../src/lifecycles/snapshot/hook/attempts.ts';
import type { HookDecision } from '../../../src/lifecycles/snapshot/hook/decide.ts';
import type { HookFacts, TargetFacts } from '../../../src/lifecycles/snapshot/hook/facts.ts';
import type {
  ActionAttempt,
  ActionStatus,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
  ReleaseCause,
  ResolvedActions,
} from '../../../src/lifecycles/snapshot/kinds.ts';

/** The current time in every table, in wall-clock milliseconds. */
export const NOW_MS: number = Date.UTC(2026, 0, 1);

/** The time `seconds` seconds before NOW_MS. */
export function ago(seconds: number): string {
  return microTimeText(NOW_MS - seconds * 1_000);
}

export function actions(more: Partial<ResolvedActions> = {}): ResolvedActions {
  return {
    policy: 'ExecuteAll',
    preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 },
    postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 30 },
    origin: 'a test',
    ...more,
  };
}

export function target(place: string, more: Partial<ContainerStatus> = {}): ContainerStatus {
  const [podName = '', containerName = ''] = place.split('/');
  const identity = { podUID: `uid-${podName}`, containerID: `id-${place}`, restartCount: 0 };
  return { podName, containerName, nodeName: 'node-1', ...identity, ...more };
}

/**
 * An action whose attempts had these outcomes, one each second, the last one a second ago. 'open': the attempt has not
 * ended.
 */
export function tried(
  ends: readonly (NonNullable<ActionAttempt['outcome']> | 'open')[],
  more: Partial<ActionStatus> = {},
): ActionStatus {
  const attempts = ends.map((outcome, index): ActionAttempt => {
    const startedAt = ago(ends.length - index + 0.5);
    const endedAt = ago(ends.length - index);
    return outcome === 'open'
      ? { startedAt }
      : { startedAt, endedAt, outcome, reason: 'so it was.' };
  });
  return { actionTimestamp: attempts[0]?.startedAt ?? ago(1), attempts, ...more };
}

export const frozen: Partial<ContainerStatus> = {
  preActionStatus: tried(['Succeeded'], { actionSucceed: true }),
};

export function facts(
  targets: readonly ContainerStatus[],
  {
    status = {},
    metadata = {},
    known = [],
    ...more
  }: Partial<HookFacts> & {
    readonly status?: ExecutionHookStatus;
    readonly metadata?: ExecutionHook['metadata'];
    readonly known?: readonly Partial<TargetFacts>[];
  } = {},
): HookFacts {
  const hook: ExecutionHook = {
    metadata: { namespace: 'ns', name: 'h', uid: 'uid-h', generation: 1, ...metadata },
    spec: {},
    status: { ...status, containerExecutionHookStatuses: [...targets] },
  };
  const own = targets.map((_, index): TargetFacts => ({
    life: { kind: 'same' },
    isTerminating: known[index]?.life?.kind === 'terminating',
    open: null,
    session: null,
    claimNames: [],
    ...known[index],
  }));
  const round = { kind: 'none' } as const;
  return { hook, nowMs: NOW_MS, frozenForMs: 2_000, blocked: null, round, targets: own, ...more };
}

/** Each attempt that may begin, as "pre 1 pod/container". */
export function ordersOf({ orders }: HookDecision): string[] {
  return orders.map(({ action, attempt, target: { podName, containerName } }) => {
    return `${action} ${attempt} ${podName}/${containerName}`;
  });
}

/** Returns for each target whether it froze, whether it thawed, and which action or hook thawed it. */
export function outcomesOf({ status }: HookDecision): unknown[] {
  const { containerExecutionHookStatuses: targets = [] } = status;
  return targets.map(({ preActionStatus: pre, postActionStatus: post, thawedBy }) => [
    pre?.actionSucceed,
    post?.actionSucceed,
    thawedBy,
  ]);
}

export function released(cause: ReleaseCause): Pick<ExecutionHookStatus, 'release'> {
  return { release: { cause, at: ago(0.1) } };
}

/** Facts of a target whose open attempt has just ended with this outcome. */
export function ended(outcome: AttemptReport['outcome']): Partial<TargetFacts> {
  const reported = { exitCode: 0, reason: 'It ended.', output: '', probes: [] };
  return { open: { kind: 'ended', report: { endedAtMs: NOW_MS, outcome, ...reported } } };
}
