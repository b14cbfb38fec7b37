/** What a rollout waits for, in words. Pure. */
import type { Stage } from '../../lifecycles/rollout/kinds.ts';
import type { RolloutFacts } from './read-rollout.ts';
import type { HookView, RolloutView } from './rollout-view.ts';

type Known = Pick<RolloutView, 'phase' | 'hooks'>;

/** null: for nothing, it has ended. */
export function whatItWaitsFor(known: Known, facts: RolloutFacts): string | null {
  return WAITS[known.phase]?.(known, facts) ?? null;
}

/** The phases in which something is waited for. */
const WAITS: Partial<Record<RolloutView['phase'], (known: Known, facts: RolloutFacts) => string>> =
  {
    NotBegun: (_, facts) =>
      named(facts, 'what is left of the rollout before') ??
      'the controller, to begin with the new template',
    Pre: ({ hooks }) => hookWait('pre', hooks),
    Mid: ({ hooks }) => hookWait('mid', hooks),
    Post: ({ hooks }) => hookWait('post', hooks),
    Draining: (_, facts) => named(facts, 'the old pods to be gone') ?? 'the old pods to be gone',
    Releasing: () => 'the release to be written',
    Progressing: (_, { deployment }) => podsWait('new', deployment),
    Restoring: (_, { deployment }) => podsWait('old', deployment),
    RollingBack: (_, { deployment }) => podsWait('old', deployment),
  };

/** null: the controller names nothing. */
function named({ lifecycle }: RolloutFacts, what: string): string | null {
  const { waitingFor } = lifecycle.status?.rollout ?? {};
  return waitingFor === undefined ? null : `${what}: ${waitingFor}`;
}

function hookWait(stage: Stage, hooks: readonly HookView[]): string {
  const hook = hooks.find((one) => one.stage === stage);
  const last = hook?.attempts.at(-1);
  if (last === undefined) return `the hook ${stage}`;
  if (last.outcome === undefined) {
    const why = last.waitsFor === undefined ? '' : `, which waits: ${last.waitsFor}`;
    return `the hook ${stage}: attempt ${last.number}, pod ${last.podName}${why}`;
  }
  if (hook?.phase !== 'Running') return `what follows the hook ${stage}`;
  return `the hook ${stage}: attempt ${last.number + 1}, after a pause`;
}

function podsWait(which: 'new' | 'old', { spec, status = {} }: RolloutFacts['deployment']): string {
  const { availableReplicas = 0, updatedReplicas = 0 } = status;
  const there = which === 'new' ? Math.min(availableReplicas, updatedReplicas) : availableReplicas;
  return `the ${which} pods: ${there} of ${spec?.replicas ?? 1} are available`;
}
