import { LostLogError } from '../../../kube/api-error.ts';
import { readLogTail } from '../../../kube/log-tail.ts';
import { errorText } from '../../../platform/error-text.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { ApplyContext } from './apply-objects.ts';
import type { PodTrouble } from './judge-pods.ts';

const LOG_LIMITS = { lines: 10, bytes: 4_096 };
const LOST_PAUSE_MS = 1_000;
/** Number of reads before a lost log is given up. A loaded node takes seconds to report the next instance. */
const LOST_READS_MAX = 10;

/**
 * The last lines that a container logged before it exited. An unreadable log does not fail the report.
 *
 * The kubelet restarts a container at once, so the exited instance may have become the previous one since its pod was
 * read. The new instance has no log yet then. If the new instance has exited as well, the kubelet removes the log of
 * the old one, perhaps before it reports the new one: the log of the new one is read as soon as it does.
 */
export async function lastLines(
  trouble: PodTrouble,
  context: ApplyContext,
): Promise<readonly string[]> {
  const { container, log } = trouble;
  if (container === null || log === null) return [];
  const which = { ...trouble, container };
  const { platform, hooks } = context.session;
  let previous = log === 'previous';
  for (let reads = 1; ; reads += 1) {
    try {
      const lines = await linesOf(which, previous, context);
      return lines.length === 0 && !previous ? await linesOf(which, true, context) : lines;
    } catch (error) {
      if (!(error instanceof LostLogError) || reads === LOST_READS_MAX || hooks.signal.aborted) {
        return [`(its log cannot be read: ${errorText(error)})`];
      }
      previous = false;
      await sleep(platform.timers, LOST_PAUSE_MS, hooks.signal);
    }
  }
}

async function linesOf(
  place: Pick<PodTrouble, 'namespace' | 'pod'> & { readonly container: string },
  previous: boolean,
  { session, target }: ApplyContext,
): Promise<readonly string[]> {
  const { namespace, pod, container } = place;
  const secrets = (await session.hooks.cluster?.secretsOf?.({ namespace, pod, container })) ?? [];
  const which = { namespace, name: pod, container, previous };
  const text = await readLogTail(target.connection, which, { ...LOG_LIMITS, secrets });
  return text.split('\n').filter((line) => line !== '');
}
