/**
 * Runs the build phase. First, the hooks with inputs run, before tags and cache keys are determined, so that their
 * output counts (PIPE-B7, PIPE-B8). Then the build is planned. Then images are built in parallel, each with its own
 * hooks and after the images that it requires (PIPE-CASE43). An image is cached as built when its hooks after the build
 * have succeeded too (PIPE-CASE20).
 */
import { maskValues } from '../../../model/secrets.ts';
import { reportRejection } from '../events/report-rejection.ts';
import type { StageHooks } from '../hooks/model.ts';
import { runList, runStage } from '../hooks/run-stage.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';
import type { BuildCache } from './build-cache.ts';
import { buildImage } from './builders.ts';
import { type MadeImage, retag } from './deliver.ts';
import { keyOf, openCache, planBuild, type PlannedBuild, unlessInterrupted } from './plan-build.ts';
import { GroupedEvents, runInOrder } from './run-in-order.ts';

export type BuildPhaseResult = PhaseResult<readonly BuiltArtifact[]>;

/**
 * Builds the images of all modules. `only`: images that must be processed now; the others are taken from `previous`.
 */
export async function runBuild(
  session: PipelineSession,
  only?: ReadonlySet<string>,
  previous: readonly BuiltArtifact[] = [],
): Promise<BuildPhaseResult> {
  const planned = await planAfterHooks(session, only);
  if (planned.outcome !== 'Succeeded') return planned;
  const all = planned.value;
  const kept = previous.filter(({ image }) => only !== undefined && !only.has(image));
  const plan = all.filter(({ artifact }) => !kept.some(({ image }) => image === artifact.image));
  const cached = plan.every(({ cachedId }) => cachedId !== null);
  const hooks = withoutEarly(joined(session.config.modules.map(({ build }) => build.hooks)));
  if (plan.length === 0) return { outcome: 'Succeeded', value: kept };
  const result = await runStage(session, {
    hooks,
    facts: () => ({ phase: { kind: 'whole-build' }, cached }),
    work: () => buildAll(plan, { all, kept }, session),
  });
  if (result.outcome !== 'Succeeded') return result;
  const byImage = new Map([...kept, ...result.value].map((one) => [one.image, one]));
  const ordered = all.flatMap(({ artifact }) => byImage.get(artifact.image) ?? []);
  return { outcome: 'Succeeded', value: ordered };
}

/** Selects the hooks that run before tags and cache keys are determined. */
export const makesInputs = (hooks: StageHooks): StageHooks => ({
  ...hooks,
  before: hooks.before.filter(({ policy }) => policy.inputs.length > 0),
});

export const withoutEarly = (hooks: StageHooks): StageHooks => ({
  ...hooks,
  before: hooks.before.filter(({ policy }) => policy.inputs.length === 0),
});

/**
 * Runs the early hooks, and then plans the build. The hooks get no tag, because tags are created by the plan. If
 * planning fails, the cleanup hooks of the same lists run here, because no build will run them (PIPE-P7).
 */
async function planAfterHooks(
  session: PipelineSession,
  only?: ReadonlySet<string>,
): Promise<PhaseResult<readonly PlannedBuild[]>> {
  const { modules } = session.config;
  const artifacts = modules
    .flatMap(({ build }) => build.artifacts)
    .filter(({ image }) => only?.has(image) !== false);
  const hooks = [...modules.map(({ build }) => build.hooks), ...artifacts.map((one) => one.hooks)];
  const early = hooks.map((one) => makesInputs(one)).filter(({ before }) => before.length > 0);
  const plan = (): Promise<PhaseResult<readonly PlannedBuild[]>> =>
    unlessInterrupted(session, () => planBuild(session));
  if (early.length === 0) return plan();
  const { before, onError, finally: last } = joined(early);
  const facts = { phase: { kind: 'whole-build' } } as const;
  let isPlanned = false;
  try {
    const result = await runStage<readonly PlannedBuild[]>(session, {
      hooks: { before, after: [], onError, finally: [] },
      facts: () => facts,
      work: plan,
    });
    isPlanned = result.outcome === 'Succeeded';
    return result;
  } finally {
    if (!isPlanned) await runList(session, last, facts);
  }
}

function joined(all: readonly StageHooks[]): StageHooks {
  return {
    before: all.flatMap(({ before }) => before),
    after: all.flatMap(({ after }) => after),
    onError: all.flatMap(({ onError }) => onError),
    finally: all.flatMap((one) => one.finally),
  };
}

interface Images {
  /** The plan of all images, since the cache key of an image contains those of its requirements. */
  readonly all: readonly PlannedBuild[];
  readonly kept: readonly BuiltArtifact[];
}

async function buildAll(
  plan: readonly PlannedBuild[],
  { all, kept }: Images,
  session: PipelineSession,
): Promise<BuildPhaseResult> {
  const cache = await openCache(session);
  const planned = new Map(all.map((one) => [one.artifact.image, one]));
  const references = new Map([
    ...kept.map(({ image, reference }) => [image, reference] as const),
    ...plan.map(({ artifact, reference }) => [artifact.image, reference] as const),
  ]);
  const grouped = new GroupedEvents(session.hooks.emit, session.platform.clock);
  const results = await runInOrder(
    plan.map((value) => ({
      key: value.artifact.image,
      requires: value.artifact.requires.map(({ image }) => image),
      value,
    })),
    {
      concurrency: plan[0]?.module.build.concurrency ?? 1,
      run: async (one) => {
        const { emit, end } = grouped.begin();
        const maskEarlier = async (secrets: readonly string[]): Promise<void> => {
          grouped.mask(maskValues(secrets));
          await session.hooks.maskEarlier(secrets);
        };
        const own = { ...session, hooks: { ...session.hooks, emit, maskEarlier } };
        try {
          const event = {
            type: 'PhaseEvent',
            phase: 'build',
            subject: one.artifact.image,
          } as const;
          return await reportRejection(emit, event, () =>
            buildOne({ one, planned, references, cache }, own),
          );
        } finally {
          end();
        }
      },
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
  /** Keyed by image. Each build stores the cache key that it has computed again. */
  readonly planned: Map<string, PlannedBuild>;
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
  const emit = session.hooks.emit;
  emit({ type: 'PhaseEvent', phase: 'build', status: 'InProgress', subject: image });
  let key = build.one.key;
  const before = await idNow(build.one, session);
  const cached = cachedId !== null;
  const result = await runStage<NamedImage>(session, {
    hooks: withoutEarly(artifact.hooks),
    facts: () => ({ phase: { kind: 'build', image: reference, pushImage: push, context }, cached }),
    work: async () => {
      const there = await asItIs(build.one, { before, session });
      if (there !== null) return there;
      // The key is computed again, since hooks may have created sources (PIPE-CASE22).
      const now = await unlessInterrupted(session, () => keyOf(build.one, build.planned, session));
      if (now.outcome !== 'Succeeded') return now;
      key = now.value;
      build.planned.set(image, { ...build.one, key });
      const required = requiredOf(build);
      const made = await buildImage({ artifact, reference, push, required }, session);
      return named(made, reference, before);
    },
  });
  const durationMs = clock.monotonicMs() - begunMs;
  const ended = { type: 'PhaseEvent', phase: 'build', subject: image, durationMs } as const;
  if (result.outcome !== 'Succeeded') {
    emit({ ...ended, status: 'Failed', message: result.message });
    return result;
  }
  const { value } = result;
  if (value.name !== build.one.thereAs) {
    await build.cache.add(key, { id: value.id, reference: value.name, pushed: push });
  }
  emit({ ...ended, status: cached ? 'Skipped' : 'Succeeded' });
  const built = { module, artifact, image, reference: value.name, id: value.id, cached };
  return { outcome: 'Succeeded', value: built };
}

interface NamedImage {
  readonly id: string;
  /** The name that manifests get. */
  readonly name: string;
}

/** The current id of the local cluster's image with this name; null: none, or unknown. */
async function idNow(
  { reference, push }: PlannedBuild,
  { target }: PipelineSession,
): Promise<string | null> {
  return push ? null : ((await target?.images?.idOf(reference)) ?? null);
}

interface Before {
  readonly before: string | null;
  readonly session: PipelineSession;
}

/** Returns the existing image under the reference of this build; null: it has to be built. */
async function asItIs(
  { artifact, reference, push, cachedId, thereAs }: PlannedBuild,
  { before, session }: Before,
): Promise<PhaseResult<NamedImage> | null> {
  if (cachedId === null || thereAs === null) return null;
  const [tagged] = thereAs.split('@');
  if (tagged === reference) {
    if (before !== null && before !== cachedId)
      await session.target?.images?.tag(thereAs, reference);
    return { outcome: 'Succeeded', value: { id: cachedId, name: thereAs } };
  }
  const { image } = artifact;
  const retagged = await retag({ existing: thereAs, reference, image }, push, session);
  // An image that docker has pruned meanwhile is built again.
  return retagged.outcome === 'Failed' ? null : named(retagged, reference, before);
}

/**
 * Adds the digest to the name of a pushed image, and of an image whose tag has named another image until now. Worked
 * example: web:latest is deployed, and a new build gives the tag to another image. Manifests then get
 * web:latest@sha256:…: with the name alone the cluster would see no change, and keep its pods.
 */
function named(
  made: PhaseResult<MadeImage>,
  reference: string,
  before: string | null,
): PhaseResult<NamedImage> {
  if (made.outcome !== 'Succeeded') return made;
  const { id } = made.value;
  const digest = made.value.digest ?? (before === null || before === id ? null : id);
  const name = digest === null ? reference : `${reference}@${digest}`;
  return { outcome: 'Succeeded', value: { id, name } };
}

function requiredOf({ one, references }: OneBuild): Record<string, string> {
  return Object.fromEntries(
    one.artifact.requires.map(({ image, alias }) => [alias, references.get(image) ?? image]),
  );
}
