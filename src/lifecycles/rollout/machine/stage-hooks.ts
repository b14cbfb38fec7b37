/** Finds the lifecycle's hook for a stage, for the current strategy of the Deployment. Pure. */
import type { LifecycleHook, Stage } from '../kinds.ts';
import { DEFAULT_PROGRESS_DEADLINE_SECONDS } from '../names.ts';
import type { Managed } from './facts.ts';

export function isRecreate({ deployment }: Pick<Managed, 'deployment'>): boolean {
  return deployment.spec?.strategy?.type === 'Recreate';
}

/** null: no hook has to run. If old and new pods run in parallel, there is no mid hook (ROLL-DH3). */
export function hookOf(
  facts: Pick<Managed, 'deployment' | 'lifecycle'>,
  stage: Stage,
): LifecycleHook | null {
  const { recreate, rollingUpdate } = facts.lifecycle.spec;
  if (isRecreate(facts)) return recreate?.[stage] ?? null;
  return stage === 'mid' ? null : (rollingUpdate?.[stage] ?? null);
}

/** Seconds; the deadline of a stage and of a drain (ROLL-DH16). */
export function deadlineSeconds({ deployment }: Pick<Managed, 'deployment'>): number {
  return deployment.spec?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
}
