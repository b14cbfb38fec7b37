/** What a job's podFailurePolicy makes of a pod that has failed. Pure. */
import type { Job, PodFailurePolicyRule } from 'kubernetes-types/batch/v1.js';
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { identityOf } from '../workload/parts.ts';

export type FailureVerdict =
  | { readonly kind: 'count' }
  | { readonly kind: 'ignore' }
  /** The pod's index is given up, and the job goes on with the others. */
  | { readonly kind: 'failIndex' }
  | { readonly kind: 'failJob'; readonly message: string };

const COUNT: FailureVerdict = { kind: 'count' };

/** The first rule that matches decides; where none does the failure counts. */
export function judgeFailure({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const why = whyMatches(rule, pod);
    if (why === null) continue;
    const message = `${why} matching ${rule.action} rule at index ${index}`;
    if (rule.action === 'FailJob') return { kind: 'failJob', message };
    if (rule.action === 'FailIndex') return { kind: 'failIndex' };
    return rule.action === 'Ignore' ? { kind: 'ignore' } : COUNT;
  }
  return COUNT;
}

function whyMatches(rule: PodFailurePolicyRule, pod: Pod): string | null {
  const { namespace, name } = identityOf(pod);
  if (rule.onExitCodes !== undefined) {
    const found = exitThatMatches(rule.onExitCodes, pod);
    if (found === null) return null;
    const code = found.state?.terminated?.exitCode ?? 0;
    return `Container ${found.name} for pod ${namespace}/${name} failed with exit code ${code}`;
  }
  const { conditions = [] } = pod.status ?? {};
  const condition = (rule.onPodConditions ?? []).find((wanted) =>
    conditions.some(({ type, status }) => type === wanted.type && status === wanted.status),
  );
  return condition === undefined
    ? null
    : `Pod ${namespace}/${name} has condition ${condition.type}`;
}

type ExitCodes = NonNullable<PodFailurePolicyRule['onExitCodes']>;

/** A container that ended well matches nothing, not even "not in 42". */
function exitThatMatches(
  { containerName, operator, values }: ExitCodes,
  { status }: Pod,
): ContainerStatus | null {
  const ended = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const found = ended.find(({ name, state }) => {
    const code = state?.terminated?.exitCode ?? 0;
    if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return values.includes(code) === (operator === 'In');
  });
  return found ?? null;
}
