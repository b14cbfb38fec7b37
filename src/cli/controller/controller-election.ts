/** The one election of all processes that run our controllers: next to a cluster, in it, or as the local one. */
import type { Observe } from '../../controller/controller-event.ts';
import { LeaseElection } from '../../controller/lease.ts';
import type { Election } from '../../controller/manager.ts';
import { OnlyLeader } from '../../controller/only-leader.ts';
import { scopeAnnotation } from '../../controller/other-leases.ts';
import type { WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { type Holder, processHolder } from './process-holder.ts';

export const LEASE_NAME = 'lifehook-controller';

/**
 * `standby`: waits while another process leads. `sole`: stops with its name, and starts again after a crash without
 * waiting for the Lease of the killed process. `localCluster`: waits, but not for an earlier life of this cluster.
 */
export type ElectionRole = 'standby' | 'sole' | 'localCluster';

export interface ControllerElectionOptions {
  readonly client: KubeClient;
  /** Of the Lease. */
  readonly namespace: string;
  /** The objects of the controllers. */
  readonly scope: WatchScope;
  readonly observe: Observe;
  readonly role: ElectionRole;
}

/** Why nobody runs without a Lease: docs/decisions/controller-election.md. */
export async function controllerElection(options: ControllerElectionOptions): Promise<Election> {
  const { role, scope, client, namespace, observe } = options;
  const own = await processHolder();
  const { identity, hasEnded } = role === 'localCluster' ? asLocalCluster(own) : own;
  const common = { client, namespace, name: LEASE_NAME, observe, platform: nodePlatform };
  const election = new LeaseElection({
    ...common,
    identity,
    whenHeld: role === 'sole' ? 'refuse' : 'wait',
    random: Math.random,
    annotations: scopeAnnotation(scope),
    ...(role === 'standby' ? {} : { hasEnded }),
  });
  return new OnlyLeader({ ...common, scope, election, hasEnded });
}

/** No host name has a slash. */
const LOCAL_PREFIX = 'lifehook-up/';

/** The lock on its state directory proves that every other life of this cluster has ended. */
function asLocalCluster({ identity, hasEnded }: Holder): Holder {
  return {
    identity: `${LOCAL_PREFIX}${identity}`,
    hasEnded: (holder) =>
      holder.startsWith(LOCAL_PREFIX) ? Promise.resolve(true) : hasEnded(holder),
  };
}
