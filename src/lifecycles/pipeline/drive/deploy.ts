/** Implements the verbs that deploy: `deploy`, `run` and `apply`. Each has the status check and the hooks `ready`. */
import { whenAborted } from '../../../platform/linked-signal.ts';
import { unlessInterrupted } from '../build/plan-build.ts';
import { runBuild } from '../build/run-build.ts';
import type { ModuleConfig } from '../config/model.ts';
import { deleteObjects, stillThere } from '../deploy/apply-objects.ts';
import { deployedContainers } from '../deploy/current-pods.ts';
import { FoundKinds } from '../deploy/find-kinds.ts';
import {
  knownNamespaces,
  changeInventory,
  readInventory,
  scopesOfContext,
  union,
  withoutRefs,
} from '../deploy/inventory.ts';
import { requireTarget, runDeploy } from '../deploy/run-deploy.ts';
import { reportRejection } from '../events/report-rejection.ts';
import { forwardPorts } from '../forward/forward-ports.ts';
import { NO_HOOKS } from '../hooks/model.ts';
import { runStage } from '../hooks/run-stage.ts';
import { tailLogs } from '../logs/tail-logs.ts';
import { putLabels } from '../render/put-labels.ts';
import { readFiles } from '../render/read-sources.ts';
import { runRender } from '../render/run-render.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { knownImages, type ReportedImage } from './known-images.ts';

/** `deploy`: renders and applies images that are already built. */
export async function driveDeploy(
  session: PipelineSession,
  reported: readonly ReportedImage[] | null,
): Promise<PhaseResult<Deployed>> {
  const images = await unlessInterrupted(session, () =>
    knownImages(session, { reported, must: 'be-built' }),
  );
  return images.outcome === 'Succeeded' ? renderAndDeploy(session, images.value) : images;
}

/** Renders and deploys built images: all of `deploy`, and the second half of `run`. */
export async function renderAndDeploy(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<Deployed>> {
  const rendered = await runRender(session, built);
  if (rendered.outcome !== 'Succeeded') return rendered;
  const deployed = await runDeploy(session, rendered.value);
  return deployed.outcome === 'Succeeded' ? reportReady(session, deployed.value) : deployed;
}

/** Runs the hooks `ready` of lifehook.yaml, once everything of all modules is deployed. */
function reportReady(session: PipelineSession, deployed: Deployed): Promise<PhaseResult<Deployed>> {
  const { namespaces } = deployed;
  return runStage<Deployed>(session, {
    hooks: session.config.ownHooks.ready,
    facts: () => ({
      phase: { kind: 'deploy', runId: session.runId },
      namespaces,
      containers: deployedContainers(session, deployed),
    }),
    work: () => Promise.resolve({ outcome: 'Succeeded', value: deployed }),
  });
}

/** `run`: builds, tests, renders and deploys once. */
export async function driveRun(session: PipelineSession): Promise<PhaseResult<Deployed>> {
  const built = await runBuild(session);
  if (built.outcome !== 'Succeeded') return built;
  const tested = await runTests(session, built.value);
  if (tested.outcome !== 'Succeeded') return tested;
  return renderAndDeploy(session, built.value);
}

/**
 * `apply`: applies already rendered manifests unchanged, with the hooks and the status check of a deployment.
 * `patterns` are absolute. All manifests are applied as those of the last module, with its hooks. Nothing is pruned,
 * since other objects may be deployed.
 */
export async function driveApply(
  session: PipelineSession,
  patterns: readonly string[],
): Promise<PhaseResult<Deployed>> {
  const module = session.config.modules.at(-1);
  if (module === undefined) throw new Error('a pipeline has a module');
  const read = await readFiles(session, { folder: session.hooks.workDir, patterns });
  if (read.outcome !== 'Succeeded') return read;
  const { runId, options } = session;
  const objects = read.value.map((object) => putLabels(object, runId, options.labels));
  const manifests = [{ module: withHooksOf(session, module), objects, text: '' }];
  const deployed = await runDeploy(session, { manifests }, { prunes: false });
  return deployed.outcome === 'Succeeded' ? reportReady(session, deployed.value) : deployed;
}

/** With `--compat`, removes the hooks, as in skaffold. The deployer stays null if it is ignored. */
function withHooksOf({ options }: PipelineSession, module: ModuleConfig): ModuleConfig {
  const { kubectl, helm } = module.deploy;
  if (!options.compat) return module;
  const bare = kubectl === null ? null : { ...kubectl, hooks: NO_HOOKS };
  const bareHelm = helm === null ? null : { ...helm, hooks: NO_HOOKS };
  return { ...module, deploy: { ...module.deploy, kubectl: bare, helm: bareHelm } };
}

/** The streams that stay open after a deployment. */
export interface Stay {
  readonly portForward: boolean;
  readonly tail: boolean;
}

/**
 * For verbs that deploy once: keeps ports forwarded and follows the logs of deployed pods until Ctrl-C, which is the
 * normal end. If neither is wanted, or the deployment has failed, returns at once.
 */
export async function stayOpen(
  session: PipelineSession,
  result: PhaseResult<Deployed>,
  { portForward, tail }: Stay,
): Promise<PhaseResult<Deployed>> {
  if (result.outcome !== 'Succeeded') return result;
  const { value: deployed } = result;
  const logs = tail ? tailLogs(session, deployed) : null;
  try {
    const ports = portForward ? await forwardPorts(session, deployed) : null;
    if (ports !== null && ports.outcome !== 'Succeeded') return ports;
    if (logs !== null || ports !== null) await whenAborted(session.hooks.signal);
    await ports?.value[Symbol.asyncDispose]();
    return result;
  } finally {
    await logs?.[Symbol.asyncDispose]();
  }
}

/** `delete`: deletes the deployed objects, with the cleanup hooks of lifehook.yaml around it. */
export async function driveDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  requireTarget(session);
  const namespaces = await knownNamespaces(session);
  return runStage<null>(session, {
    hooks: session.config.ownHooks.cleanup,
    // Nothing to wait for: before the deletion the containers exist already, and after it there are none.
    facts: () => ({
      phase: { kind: 'other' },
      ...(namespaces.length === 0 ? {} : { namespaces }),
      containers: { namespaces, image: null, waitMs: 0 },
    }),
    work: () => deleted(session),
  });
}

async function deleted(session: PipelineSession): Promise<PhaseResult<null>> {
  const { emit } = session.hooks;
  const event = { type: 'PhaseEvent', phase: 'cleanup' } as const;
  emit({ ...event, status: 'InProgress' });
  const result = await reportRejection(emit, event, () => runDelete(session));
  emit({ ...event, status: result.outcome === 'Succeeded' ? 'Succeeded' : 'Failed' });
  return result;
}

/**
 * Deletes the objects that this project has deployed from this checkout in this context, in any profile and namespace.
 * An object must be in the inventory and have the project's label.
 */
export async function runDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  const target = requireTarget(session);
  const inventory = await readInventory(session);
  const { ours } = scopesOfContext(inventory, target.context);
  const refs = Object.values(ours).reduce((all, some) => union(all, some), []);
  const context = { session, target, kinds: new FoundKinds(target.client) };
  const result = await deleteObjects(refs, inventory.project, context);
  if (result.outcome !== 'Succeeded') return result;
  const again = new Set(await stillThere(refs, inventory.project, context));
  const done = refs.filter((ref) => !again.has(ref));
  // Another session may have recorded its objects during the deletions.
  await changeInventory(session, (latest) => withoutRefs(latest, target.context, done));
  return result;
}
