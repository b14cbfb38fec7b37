/**
 * The one election among all processes that run Lifehook's controllers: next to a cluster, in it, or in the local
 * cluster.
 */
import { randomBytes } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';

import type { Observe } from '../../controller/controller-event.ts';
import { LeaseElection } from '../../controller/lease.ts';
import type { Election } from '../../controller/manager.ts';
import { OnlyLeader } from '../../controller/only-leader.ts';
import { scopeAnnotation } from '../../controller/other-leases.ts';
import type { WatchScope } from '../../controller/shared-informers.ts';
import type { KubeClient } from '../../kube/client.ts';
import { sha256 } from '../../platform/digests.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { codeOf } from '../../platform/posix-error.ts';
import { randomFraction } from '../../platform/randomness.ts';
import { procTable } from '../../store/process-table.ts';

export const LEASE_NAME = 'lifehook-controller';

/**
 * `standby`: waits while another process leads. `sole`: fails with the name of the leader if another process leads.
 * After a crash, a new process does not wait for the Lease of the killed one. `localCluster`: waits as `standby` does,
 * but not for an earlier process of the same cluster.
 */
export type ElectionRole = 'standby' | 'sole' | 'localCluster';

export interface ControllerElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** The objects that the controllers manage. */
  readonly scope: WatchScope;
  readonly observe: Observe;
  readonly role: ElectionRole;
}

/** docs/decisions/controller-election.md says why no controller runs without a Lease. */
export async function controllerElection(options: ControllerElectionOptions): Promise<Election> {
  const { role, scope, client, namespace, observe } = options;
  const own = await processHolder();
  const holder = role === 'localCluster' ? asLocalCluster(own) : own;
  const common = { client, namespace, name: LEASE_NAME, observe, platform: nodePlatform };
  const election = new LeaseElection({
    ...common,
    identity: holder.identity,
    whenHeld: role === 'sole' ? 'refuse' : 'wait',
    random: randomFraction,
    annotations: scopeAnnotation(scope),
    ...(role === 'standby' ? {} : { hasEnded: holder.hasEnded }),
  });
  return new OnlyLeader({ ...common, scope, election, hasEnded: holder.hasEnded });
}

/** A host name has no slash, so no other identity begins with this prefix. */
const LOCAL_PREFIX = 'lifehook-up/';

/**
 * The identity of the controllers in a local cluster. Every earlier process of this cluster has exited: the lock on the
 * state directory proves it.
 */
function asLocalCluster(own: Holder): Holder {
  return {
    identity: `${LOCAL_PREFIX}${own.identity}`,
    hasEnded: (holder) =>
      holder.startsWith(LOCAL_PREFIX) ? Promise.resolve(true) : own.hasEnded(holder),
  };
}

export interface Holder {
  readonly identity: string;
  /** True: the process with this identity has exited. False: it runs, or its state is not known. */
  readonly hasEnded: (identity: string) => Promise<boolean>;
}

const RANDOM_BYTES = 4;
const PLACE_LENGTH = 12;
const NAME = new RegExp(`-(\\d+)-([0-9a-f]{${PLACE_LENGTH}})-(\\d+)$`, 'u');
const processes = procTable(nodePlatform.files);

/**
 * The identity by which this process holds a Lease, and a check whether the process of another identity has exited. The
 * identity has the process id, its start time, and a digest of boot and PID namespace. A killed process of this machine
 * is thus recognised by its identity alone. Without /proc, identities are random, and nothing is known about other
 * processes.
 */
export async function processHolder(): Promise<Holder> {
  const host = hostname();
  try {
    const { pid, started } = await processes.self();
    const [boot = '', start = ''] = started.split('/');
    const place = sha256(`${boot} ${await readlink('/proc/self/ns/pid')}`);
    const here = { boot, place: place.slice(0, PLACE_LENGTH) };
    return {
      identity: `${host}-${pid}-${here.place}-${start}`,
      hasEnded: (identity) => hasEnded(identity, here),
    };
  } catch {
    const random = randomBytes(RANDOM_BYTES).toString('hex');
    return {
      identity: `${host}-${process.pid}-${random}`,
      hasEnded: () => Promise.resolve(false),
    };
  }
}

interface Here {
  readonly boot: string;
  readonly place: string;
}

async function hasEnded(identity: string, { boot, place }: Here): Promise<boolean> {
  const [, pid, where, start] = NAME.exec(identity) ?? [];
  if (where !== place) return false;
  const isListed = await processes.isAlive({ pid: Number(pid), started: `${boot}/${start}` });
  return !isListed && !isHidden(Number(pid));
}

/**
 * True: /proc hides the process. With hidepid, /proc shows no processes of other users, but a signal still finds them.
 */
function isHidden(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
