/**
 * Deploys rendered manifests. For each module it runs the before hooks, applies the objects, checks their status, and
 * runs the after hooks (PIPE-CASE42). After the last apply, it prunes objects that an earlier run of this project
 * deployed and this run did not.
 */
import { createOrGet } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { namespaces as namespaceKind } from '../../../kube/resources.ts';
import { LifehookError } from '../../../model/problem.ts';
import type { ModuleConfig } from '../config/model.ts';
import { reportRejection } from '../events/report-rejection.ts';
import type { StageHooks } from '../hooks/model.ts';
import { runStage, type Stage } from '../hooks/run-stage.ts';
import { expandRelease, namespaceOf } from '../render/read-helm.ts';
import type {
  Deployed,
  KubeTarget,
  PhaseResult,
  PipelineSession,
  Rendered,
  RenderedManifests,
} from '../session.ts';
import { type ApplyContext, applyObjects, deleteObjects, refused } from './apply-objects.ts';
import { checkStatus } from './check-status.ts';
import { deployedContainers } from './current-pods.ts';
import { FoundKinds, orderObjects, placeObjects } from './find-kinds.ts';
import {
  neverPruned,
  changeInventory,
  readInventory,
  recordedProject,
  scopeOf,
  toPrune,
  union,
} from './inventory.ts';
import { refOf } from './object-name.ts';

export async function runDeploy(
  session: PipelineSession,
  rendered: Rendered,
  { prunes = true }: { readonly prunes?: boolean } = {},
): Promise<PhaseResult<Deployed>> {
  const target = requireTarget(session);
  const context = { session, target, kinds: new FoundKinds(target.client) };
  const modules = await placed(rendered, context);
  if (modules.length === 0) return NOTHING_DEPLOYED;
  const all = modules.flatMap(({ objects }) => objects);
  const namespaces = namespacesOf(all, target);
  await note(session, all);
  const applied: KubeObject[] = [];
  for (const [index, module] of modules.entries()) {
    const isLast = index === modules.length - 1;
    const prune = isLast && prunes ? () => pruneOthers(all, context) : null;
    const result = await deployModule(module, { ...context, namespaces, prune });
    if (result.outcome !== 'Succeeded') return result;
    applied.push(...result.value);
  }
  return { outcome: 'Succeeded', value: { namespaces, objects: applied } };
}

/** All objects to deploy, each with its namespace. */
async function placed(
  { manifests }: Rendered,
  { session, target, kinds }: ApplyContext,
): Promise<readonly RenderedManifests[]> {
  const project = await recordedProject(session);
  const modules: RenderedManifests[] = [];
  for (const one of manifests.filter((each) => isDeployed(each, session))) {
    const namespace =
      session.options.namespace ?? one.module.deploy.kubectl?.defaultNamespace ?? target.namespace;
    const place = { project, namespace, kinds };
    modules.push({ ...one, objects: await placeObjects(one.objects, place) });
  }
  return modules;
}

const NOTHING_DEPLOYED = {
  outcome: 'Succeeded',
  value: { namespaces: [], objects: [] },
} as const;

/** Whether these manifests are deployed. Objects of an ignored deployer are not: no other deployer must replace it. */
function isDeployed({ module }: RenderedManifests, { hooks }: PipelineSession): boolean {
  if (hasDeployer(module)) return true;
  const message = 'skipped: its deployer is ignored';
  const subject = module.name ?? module.file;
  hooks.emit({ type: 'PhaseEvent', phase: 'deploy', status: 'Skipped', subject, message });
  return false;
}

export function hasDeployer({ deploy: { kubectl, helm } }: ModuleConfig): boolean {
  return kubectl !== null || helm !== null;
}

interface ModuleContext extends ApplyContext {
  readonly namespaces: readonly string[];
  readonly prune: (() => Promise<PhaseResult<null>>) | null;
}

async function deployModule(
  { module, objects }: RenderedManifests,
  context: ModuleContext,
): Promise<PhaseResult<readonly KubeObject[]>> {
  const { session, namespaces, prune } = context;
  const { clock } = session.platform;
  const startedMs = clock.monotonicMs();
  const event = {
    type: 'PhaseEvent',
    phase: 'deploy',
    subject: module.name ?? module.file,
  } as const;
  session.hooks.emit({ ...event, status: 'InProgress' });
  const stage: Stage<readonly KubeObject[]> = {
    hooks: hooksOf(module),
    facts: (value) => ({
      phase: { kind: 'deploy', runId: session.runId },
      namespaces,
      // Before the work there is nothing to wait for, since running pods are of an earlier iteration (PIPE-CASE32).
      containers:
        value === null
          ? { namespaces, image: null, waitMs: 0 }
          : deployedContainers(session, { namespaces, objects: value }),
    }),
    work: async () => {
      const ready = await createNamespaces(module, context);
      if (ready.outcome !== 'Succeeded') return ready;
      const applied = await applyObjects(orderObjects(objects), context);
      if (applied.outcome !== 'Succeeded') return applied;
      const pruned = await prune?.();
      if (pruned !== undefined && pruned.outcome !== 'Succeeded') return pruned;
      const { deploy } = module;
      if (!(session.options.statusCheck ?? deploy.statusCheck)) return applied;
      const checked = await checkStatus(applied.value, deploy, context);
      return checked.outcome === 'Succeeded' ? applied : checked;
    },
  };
  const result = await reportRejection(session.hooks.emit, event, () => runStage(session, stage));
  const durationMs = clock.monotonicMs() - startedMs;
  if (result.outcome === 'Succeeded') {
    session.hooks.emit({ ...event, status: 'Succeeded', durationMs });
  } else {
    session.hooks.emit({ ...event, status: 'Failed', message: result.message, durationMs });
  }
  return result;
}

/**
 * The hooks of all deployers of a module: they run together, since the objects of all deployers are applied together.
 */
function hooksOf({ deploy: { kubectl, helm } }: ModuleConfig): StageHooks {
  const all = [kubectl?.hooks, helm?.hooks].filter((one) => one !== undefined);
  return {
    before: all.flatMap(({ before }) => before),
    after: all.flatMap(({ after }) => after),
    onError: all.flatMap(({ onError }) => onError),
    finally: all.flatMap((one) => one.finally),
  };
}

/** The namespaces of the objects and the default namespace, sorted and without duplicates (PIPE-CASE33). */
function namespacesOf(objects: readonly KubeObject[], target: KubeTarget): readonly string[] {
  const all = objects.flatMap(({ metadata }) => metadata?.namespace ?? []);
  return [...new Set([target.namespace, ...all])].toSorted();
}

/** Records the objects before the first apply, so that a later run finds them even if this one stops halfway. */
async function note(session: PipelineSession, objects: readonly KubeObject[]): Promise<void> {
  const scope = scopeOf(session);
  await changeInventory(session, (inventory) => {
    const refs = union(inventory.scopes[scope] ?? [], objects.map(refOf));
    return { ...inventory, scopes: { ...inventory.scopes, [scope]: refs } };
  });
}

async function pruneOthers(
  objects: readonly KubeObject[],
  context: ApplyContext,
): Promise<PhaseResult<null>> {
  const { session } = context;
  const inventory = await readInventory(session);
  const scope = scopeOf(session);
  const now = objects.map(refOf);
  const pruned = await deleteObjects(toPrune(inventory, scope, now), inventory.project, context);
  if (pruned.outcome !== 'Succeeded') return pruned;
  // Another session may have recorded its objects during the deletions.
  await changeInventory(session, (latest) => {
    const refs = union(neverPruned(latest, scope), now);
    return { ...latest, scopes: { ...latest.scopes, [scope]: refs } };
  });
  return pruned;
}

export function requireTarget({ target }: PipelineSession): KubeTarget {
  if (target !== null) return target;
  throw new LifehookError({
    code: 'LHL413',
    message: 'Deploying needs a cluster, and none was found.',
    next: 'Start one with lifehook up, or name a context with --kube-context.',
  });
}

/** Creates the namespaces that helm releases request; as with helm, they are never deleted. */
async function createNamespaces(
  { deploy }: ModuleConfig,
  { session, target }: { readonly session: PipelineSession; readonly target: KubeTarget },
): Promise<PhaseResult<null>> {
  for (const release of deploy.helm?.releases ?? []) {
    if (!release.createNamespace) continue;
    const expanded = await expandRelease(release, session);
    if (expanded.outcome !== 'Succeeded') return expanded;
    const name = namespaceOf(expanded.value, session);
    if (name === null) continue;
    try {
      await createOrGet(target.client, namespaceKind, { metadata: { name } });
    } catch (error) {
      const ref = { apiVersion: 'v1', kind: 'Namespace', name };
      return refused(error, { what: 'created', ref, signal: session.hooks.signal });
    }
  }
  return { outcome: 'Succeeded', value: null };
}
