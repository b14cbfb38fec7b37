/** Opens the clients and the judge of a scene that has a guard. */
import type { Random } from '../random.ts';
import { GuardJudge } from './judge-guard.ts';
import { scheduleGuardPeople } from './guard-people.ts';
import type { Court } from './judge.ts';
import { ThirdParties, type ThirdPartiesOptions, type ThirdPartyRequest } from './third-parties.ts';

export interface Guarded {
  readonly clients: ThirdParties;
  readonly judge: GuardJudge;
}

type Others = Pick<ThirdPartiesOptions, 'webhooks' | 'isFaulty'>;

/** Returns null if the scene has no guard. Call it before the scene is set up. */
export function openGuarded(court: Court, random: Random, others: Others): Guarded | null {
  const { world, api, cluster, account, scene } = court;
  const { guard } = scene;
  if (guard === undefined) return null;
  const clients = new ThirdParties({
    ...others,
    world,
    api,
    cluster,
    account,
    guard,
    random: random.fork('clients'),
    onAnswer: (request) => {
      judge.answered(request);
    },
  });
  const requestOf = (uid: string): ThirdPartyRequest | undefined => clients.of(uid);
  const judge = new GuardJudge({ ...court, guard, requestOf });
  scheduleGuardPeople(court, random.fork('guard people'));
  return { clients, judge };
}
