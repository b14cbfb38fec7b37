import { readLogTail } from '../../../kube/log-tail.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ApplyContext } from './apply-objects.ts';
import type { PodTrouble } from './judge-pods.ts';

const LOG_LIMITS = { lines: 10, bytes: 4_096 };

/**
 * The last lines that a container logged before it exited. An unreadable log does not fail the report.
 *
 * The kubelet restarts a container at once, so the exited instance may have become the previous one since its pod was
 * read. The new instance has no log yet then.
 */
export async function lastLines(
  trouble: PodTrouble,
  context: ApplyContext,
): Promise<readonly string[]> {
  const { container, log } = trouble;
  if (container === null || log === null) return [];
  const which = { ...trouble, container };
  try {
    const lines = await linesOf(which, log === 'previous', context);
    return lines.length === 0 && log === 'current' ? await linesOf(which, true, context) : lines;
  } catch (error) {
    return [`(its log cannot be read: ${errorText(error)})`];
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
