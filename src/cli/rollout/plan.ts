/** `lifehook rollout plan DEPLOYMENT`: prints the effects of a new template. It writes nothing. */
import process from 'node:process';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { Container } from 'kubernetes-types/core/v1.js';

import { missingPermissions } from '../../controller/ask-permissions.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { deployments, replicaSets } from '../../kube/resources.ts';
import { proveGate } from '../../lifecycles/rollout/gate/armed-probe.ts';
import { rolloutPermissions } from '../../lifecycles/rollout/permissions.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import { readText, standardInput } from '../read-text.ts';
import type { OutputFormat } from '../shared-options.ts';
import { textTable } from '../terminal-text.ts';
import {
  hookContainerOf,
  type PlannedHook,
  planRollout,
  type RolloutPlan,
} from './planned-rollout.ts';
import { plannedDeployment } from './planned-deployment.ts';
import { plannedLifecycle } from './planned-lifecycle.ts';
import { type PlannedObjects, plannedObjects } from './planned-objects.ts';
import { noDeployment } from './read-rollout.ts';

export interface PlanOptions extends KubeOptions {
  /** Path of a manifest; "-": standard input. */
  readonly file?: string;
  readonly output: OutputFormat;
}

export async function runRolloutPlan(name: string, options: PlanOptions): Promise<number> {
  const { deployment: manifest, lifecycles } = await readManifest(name, options);
  using cluster = await connectToKube(inItsNamespace(options, manifest), 'rollout plan');
  const { client, namespace } = cluster;
  const stored = await getOrNull(client, deployments, { namespace, name });
  if (stored === null && manifest === null) throw noDeployment(cluster, name);
  const [{ lifecycle, isProvable }, { items: sets }] = await Promise.all([
    plannedLifecycle(cluster, name, lifecycles),
    client.list(replicaSets, { namespace }),
  ]);
  const plan = planRollout({
    stored,
    wanted: manifest === null ? null : await plannedDeployment(cluster, manifest, stored),
    lifecycle,
    sets,
    proof: stored !== null && isProvable ? await proveGate(client, stored) : null,
    missingPermissions: await missingPermissions(client, {
      namespace,
      permissions: rolloutPermissions,
    }),
    nowMs: Date.now(),
  });
  process.stdout.write(printed(plan, options.output, () => planText(plan)));
  return plan.obstacles.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** The namespace is that of --namespace, else that of the manifest, else that of the context. */
function inItsNamespace(options: KubeOptions, manifest: Deployment | null): KubeOptions {
  const { namespace = manifest?.metadata?.namespace } = options;
  return namespace === undefined ? options : { ...options, namespace };
}

async function readManifest(
  name: string,
  { file, namespace }: PlanOptions,
): Promise<PlannedObjects> {
  if (file === undefined) return { deployment: null, lifecycles: [] };
  const text = file === '-' ? await standardInput() : await readText(file);
  return plannedObjects(file, text, { namespace, name });
}

const DIGEST_SHOWN = 12;

/** A plan as text. Pure. */
export function planText(plan: RolloutPlan): string {
  const { steps, hooks, obstacles, gate } = plan;
  const parts = [`Deployment ${plan.namespace}/${plan.deployment}\n`, ...headLines(plan)];
  parts.push(`  gate       ${gate.mode}${gateText(plan)}\n`);
  if (steps.length > 0) parts.push(`  steps      ${steps.join(' > ')}\n`);
  for (const hook of hooks) parts.push('\n', hookText(hook));
  if (steps.length > 0 && hooks.length === 0) parts.push('\nNo hook would run.\n');
  for (const obstacle of obstacles) parts.push(`\nObstacle: ${obstacle}\n`);
  if (plan.missingPermissions.length > 0) {
    const list = plan.missingPermissions.map(({ verb, resource }) => `${verb} ${resource}`);
    parts.push(`\nPermissions that the controller needs and you do not have: ${list.join(', ')}\n`);
  }
  parts.push('\nNothing was changed.\n');
  return parts.join('');
}

function headLines({
  change,
  changed,
  fromDigest = '',
  toDigest,
  number,
  direction,
}: RolloutPlan): string[] {
  const shown = (digest: string): string => digest.slice(0, DIGEST_SHOWN);
  switch (change) {
    case 'None':
      return ['  change     none: the template is the same, and nothing is rolled out\n'];
    case 'New':
      return [
        `  change     the Deployment is created, template ${shown(toDigest)}\n  rollout    ${number}\n`,
      ];
    case 'Assumed':
      return [`  change     any other template than ${shown(toDigest)}\n  rollout    ${number}\n`];
    case 'Template':
      return [
        `  change     template ${shown(fromDigest)} > ${shown(toDigest)}\n`,
        ...changed.map((path) => `             ${path}\n`),
        `  rollout    ${number}, direction ${direction}\n`,
      ];
    default:
      return change satisfies never;
  }
}

function gateText({ gate: { proof } }: RolloutPlan): string {
  if (proof === null) return '';
  if (proof.reason === 'Conflict')
    return ' (not proven: other clients changed the Deployment meanwhile; run it again)';
  return proof.armed ? ' (proven now by a dry run)' : ` (${proof.reason}: NOT armed)`;
}

function hookText(hook: PlannedHook): string {
  const { stage, failurePolicy, timeoutSeconds, deadlineSeconds } = hook;
  const within = timeoutSeconds === undefined ? '' : `, each attempt within ${timeoutSeconds} s`;
  const head = `Hook ${stage}: ${failurePolicy}, within ${deadlineSeconds} s${within}\n`;
  const container = hookContainerOf(hook);
  if (container === undefined) return `${head}  no pod can be created\n`;
  const { serviceAccountName = 'default', volumes = [] } = hook.pod?.spec ?? {};
  const [first, ...rest] = [
    ...containerRows(container),
    ['  volumes', volumes.map(({ name }) => name).join(', ') || 'none'],
    ['  service account', serviceAccountName],
  ];
  return `${head}${textTable(first, rest)}`;
}

function containerRows({ image = '-', command = [], args = [], ...rest }: Container): string[][] {
  const { env = [], envFrom = [] } = rest;
  const from = envFrom.map(({ secretRef, configMapRef }) => secretRef?.name ?? configMapRef?.name);
  const names = [...env.map(({ name }) => name), ...from.map((name = '?') => `all of ${name}`)];
  return [
    ['  image', image],
    ['  command', [...command, ...args].join(' ') || 'that of the image'],
    ['  env', names.join(', ')],
  ];
}
