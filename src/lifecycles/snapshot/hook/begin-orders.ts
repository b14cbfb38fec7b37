/** Starts the attempts whose intents are durable, each in the pool that it belongs to. */
import { fencedClient } from '../../../controller/fenced-client.ts';
import { parseKey } from '../../../controller/object-key.ts';
import type { ExecutionHook, ResolvedActions } from '../kinds.ts';
import { attemptId } from './attempt.ts';
import type { Lane } from './attempts.ts';
import { fencedAccess } from './begin-round.ts';
import type { Order } from './decide.ts';
import { restUntilExpiryMs } from './decide-release.ts';
import { podOf } from './gather.ts';
import type { HookState } from './hook-state.ts';
import { runAttempt } from './run-attempt.ts';

export interface OrderFacts {
  readonly shared: HookState;
  readonly key: string;
  readonly hook: ExecutionHook;
  readonly resolved: ResolvedActions;
  /** Whether this process still leads; called before each command (SNAP-I14). */
  readonly mayAct: () => boolean;
  /** The time of the decision, milliseconds of the monotonic clock. */
  readonly decidedMs: number;
}

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
