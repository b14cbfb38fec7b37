/** What the lifecycle has for a stage, under the strategy that the Deployment has now. Pure. */
import type { LifecycleHook, Stage } from '../kinds.ts';
import { DEFAULT_PROGRESS_DEADLINE_SECONDS } from '../names.ts';
import type { Managed } from './facts.ts';

export function isRecreate({ deployment }: Pick<Managed, 'deployment'>): boolean {
  return deployment.spec?.strategy?.type === 'Recreate';
}

/** null: nothing is to be run. There is no mid where old and new pods run side by side (ROLL-DH3). */
export function hookOf(
  facts: Pick<Managed, 'deployment' | 'lifecycle'>,
  stage: Stage,
): LifecycleHook | null {
  const { recreate, rollingUpdate } = facts.lifecycle.spec;
  if (isRecreate(facts)) return recreate?.[stage] ?? null;
  return stage === 'mid' ? null : (rollingUpdate?.[stage] ?? null);
}

/** Of a stage, and of a drain (ROLL-DH16). */
export function deadlineSeconds({ deployment }: Pick<Managed, 'deployment'>): number {
  return deployment.spec?.progressDeadlineSeconds ?? DEFAULT_PROGRESS_DEADLINE_SECONDS;
}
