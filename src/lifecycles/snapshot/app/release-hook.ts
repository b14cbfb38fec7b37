/**
 * Writes that the cut was seen and that the thaw is requested, in one write (SNAP-I2). It carries the resourceVersion
 * that was checked: if it succeeds, no thaw had started before it.
 */
import { microTimeText } from '../../../controller/kube-time.ts';
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { type ExecutionHook, executionHooks } from '../kinds.ts';
import { RELEASE } from '../names.ts';
import { identify } from './identify.ts';
import { cutReleaseTime, whyNotHeld } from './thaw-order.ts';

/** The most attempts when other clients change the hook in between. */
const TRIES = 5;

export type Released =
  | { readonly kind: 'released'; readonly at: string; readonly hook: ExecutionHook }
  /** The freeze was not held until now: a thaw or a deletion came first. */
  | { readonly kind: 'notHeld'; readonly why: string; readonly hook: ExecutionHook | null };

/** `hook` comes from the cache, so that the first try needs only one request. */
export async function releaseHook(
  client: KubeClient,
  hook: ExecutionHook,
  nowMs: number,
): Promise<Released> {
  const { namespace, name } = identify(hook);
  const at = microTimeText(nowMs);
  let current = hook;
  for (let tries = 1; ; tries += 1) {
    const before = cutReleaseTime(current);
    if (before !== null) return { kind: 'released', at: before, hook: current };
    const why = whyNotHeld(current);
    if (why !== null) return { kind: 'notHeld', why, hook: current };
    const written = await annotate(client, current, `Cut@${at}`);
    if (written !== null) return { kind: 'released', at, hook: written };
    if (tries === TRIES) throw new Error(`hook ${name} changes faster than it can be released`);
    const read = await getOrNull(client, executionHooks, { namespace, name });
    if (read === null) return { kind: 'notHeld', why: `hook ${name} was deleted`, hook: null };
    current = read;
  }
}

/** null: the hook has changed since it was checked. */
async function annotate(
  client: KubeClient,
  hook: ExecutionHook,
  value: string,
): Promise<ExecutionHook | null> {
  const { namespace, name, uid, resourceVersion } = identify(hook);
  const metadata = { uid, resourceVersion, annotations: { [RELEASE]: value } };
  try {
    const body = { metadata };
    return await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
  } catch (error) {
    if (isReason(error, 'Conflict', 'NotFound')) return null;
    throw error;
  }
}
