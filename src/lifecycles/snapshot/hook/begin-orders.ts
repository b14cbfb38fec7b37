/** Starts the attempts whose intents are durable, each in the pool that it belongs to. */
import { fencedClient } from '../../../controller/fenced-client.ts';
import { parseKey } from '../../../controller/object-key.ts';
import type { ExecutionHook, ResolvedActions } from '../kinds.ts';
import { attemptId } from './attempt.ts';
import type { Lane } from './attempts.ts';
import { fencedAccess } from './fenced-access.ts';
import type { Order } from './decide.ts';
import { restUntilExpiryMs } from './decide-release.ts';
import { podOf } from './gather.ts';
import type { HookRoom } from './hook-room.ts';
import { runAttempt } from './run-attempt.ts';

export interface OrderFacts {
  readonly room: HookRoom;
  readonly key: string;
  readonly hook: ExecutionHook;
  readonly resolved: ResolvedActions;
  /** Whether this process still leads; called before each command (SNAP-I14). */
  readonly mayAct: () => boolean;
  /** The time of the decision, milliseconds of the monotonic clock. */
  readonly decidedMs: number;
}

export function beginOrders(orders: readonly Order[], facts: OrderFacts): void {
  const { room, key, hook, resolved, decidedMs, mayAct } = facts;
  const { sessions } = room;
  const { clock } = room.context.platform;
  const freezing = fencedAccess(room.context.freezing, mayAct);
  const thawing = fencedAccess(room.context.thawing, mayAct);
  const client = fencedClient(room.context.client, mayAct);
  const context = { ...room.context, client, freezing, thawing };
  const { namespace = '', name: hookName } = parseKey(key);
  const hookUid = hook.metadata?.uid ?? '';
  const onEnd = (): void => {
    room.wake(key);
  };
  for (const order of orders) {
    const pod = podOf(room, namespace, order.target);
    const world = { context, sessions, namespace, hookName, hookUid, resolved, pod };
    room.attempts.begin({
      id: attemptId(hookUid, order.target, order),
      lane: laneOf(order),
      onEnd,
      make: (signal) => {
        const lateMs = clock.monotonicMs() - decidedMs;
        // The time of a thaw counts from its start; a freeze has only the rest of its time.
        const timeoutMs = order.action === 'pre' ? order.timeoutMs - lateMs : order.timeoutMs;
        const frozenForMs = room.frozenForMs(hookUid, [order.target]) ?? 0;
        const restMs = restUntilExpiryMs(frozenForMs, resolved);
        const sinceReadMs = room.sinceTargetsWereReadMs(hookUid);
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
