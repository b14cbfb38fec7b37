/** `lifehook rollout plan DEPLOYMENT`: what a new template would set off. Writes nothing. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { missingPermissions } from '../../controller/ask-permissions.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { KubeObject } from '../../kube/object.ts';
import { deployments, replicaSets } from '../../kube/resources.ts';
import { proveGate } from '../../lifecycles/rollout/gate/armed-probe.ts';
import { rolloutPermissions } from '../../lifecycles/rollout/permissions.ts';
import { readDocuments } from '../../model/located-document.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { planText } from './plan-text.ts';
import { planRollout } from './planned-rollout.ts';
import { noDeployment, readLifecycle } from './read-rollout.ts';

export interface PlanOptions extends KubeOptions {
  /** A manifest; -: standard input. */
  readonly file?: string;
  readonly output: OutputFormat;
}

export async function runRolloutPlan(name: string, options: PlanOptions): Promise<number> {
  const { file, output } = options;
  const manifest = file === undefined ? null : deploymentIn(file, await textOf(file), name);
  const cluster = await connectToKube(options, 'rollout plan');
  try {
    const { client, namespace } = cluster;
    const stored = await getOrNull(client, deployments, { namespace, name });
    if (stored === null && manifest === null) throw noDeployment(cluster, name);
    const [lifecycle, { items: sets }] = await Promise.all([
      readLifecycle(cluster, name),
      client.list(replicaSets, { namespace }),
    ]);
    const isProvable = stored !== null && lifecycle.spec.gate !== 'PausedAtRest';
    const plan = planRollout({
      stored,
      wanted: manifest === null ? null : await dryRun(cluster, manifest),
      lifecycle,
      sets,
      proof: isProvable ? await proveGate(client, stored) : null,
      missingPermissions: await missingPermissions(client, {
        namespace,
        permissions: rolloutPermissions,
      }),
      nowMs: Date.now(),
    });
    process.stdout.write(printed(plan, output, () => planText(plan)));
    return plan.obstacles.length === 0 ? exitCodes.done : exitCodes.failed;
  } finally {
    cluster.close();
  }
}

/** As the server would store it: with its defaults, and past every webhook. */
function dryRun({ client, namespace }: CliCluster, manifest: Deployment): Promise<Deployment> {
  const object = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  const how = { fieldManager: 'lifehook-rollout-plan', force: true, dryRun: true };
  return client.apply(deployments, object, how);
}

async function textOf(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8');
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += String(piece);
  return text;
}

function deploymentIn(file: string, text: string, name: string): Deployment {
  const { documents, problems } = readDocuments(file === '-' ? 'stdin' : file, text);
  if (problems.length > 0) throw new LifehookError(problems);
  const found = documents
    .map(({ value }) => value as KubeObject | null)
    .find((object) => object?.kind === 'Deployment' && object.metadata?.name === name);
  if (found !== undefined && found !== null) return found as Deployment;
  throw new LifehookError({
    code: 'LHR409',
    severity: 'error',
    message: `The manifest ${file} has no Deployment "${name}".`,
    next: 'Name the Deployment that it has, or another file.',
  });
}
