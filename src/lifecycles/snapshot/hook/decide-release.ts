/** Decides why a thaw starts. The first cause stays; `ReleaseCause` defines each cause. Pure. */
import { isTerminating } from '../../../controller/finalizers.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import type {
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
  ReleaseCause,
  ResolvedActions,
} from '../kinds.ts';
import { CUT_RELEASE, RELEASE } from '../names.ts';
import type { HookFacts } from './facts.ts';

export type Release = NonNullable<ExecutionHookStatus['release']>;

/**
 * The release by a user's request, by the cut, by the deletion or by the expiry, in this order. The cut comes before
 * the deletion because a snapshot deletes its hooks right after it has seen the cut.
 */
export function releaseFromOutside(
  { hook, frozenForMs, nowMs }: HookFacts,
  resolved: ResolvedActions,
): Release | null {
  if (hook.status?.release !== undefined) return hook.status.release;
  const asked = askedFor(hook);
  if (asked !== null) return releaseAt(asked, nowMs);
  if (isTerminating(hook)) return releaseAt('Deleted', nowMs);
  const restMs = restUntilExpiryMs(frozenForMs, resolved);
  return restMs !== null && restMs <= 0 ? releaseAt('Expired', nowMs) : null;
}

/** The release because a freeze failed (SNAP-G9) or was lost. */
export function releaseFromInside(
  targets: readonly ContainerStatus[],
  nowMs: number,
): Release | null {
  const failed = targets.some(({ preActionStatus }) => preActionStatus?.actionSucceed === false);
  if (failed) return releaseAt('PreFailed', nowMs);
  const lost = targets.some(({ freezeLost }) => freezeLost !== undefined);
  return lost ? releaseAt('Broken', nowMs) : null;
}

/** Milliseconds until the hook expires; null: it never expires, or nothing is frozen yet (SNAP-R23). */
export function restUntilExpiryMs(
  frozenForMs: number | null,
  { expirationSeconds }: ResolvedActions,
): number | null {
  if (expirationSeconds === undefined || frozenForMs === null) return null;
  return expirationSeconds * 1_000 - frozenForMs;
}

/**
 * The cause that the annotations request. A user's request has precedence over the cut: its thaw may have begun
 * earlier, without a record.
 */
function askedFor({ metadata }: ExecutionHook): ReleaseCause | null {
  const { annotations = {} } = metadata ?? {};
  if (annotations[RELEASE] !== undefined) return 'Human';
  return annotations[CUT_RELEASE] === undefined ? null : 'Cut';
}

function releaseAt(cause: ReleaseCause, nowMs: number): Release {
  return { cause, at: microTimeText(nowMs) };
}
