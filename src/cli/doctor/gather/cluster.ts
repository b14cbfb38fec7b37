/**
 * Reads the facts about the cluster. It first checks whether the server answers, and then reads the rest in parallel.
 * Each request has a deadline.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { accessReviewPermission } from '../../../controller/admission/ask-access.ts';
import {
  missingPermissions,
  type Permission,
  serviceAccountSubject,
} from '../../../controller/ask-permissions.ts';
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { capabilitiesOf, type ServerFacts, readServerFacts } from '../../../kube/capabilities.ts';
import type { KubeClient, KubeConnection } from '../../../kube/client.ts';
import { makeKubeClient } from '../../../kube/make-client.ts';
import { deployments } from '../../../kube/resources.ts';
import type { WholeAnswer } from '../../../kube/send-request.ts';
import { sendRequest } from '../../../kube/unary-request.ts';
import { GROUP } from '../../../model/api-version.ts';
import { LifehookError } from '../../../model/problem.ts';
import type { Clock } from '../../../platform/platform.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ClusterChoice } from '../../cluster/up-command.ts';
import { readRunning, type RunningCluster, stateFolderIfAny } from '../../cluster/cluster-state.ts';
import { awaitLeases, findRenewed, readLeases } from '../../controller/controllers-of.ts';
import { allPermissions } from '../../install/all-definitions.ts';
import { LABELS, NAME } from '../../install/install-options.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../../kube-connection.ts';
import { doctorParts, loadParts } from '../../lifecycles.ts';
import { ask } from '../asked.ts';
import type {
  Clocks,
  ClusterFacts,
  ClusterPlace,
  ControllerFacts,
  ReachedCluster,
} from '../facts.ts';
import { gatherKinds } from './kinds.ts';

/** Milliseconds; timeout of one request. */
const REQUEST_MS = 5_000;
const UNAUTHORIZED = 401;
const NO_KUBECONFIG = 'LHK002';

export async function gatherCluster(options: KubeOptions & ClusterChoice): Promise<ClusterFacts> {
  const found = await connectOrExplain(options);
  if ('kind' in found) return found;
  using cluster = found;
  return await gatherReached(cluster, options);
}

async function connectOrExplain(
  options: KubeOptions & ClusterChoice,
): Promise<CliCluster | ClusterFacts> {
  try {
    return await connectToKube(options, 'doctor');
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    const { problems } = error;
    if (problems[0]?.code !== NO_KUBECONFIG) return { kind: 'unusable', problems };
    const localKubeconfig = (await localCluster(options))?.kubeconfig ?? null;
    return { kind: 'none', localKubeconfig };
  }
}

/** null: no local cluster runs, or its state directory cannot be read. Another line of the report says which. */
async function localCluster(choice: ClusterChoice): Promise<RunningCluster | null> {
  try {
    const folder = stateFolderIfAny(choice);
    return folder === null ? null : await readRunning(folder);
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

/** Milliseconds after the start of a local cluster in which its controllers may not have a Lease yet. */
const STARTING_MS = 60_000;

/** Whether the server is a local cluster whose controllers may still be starting. */
async function isStarting(server: string, choice: ClusterChoice, clock: Clock): Promise<boolean> {
  const local = await localCluster(choice);
  if (local?.server !== server || local.timeline === undefined) return false;
  return clock.nowMs() - Date.parse(local.startedAt) < STARTING_MS;
}

async function gatherReached(
  cluster: CliCluster,
  options: KubeOptions & ClusterChoice,
): Promise<ClusterFacts> {
  const place: ClusterPlace = { source: cluster.source, server: cluster.server };
  const connection = { ...cluster.connection, requestTimeoutMs: REQUEST_MS };
  const client = makeKubeClient(connection);
  const { namespace } = cluster;
  const begin = await reach(connection, client);
  if ('why' in begin) return { kind: 'unreachable', ...place, ...begin };
  const { server, clock } = begin;
  const capabilities = capabilitiesOf(server);
  const world = { client, capabilities, namespace, isOnly: options.namespace !== undefined };
  const parts = await loadParts(doctorParts);
  const needed = parts.flatMap(({ userPermissions }) => userPermissions);
  const [kinds, controllers, missing, lifecycles] = await Promise.all([
    gatherKinds(client),
    gatherControllers(client, {
      clock: connection.platform.clock,
      isStarting: await isStarting(cluster.server, options, connection.platform.clock),
    }),
    gatherUserRights(world, needed),
    Promise.all(parts.map(({ examine }) => examine(world))),
  ]);
  const about = { version: server.version, capabilities, clock, namespace };
  const found = { kinds, controllers, missing, lifecycles };
  return { kind: 'reached', ...place, ...about, ...found };
}

interface Unreached {
  readonly why: string;
  readonly isRefused?: boolean;
}

async function reach(
  connection: KubeConnection,
  client: KubeClient,
): Promise<{ readonly server: ServerFacts; readonly clock: Clocks } | Unreached> {
  const { clock } = connection.platform;
  try {
    const begunMs = clock.monotonicMs();
    const answer = await sendRequest(connection, { method: 'GET', path: '/version' });
    const roundTripMs = clock.monotonicMs() - begunMs;
    const times = { localMs: clock.nowMs(), serverMs: dateOf(answer), roundTripMs };
    return { server: await readServerFacts(client), clock: times };
  } catch (error) {
    if (error instanceof ApiError) {
      const why = `it answered ${error.code}: ${error.message}`;
      return { why, isRefused: error.code === UNAUTHORIZED };
    }
    if (error instanceof UnreachableError) return { why: error.message };
    throw error;
  }
}

function dateOf({ headers }: WholeAnswer): number | null {
  const ms = Date.parse(headers['date'] ?? '');
  return Number.isNaN(ms) ? null : ms;
}

/** The permissions that a user of Lifehook needs and the user of the kubeconfig lacks. */
function gatherUserRights(
  { client, namespace }: { readonly client: KubeClient; readonly namespace: string },
  permissions: readonly Permission[],
): Promise<ReachedCluster['missing']> {
  // Permissions for Lifehook's kinds are first, in the order of the report.
  const isForeign = ({ group }: Permission): number => Number(group !== GROUP);
  const needed = permissions.toSorted((one, other) => isForeign(one) - isForeign(other));
  const group = 'authorization.k8s.io';
  return ask({ verb: 'create', group, resource: 'selfsubjectaccessreviews' }, () =>
    missingPermissions(client, { namespace, permissions: needed }),
  );
}

const REVIEWS = { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' };

interface Reading {
  readonly clock: Clock;
  /** True: the controllers may not have a Lease yet. */
  readonly isStarting: boolean;
}

/** The controllers of the cluster: their Leases, their Deployments, and the permissions of their service accounts. */
async function gatherControllers(client: KubeClient, how: Reading): Promise<ControllerFacts> {
  const [leases, found] = await Promise.all([gatherLeases(client, how), gatherDeployments(client)]);
  const missing = await Promise.all(
    (found.kind === 'known' ? found.value : []).map((one) => missingOf(client, one)),
  );
  return { ...leases, deployments: found, missing };
}

async function gatherLeases(
  client: KubeClient,
  how: Reading,
): Promise<Pick<ControllerFacts, 'leases' | 'renewed' | 'renewalSeenMs'>> {
  const right = { verb: 'list', group: 'coordination.k8s.io', resource: 'leases' };
  const leases = await ask(right, () =>
    how.isStarting ? awaitLeases(client) : readLeases(client),
  );
  if (leases.kind !== 'known') return { leases, renewed: null, renewalSeenMs: how.clock.nowMs() };
  const found = await ask(right, () => findRenewed(client, leases.value));
  const renewed = found.kind === 'known' ? found.value : null;
  return { leases, renewed, renewalSeenMs: how.clock.nowMs() };
}

function gatherDeployments(client: KubeClient): Promise<ControllerFacts['deployments']> {
  const right = { verb: 'list', group: 'apps', resource: 'deployments' };
  const labelSelector = Object.entries(LABELS)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  return ask(right, async () => {
    const { items } = await client.list(deployments, { labelSelector });
    return items.filter(({ metadata }) => metadata?.name === NAME);
  });
}

async function missingOf(
  client: KubeClient,
  { metadata, spec }: Deployment,
): Promise<ControllerFacts['missing'][number]> {
  const { namespace = '' } = metadata ?? {};
  const { serviceAccountName = 'default', containers = [] } = spec?.template.spec ?? {};
  const args = containers.flatMap((container) => container.args ?? []);
  const namespaced = args.includes('--namespaced');
  const timeline = args.some((argument) => argument.startsWith('--timeline-address'));
  const needed = {
    ...(namespaced ? { namespace } : {}),
    permissions: [...allPermissions({ timeline }), ...(namespaced ? [] : [accessReviewPermission])],
    subject: serviceAccountSubject(namespace, serviceAccountName),
  };
  const permissions = await ask({ verb: 'create', ...REVIEWS }, () =>
    missingPermissions(client, needed),
  );
  return { account: `${namespace}/${serviceAccountName}`, permissions };
}
