/** The next step of a user for a rollout in its current state. Pure. */
import type { RolloutView } from './rollout-view.ts';

type Known = Omit<RolloutView, 'next'>;

/** null: the user has nothing to do. */
export function nextStep(view: Known): string | null {
  return STEPS[view.phase]?.(view) ?? null;
}

const ifTroubled = (view: Known): string | null =>
  isTroubled(view) ? `To give it up: ${command(view, 'abort')}` : null;

const STEPS: Partial<Record<RolloutView['phase'], (view: Known) => string | null>> = {
  NotBegun: (view) => `If it stays so, see whether a controller runs: ${command(view, 'check')}`,
  Pre: ifTroubled,
  Draining: ifTroubled,
  Mid: ifTroubled,
  Post: ifTroubled,
  Held: (view) =>
    `Apply a corrected template, or try this one again: ${command(view, 'retry')}. ${toGiveUp(view)}`,
  RolledBack: (view) =>
    `Apply a corrected template, or try this one again: ${command(view, 'retry')}`,
  Failed: (view) =>
    view.failure?.reason === 'ProgressDeadlineExceeded'
      ? 'The new pods do not become available: see `kubectl describe pods`, and apply a corrected template.'
      : `The new pods run. Apply a corrected template, or run the hooks again: ${command(view, 'retry')}`,
};

/** A first rollout has no earlier template, so it cannot be rolled back. */
function toGiveUp({ released, namespace, deployment }: Known): string {
  if (released > 0) return 'To give it up, apply the template that runs.';
  return `Nothing was released before it, so no pod runs. To give it up: kubectl delete deployment ${deployment} -n ${namespace}`;
}

/** Example: `lifehook rollout retry web -n shop` */
export function command(
  { namespace, deployment }: Pick<Known, 'namespace' | 'deployment'>,
  verb: string,
): string {
  return `lifehook rollout ${verb} ${deployment} -n ${namespace}`;
}

function isTroubled({ phase, hooks }: Known): boolean {
  if (phase === 'Draining') return true;
  const attempts = hooks.find(({ stage }) => stage === phase.toLowerCase())?.attempts ?? [];
  return attempts.some(({ outcome }) => outcome !== undefined && outcome !== 'Succeeded');
}
