/** What is to be known of the cluster: whether it answers, then everything else at once, each request within a deadline. */
import type { KubeClient, KubeConnection } from '../../../kube/client.ts';
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { capabilitiesOf, type ServerFacts } from '../../../kube/capabilities.ts';
import { makeKubeClient } from '../../../kube/make-client.ts';
import { readServerFacts } from '../../../kube/server-facts.ts';
import { type WholeAnswer } from '../../../kube/send-request.ts';
import { sendRequest } from '../../../kube/unary-request.ts';
import { LifehookError } from '../../../model/problem.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ClusterChoice } from '../../cluster/cluster-options.ts';
import { readRunning } from '../../cluster/cluster-state.ts';
import { stateFolderOf } from '../../cluster/state-folder.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../../kube-connection.ts';
import type { ClusterFacts, ClusterPlace, Clocks } from '../facts.ts';
import { gatherControllers } from './controllers.ts';
import { gatherGate } from './gate.ts';
import { gatherKinds, gatherSnapshotClasses } from './kinds.ts';
import { gatherObjects } from './objects.ts';
import { gatherUserRights } from './rights.ts';

/** Milliseconds: of one request. */
const REQUEST_MS = 5_000;
const UNAUTHORIZED = 401;
const NO_KUBECONFIG = 'LHK002';

export async function gatherCluster(options: KubeOptions & ClusterChoice): Promise<ClusterFacts> {
  const cluster = await connectOrExplain(options);
  if ('kind' in cluster) return cluster;
  try {
    return await gatherReached(cluster, options.namespace);
  } finally {
    cluster.close();
  }
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
    return { kind: 'none', localKubeconfig: await localKubeconfig(options) };
  }
}

/** null: none runs, or this user may not look, which the line of its state directory says. */
async function localKubeconfig(choice: ClusterChoice): Promise<string | null> {
  try {
    return (await readRunning(stateFolderOf(choice)))?.kubeconfig ?? null;
  } catch (error) {
    if (codeOf(error) === 'EACCES') return null;
    throw error;
  }
}

async function gatherReached(cluster: CliCluster, only: string | undefined): Promise<ClusterFacts> {
  const place: ClusterPlace = { source: cluster.source, server: cluster.server };
  const connection = { ...cluster.connection, requestTimeoutMs: REQUEST_MS };
  const client = makeKubeClient(connection);
  const { namespace } = cluster;
  const begin = await reach(connection, client);
  if ('why' in begin) return { kind: 'unreachable', ...place, ...begin };
  const { server, clock } = begin;
  const capabilities = capabilitiesOf(server);
  const world = { client, namespace };
  const [kinds, classes, controllers, missing, objects] = await Promise.all([
    gatherKinds(client),
    gatherSnapshotClasses(client, capabilities),
    gatherControllers(client),
    gatherUserRights(world),
    gatherObjects(client, { namespace, isOnly: only !== undefined }),
  ]);
  const gate = await gatherGate(world, objects.lifecycles);
  const about = { version: server.version, capabilities, clock, namespace };
  const found = { kinds, ...classes, controllers, missing, objects, gate };
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
