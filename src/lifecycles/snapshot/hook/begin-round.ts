/** Starts what a decision asks for: the probe round, and the attempts whose intents are recorded (SNAP-I3). */
import { fencedClient } from '../../../controller/fenced-client.ts';
import { parseKey } from '../../../controller/object-key.ts';
import { UnreachableError } from '../../../kube/api-error.ts';
import { notStarted } from '../../../kube/exec-result.ts';
import type { ContainerAccess } from '../context.ts';
import { cutTokenOf } from '../cut-mark.ts';
import type { ContainerStatus, ExecutionHook, ProbeStatus, ResolvedActions } from '../kinds.ts';
import { inDoubt, isAskedLate } from './ask-after-cut.ts';
import { attemptId, targetSessionId, type Lane } from './attempts.ts';
import { restUntilExpiryMs } from './decide-release.ts';
import type { Order } from './decide.ts';
import { podOf } from './gather.ts';
import type { HookState } from './hook-state.ts';
import { askProbe } from './probe-rounds.ts';
import { runAttempt } from './run-attempt.ts';
import { targetsOf, uidOf } from './targets.ts';

type RoundFacts = Omit<OrderFacts, 'decidedMs'>;

/** Starts the probe round. A probe changes nothing, so no intent is recorded. */
export function beginRound(targets: readonly ContainerStatus[], facts: RoundFacts): void {
  const { shared, key, hook, resolved, mayAct } = facts;
  const { probe } = resolved;
  if (probe === undefined || targets.length === 0) return;
  const { context, rounds } = shared;
  const { namespace = '', name: hookName } = parseKey(key);
  const access = fencedAccess(context.thawing, mayAct);
  const isLate = isAskedLate(hook);
  const hookUid = uidOf(hook);
  const frozenForMs = shared.frozenForMs(hookUid, targetsOf(hook));
  rounds.begin({
    hookUid,
    cutToken: cutTokenOf(hook) ?? '',
    targets,
    restUntilExpiryMs: restUntilExpiryMs(frozenForMs, resolved),
    ask: async (target, limits): Promise<ProbeStatus> => {
      const mayBeThawed = isLate || hasLostSession(target, facts);
      const asking = { context, access, namespace, hookName, probe, ...limits };
      const answer = await askProbe('AfterCut', target, asking);
      return mayBeThawed ? inDoubt(answer) : answer;
    },
    onEnd: () => {
      shared.wake(key);
    },
  });
}

/** Whether this process had lost the session when the cut was seen. Then the session helper thaws by itself. */
function hasLostSession(target: ContainerStatus, { shared, hook, resolved }: RoundFacts): boolean {
  if (resolved.preAction.session === undefined) return false;
  return shared.sessions.held(targetSessionId(uidOf(hook), target)) === null;
}

/**
 * Container access of one term. Before each command, probe and session it checks whether this process may still act
 * (SNAP-I14). If the process is suspended, minutes may pass between the intent of an attempt and its command, and
 * another process may lead by then. If the check fails, nothing is sent, and the attempt reports that.
 */
export function fencedAccess(access: ContainerAccess, mayAct: () => boolean): ContainerAccess {
  const { secretsOf } = access;
  const refusal = (): UnreachableError => new UnreachableError(WHY, { sent: false });
  return {
    ...(secretsOf === undefined ? {} : { secretsOf }),
    exec: async (options) => (mayAct() ? access.exec(options) : notStarted('NotLeader', WHY)),
    openExec: async (options) => {
      if (!mayAct()) throw refusal();
      return access.openExec(options);
    },
    network: {
      httpGet: async (request) => {
        if (!mayAct()) throw refusal();
        return access.network.httpGet(request);
      },
      tcpConnect: async (target) => {
        if (!mayAct()) throw refusal();
        return access.network.tcpConnect(target);
      },
    },
  };
}

const WHY = 'this process is no longer the leader, or cannot prove that it is';

export interface OrderFacts {
  readonly shared: HookState;
  readonly key: string;
  readonly hook: ExecutionHook;
  readonly resolved: ResolvedActions;
  /** Whether this process still leads; called before each command (SNAP-I14). */
  readonly mayAct: () => boolean;
  /** Time of the decision, in milliseconds of the monotonic clock. */
  readonly decidedMs: number;
}

/** Starts the attempts whose intents are stored, each in the pool of its kind. */
export function beginOrders(orders: readonly Order[], facts: OrderFacts): void {
  const { shared, key, hook, resolved, decidedMs, mayAct } = facts;
  const { sessions } = shared;
  const { clock } = shared.context.platform;
  const freezing = fencedAccess(shared.context.freezing, mayAct);
  const thawing = fencedAccess(shared.context.thawing, mayAct);
  const client = fencedClient(shared.context.client, mayAct);
  const context = { ...shared.context, client, freezing, thawing };
  const { namespace = '', name: hookName } = parseKey(key);
  const hookUid = hook.metadata?.uid ?? '';
  const onEnd = (): void => {
    shared.wake(key);
  };
  for (const order of orders) {
    const pod = podOf(shared, namespace, order.target);
    const world = { context, sessions, namespace, hookName, hookUid, resolved, pod };
    shared.attempts.begin({
      id: attemptId(hookUid, order.target, order),
      lane: laneOf(order),
      onEnd,
      make: (signal) => {
        const lateMs = clock.monotonicMs() - decidedMs;
        // The timeout of a freeze counts from the decision, that of a thaw from its start.
        const timeoutMs = order.action === 'pre' ? order.timeoutMs - lateMs : order.timeoutMs;
        const frozenForMs = shared.frozenForMs(hookUid, [order.target]) ?? 0;
        const restMs = restUntilExpiryMs(frozenForMs, resolved);
        const sinceReadMs = shared.sinceTargetsWereReadMs(hookUid);
        const rest = { signal, restUntilExpiryMs: restMs, sinceReadMs, onSessionEnd: onEnd };
        return runAttempt({ ...order, timeoutMs }, { ...world, ...rest });
      },
    });
  }
}

function laneOf({ action, isSlow }: Order): Lane {
  if (action === 'pre') return 'freeze';
  return isSlow ? 'slowThaw' : 'thaw';
}
