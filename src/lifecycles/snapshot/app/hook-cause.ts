/** The cause of failure that a hook reports itself, for messages of its snapshot. Pure. */
import { findCondition } from '../../../controller/conditions.ts';
import type { ExecutionHook, ReleaseCause } from '../kinds.ts';
import { identify } from './identify.ts';

/** Causes of a release that follow from an earlier failure, which is the real cause. */
const FROM_INSIDE: readonly ReleaseCause[] = ['PreFailed', 'Broken', 'Expired'];
const CHARACTERS_MAX = 512;

/**
 * Example: "ExecutionHook orders-0: TemplateNotFound: There is no …". null: the hook has not failed before its thaw, or
 * a user requested the thaw.
 */
export function causeOf(hook: ExecutionHook): string | null {
  const { conditions = [], release } = hook.status ?? {};
  const failed = findCondition(conditions, 'Failed');
  if (failed?.status !== 'True' || failed.reason === 'PostActionFailed') return null;
  if (release !== undefined && !FROM_INSIDE.includes(release.cause)) return null;
  const { name } = identify(hook);
  return `ExecutionHook ${name}: ${failed.reason}: ${failed.message}`.slice(0, CHARACTERS_MAX);
}
