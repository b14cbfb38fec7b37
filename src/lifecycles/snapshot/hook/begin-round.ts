/** Starts the probe round that a decision asks for. A probe changes nothing, so no intent is recorded. */
import { parseKey } from '../../../controller/object-key.ts';
import type { ContainerStatus, ProbeStatus } from '../kinds.ts';
import { inDoubt, isAskedLate } from './ask-after-cut.ts';
import { targetSessionId } from './attempt.ts';
import type { OrderFacts } from './begin-orders.ts';
import { fencedAccess } from './fenced-access.ts';
import { restUntilExpiryMs } from './decide-release.ts';
import { askProbe } from './probe.ts';
import { targetsOf, uidOf } from './targets.ts';

type RoundFacts = Omit<OrderFacts, 'decidedMs'>;

export function beginRound(targets: readonly ContainerStatus[], facts: RoundFacts): void {
  const { shared, key, hook, resolved, mayAct } = facts;
  const { probe } = resolved;
  if (probe === undefined || targets.length === 0) return;
  const { context, rounds } = shared;
  const { namespace = '', name: hookName } = parseKey(key);
  const access = fencedAccess(context.thawing, mayAct);
  const isLate = isAskedLate(hook);
  const hookUid = uidOf(hook);
  const frozenForMs = shared.frozenForMs(hookUid, targetsOf(hook));
  rounds.begin({
    hookUid,
    targets,
    restUntilExpiryMs: restUntilExpiryMs(frozenForMs, resolved),
    ask: async (target, limits): Promise<ProbeStatus> => {
      const mayBeThawed = isLate || hasLostSession(target, facts);
      const asking = { context, access, namespace, hookName, probe, ...limits };
      const answer = await askProbe('AfterCut', target, asking);
      return mayBeThawed ? inDoubt(answer) : answer;
    },
    onEnd: () => {
      shared.wake(key);
    },
  });
}

/** This process no longer held the session when the cut was seen: the session helper thaws by itself. */
function hasLostSession(target: ContainerStatus, { shared, hook, resolved }: RoundFacts): boolean {
  if (resolved.preAction.session === undefined) return false;
  return shared.sessions.held(targetSessionId(uidOf(hook), target)) === null;
}
