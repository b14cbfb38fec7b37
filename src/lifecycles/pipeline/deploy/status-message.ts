/** The message of a failed status check: each object, its containers in trouble, and the last lines of exited ones. */
import { readLogTail } from '../../../kube/log-tail.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ApplyContext } from './apply-objects.ts';
import type { Judgement } from './judge-object.ts';
import type { PodTrouble } from './judge-pods.ts';
import { type ObjectRef, titleOf } from './object-name.ts';

export interface NotReady {
  readonly ref: ObjectRef;
  readonly judgement: Judgement;
  readonly troubles: readonly PodTrouble[];
}

/** Maximum number of shown objects, and of shown troubles per object; of the others only the number is shown. */
const MAX_OBJECTS = 10;
const MAX_TROUBLES = 3;
const LOG_LIMITS = { lines: 10, bytes: 4_096 };

export async function notReadyMessage(
  objects: readonly NotReady[],
  how: string,
  context: ApplyContext,
): Promise<string> {
  const shown = objects.slice(0, MAX_OBJECTS);
  const rows = await Promise.all(shown.map((one) => rowsOf(one, context)));
  const more = objects.length - shown.length;
  return [
    `error LHL412: The deployment is not ready: ${objects.length} of its objects ${how}.`,
    ...rows.flat(),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '  next: See why with kubectl describe; deploy.statusCheckDeadlineSeconds gives more time.',
  ].join('\n');
}

async function rowsOf(
  { ref, judgement, troubles }: NotReady,
  context: ApplyContext,
): Promise<string[]> {
  const certain = troubles.filter(({ kind }) => kind === 'certain');
  const groups = grouped(certain.length > 0 ? certain : troubles);
  const why = judgement.kind === 'ready' ? [] : [`  ${titleOf(ref)}: ${judgement.why}`];
  const rows = await Promise.all(
    groups.slice(0, MAX_TROUBLES).map((group) => troubleRows(ref, group, context)),
  );
  const more = groups.length - rows.length;
  return [
    ...(certain.length > 0 ? [] : why),
    ...rows.flat(),
    ...(more > 0 ? [`  ${titleOf(ref)}: ${more} more of its containers are not ready`] : []),
  ];
}

interface Group {
  readonly first: PodTrouble;
  readonly pods: number;
}

/** Pods of the same template mostly fail alike. */
function grouped(troubles: readonly PodTrouble[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const one of troubles) {
    const key = `${one.container ?? ''} ${one.why.replaceAll(one.pod, '')}`;
    const { first = one, pods = 0 } = groups.get(key) ?? {};
    groups.set(key, { first, pods: pods + 1 });
  }
  return [...groups.values()];
}

async function troubleRows(
  ref: ObjectRef,
  { first, pods }: Group,
  context: ApplyContext,
): Promise<readonly string[]> {
  const { pod, container, why } = first;
  const who = container === null ? `pod ${pod}` : `container ${container} of pod ${pod}`;
  const more = pods === 1 ? '' : ` (so in ${pods} pods)`;
  const title = `  ${titleOf(ref)}: ${who} ${why}${more}`;
  return [title, ...(await lastLines(first, context)).map((line) => `    | ${line}`)];
}

/** An unreadable log only leaves out its lines. */
async function lastLines(
  { namespace, pod, container, log }: PodTrouble,
  { session, target }: ApplyContext,
): Promise<readonly string[]> {
  if (container === null || log === null) return [];
  const which = { namespace, name: pod, container, previous: log === 'previous' };
  const secrets = (await session.hooks.cluster?.secretsOf?.({ namespace, pod, container })) ?? [];
  try {
    const text = await readLogTail(target.connection, which, { ...LOG_LIMITS, secrets });
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    return [`(its log cannot be read: ${errorText(error)})`];
  }
}
