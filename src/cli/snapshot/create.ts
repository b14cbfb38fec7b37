/** `lifehook snapshot create NAME`: requests a snapshot, follows it, and says whether it can be trusted. */
import process from 'node:process';

import { listWatch } from '../../kube/list-watch.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { type RequestOptions, snapshotOf } from './request-options.ts';
import { statusText } from './status-text.ts';

export interface CreateOptions extends KubeOptions, RequestOptions {
  readonly wait?: boolean;
  /** Seconds. */
  readonly timeout: number;
}

export async function runSnapshotCreate(name: string, options: CreateOptions): Promise<number> {
  const cluster = await connectToKube(options, 'snapshot create');
  try {
    const wanted = snapshotOf(name, cluster.namespace, options);
    if (wanted === null) throw saysNotOfWhat();
    const made = await cluster.client.create(applicationSnapshots, wanted);
    process.stdout.write(`Requested ${cluster.namespace}/${name}.\n`);
    return options.wait === false ? exitCodes.done : await follow(cluster, made, options.timeout);
  } finally {
    cluster.close();
  }
}

export function saysNotOfWhat(): LifehookError {
  return new LifehookError({
    code: 'LHS402',
    severity: 'error',
    message: 'A snapshot is of claims: neither --claim nor --selector was given.',
    next: 'Name claims with --claim data, or choose them with --selector app=shop.',
  });
}

const MS = 1_000;

async function follow(
  { connection, namespace }: CliCluster,
  { metadata = {} }: ApplicationSnapshot,
  timeoutSeconds: number,
): Promise<number> {
  const { name = '', uid } = metadata;
  const interrupted = cancelOnSignals();
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutSeconds * MS)]);
  const tell = tellPhases();
  const scope = { namespace, fieldSelector: `metadata.name=${name}`, signal };
  for await (const event of listWatch(connection, applicationSnapshots, scope)) {
    if (event.type === 'Delete') throw gone(name);
    if (event.type !== 'Upsert' || event.object.metadata?.uid !== uid) continue;
    const exitCode = tell(event.object);
    if (exitCode !== null) return exitCode;
  }
  if (interrupted.aborted) return exitCodes.interrupted;
  process.stderr.write(
    `The snapshot had not ended after ${timeoutSeconds} s; it goes on. See: lifehook snapshot status ${name}\n`,
  );
  return exitCodes.deadline;
}

/** Says each phase once, and at the end what came of it; null: it has not ended. */
function tellPhases(): (snapshot: ApplicationSnapshot) => number | null {
  let told = '';
  return (snapshot) => {
    const { phase = '' } = snapshot.status ?? {};
    if (phase !== told) process.stdout.write(`  ${phase}\n`);
    told = phase;
    if (phase !== 'Completed' && phase !== 'Failed') return null;
    process.stdout.write(`\n${statusText(snapshot)}`);
    return phase === 'Completed' ? exitCodes.done : exitCodes.failed;
  };
}

function gone(name: string): LifehookError {
  return new LifehookError({
    code: 'LHS403',
    severity: 'error',
    message: `The ApplicationSnapshot "${name}" was deleted before it had ended.`,
    next: 'What it had frozen is thawed by its hooks; see `lifehook snapshot list`.',
  });
}
