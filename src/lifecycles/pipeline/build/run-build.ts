/**
 * The build phase. Hooks with inputs run before tags and cache keys are made (B7, B8), so that what they make counts;
 * then the plan; then each image with its own hooks, several at once, each after what it requires (case 43).
 * An image is remembered as built when its hooks after the build have succeeded too (case 20).
 */
import type { StageHooks } from '../hooks/model.ts';
import { type Failure, failureOf, runList, runStage } from '../hooks/run-stage.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';
import type { BuildCache } from './build-cache.ts';
import { buildImage } from './builders.ts';
import { keyOf, openCache, planBuild, type PlannedBuild } from './plan-build.ts';
import { runInOrder } from './run-in-order.ts';

export type BuildPhaseResult = PhaseResult<readonly BuiltArtifact[]>;

/** `only`: images that must be looked at now; the others are as `previous` has them. */
export async function runBuild(
  session: PipelineSession,
  only?: ReadonlySet<string>,
  previous: readonly BuiltArtifact[] = [],
): Promise<BuildPhaseResult> {
  const early = await runEarlyHooks(session, only);
  if (early !== null) return early;
  const all = await planBuild(session);
  const kept = previous.filter(({ image }) => only !== undefined && !only.has(image));
  const plan = all.filter(({ artifact }) => !kept.some(({ image }) => image === artifact.image));
  const cached = plan.every(({ cachedId }) => cachedId !== null);
  const hooks = withoutEarly(joined(session.config.modules.map(({ build }) => build.hooks)));
  if (plan.length === 0) return { outcome: 'Succeeded', value: kept };
  const result = await runStage(session, {
    hooks,
    facts: () => ({ phase: { kind: 'whole-build' }, cached }),
    work: () => buildAll(plan, kept, session),
  });
  if (result.outcome !== 'Succeeded') return result;
  const byImage = new Map([...kept, ...result.value].map((one) => [one.image, one]));
  const ordered = all.flatMap(({ artifact }) => byImage.get(artifact.image) ?? []);
  return { outcome: 'Succeeded', value: ordered };
}

/** They run before tags and cache keys are made. */
export const makesInputs = (hooks: StageHooks): StageHooks => ({
  ...hooks,
  before: hooks.before.filter(({ policy }) => policy.inputs.length > 0),
});

export const withoutEarly = (hooks: StageHooks): StageHooks => ({
  ...hooks,
  before: hooks.before.filter(({ policy }) => policy.inputs.length === 0),
});

/** There is no tag yet that they could be told of. */
async function runEarlyHooks(
  session: PipelineSession,
  only?: ReadonlySet<string>,
): Promise<Failure | null> {
  const { modules } = session.config;
  const artifacts = modules
    .flatMap(({ build }) => build.artifacts)
    .filter(({ image }) => only?.has(image) !== false);
  const hooks = [...modules.map(({ build }) => build.hooks), ...artifacts.map((one) => one.hooks)];
  const { before } = joined(hooks.map((one) => makesInputs(one)));
  return failureOf(await runList(session, before, { phase: { kind: 'whole-build' } }));
}

function joined(all: readonly StageHooks[]): StageHooks {
  return {
    before: all.flatMap(({ before }) => before),
    after: all.flatMap(({ after }) => after),
    onError: all.flatMap(({ onError }) => onError),
    finally: all.flatMap((one) => one.finally),
  };
}

async function buildAll(
  plan: readonly PlannedBuild[],
  kept: readonly BuiltArtifact[],
  session: PipelineSession,
): Promise<BuildPhaseResult> {
  const cache = await openCache(session);
  const planned = new Map(plan.map((one) => [one.artifact.image, one]));
  const references = new Map([
    ...kept.map(({ image, reference }) => [image, reference] as const),
    ...plan.map(({ artifact, reference }) => [artifact.image, reference] as const),
  ]);
  const results = await runInOrder(
    plan.map((value) => ({
      key: value.artifact.image,
      requires: value.artifact.requires.map(({ image }) => image),
      value,
    })),
    {
      concurrency: plan[0]?.module.build.concurrency ?? 1,
      run: (one) => buildOne({ one, planned, references, cache }, session),
      succeeded: ({ outcome }) => outcome === 'Succeeded',
    },
  );
  const built: BuiltArtifact[] = [];
  for (const result of results.values()) {
    if (result.outcome !== 'Succeeded') return result;
    built.push(result.value);
  }
  return { outcome: 'Succeeded', value: built };
}

interface OneBuild {
  readonly one: PlannedBuild;
  readonly planned: ReadonlyMap<string, PlannedBuild>;
  readonly references: ReadonlyMap<string, string>;
  readonly cache: BuildCache;
}

async function buildOne(
  build: OneBuild,
  session: PipelineSession,
): Promise<PhaseResult<BuiltArtifact>> {
  const { artifact, module, reference, push, cachedId } = build.one;
  const { image, context } = artifact;
  const { clock } = session.platform;
  const begunMs = clock.monotonicMs();
  const tell = session.hooks.tell;
  tell({ type: 'PhaseEvent', phase: 'build', status: 'InProgress', subject: image });
  let key = build.one.key;
  const result = await runStage<string>(session, {
    hooks: withoutEarly(artifact.hooks),
    facts: () => ({
      phase: { kind: 'build', image: reference, pushImage: push, context },
      cached: cachedId !== null,
    }),
    work: async () => {
      if (cachedId !== null) return { outcome: 'Succeeded', value: cachedId };
      // Hooks may have made what is built (case 22).
      key = await keyOf(artifact, build.planned, session);
      return buildImage({ artifact, reference, push, required: requiredOf(build) }, session);
    },
  });
  const durationMs = clock.monotonicMs() - begunMs;
  const ended = { type: 'PhaseEvent', phase: 'build', subject: image, durationMs } as const;
  if (result.outcome !== 'Succeeded') {
    tell({ ...ended, status: 'Failed', message: result.message });
    return result;
  }
  if (cachedId === null) await build.cache.add(key, result.value);
  tell({ ...ended, status: cachedId === null ? 'Succeeded' : 'Skipped' });
  const cached = cachedId !== null;
  return {
    outcome: 'Succeeded',
    value: { module, artifact, image, reference, id: result.value, cached },
  };
}

function requiredOf({ one, references }: OneBuild): Record<string, string> {
  return Object.fromEntries(
    one.artifact.requires.map(({ image, alias }) => [alias, references.get(image) ?? image]),
  );
}
