/** What a hook itself gives as the cause of its failure, for the messages of its snapshot. Pure. */
import { findCondition } from '../../../controller/conditions.ts';
import type { ExecutionHook, ReleaseCause } from '../kinds.ts';
import { identify } from './identify.ts';

/** A thaw that begins for one of these causes has a cause of its own: what failed first. */
const FROM_INSIDE: readonly ReleaseCause[] = ['PreFailed', 'Broken', 'Expired'];
const CHARACTERS_MAX = 512;

/**
 * "ExecutionHook orders-0: TemplateNotFound: There is no …"; null: it has not failed before its thaw, or a
 * user asked for the thaw.
 */
export function causeOf(hook: ExecutionHook): string | null {
  const { conditions = [], release } = hook.status ?? {};
  const failed = findCondition(conditions, 'Failed');
  if (failed?.status !== 'True' || failed.reason === 'PostActionFailed') return null;
  if (release !== undefined && !FROM_INSIDE.includes(release.cause)) return null;
  const { name } = identify(hook);
  return `ExecutionHook ${name}: ${failed.reason}: ${failed.message}`.slice(0, CHARACTERS_MAX);
}
