/**
 * Plans the build phase for `plan`: tags, cached images, and the hooks around each image and around the whole build.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { planBuild, type PlannedBuild } from '../build/plan-build.ts';
import { makesInputs, withoutEarly } from '../build/run-build.ts';
import type { Artifact } from '../config/model.ts';
import type { StageHooks } from '../hooks/model.ts';
import type { PipelineSession } from '../session.ts';
import { planAround, planHooks, type PlannedStage } from './plan-hooks.ts';
import type { PlannedEntry, PlannedImage, PlannedPhase } from './plan.ts';

export interface PlannedImages {
  readonly phases: readonly PlannedPhase[];
  readonly problems: readonly Problem[];
  /** In build order; empty if a tag, an order or a list of files cannot be determined. */
  readonly builds: readonly PlannedBuild[];
}

export async function planImages(session: PipelineSession): Promise<PlannedImages> {
  const { builds, failure } = await tryPlanBuild(session);
  const artifacts =
    builds?.map(({ artifact }) => artifact) ??
    session.config.modules.flatMap(({ build }) => build.artifacts);
  const stages = session.config.modules.map(({ build }) => build.hooks);
  const cached = builds !== null && builds.every(({ cachedId }) => cachedId !== null);
  // If there is no image to build, no hook runs.
  const around = artifacts.length === 0 ? [] : stages.map((one) => withoutEarly(one));
  const whole: PlannedStage = { facts: { phase: { kind: 'whole-build' }, cached } };
  const lists = async (
    hooks: readonly StageHooks[],
    when: keyof StageHooks,
    stage: PlannedStage,
  ): Promise<readonly PlannedEntry[]> => {
    const all = hooks.map((one) => planHooks({ ...stage, hooks: one, when }, session));
    return (await Promise.all(all)).flat();
  };
  const makers = [...stages, ...artifacts.map(({ hooks }) => hooks)].map((one) => makesInputs(one));
  const early = await lists(makers, 'before', { facts: { ...whole.facts, cached: false } });
  const phases = [
    phaseOf(null, 'before tags are made', early),
    phaseOf(null, null, await lists(around, 'before', whole)),
  ];
  for (const artifact of artifacts) {
    const build = builds?.find((one) => one.artifact === artifact) ?? null;
    phases.push(phaseOf(artifact.image, null, await entriesOf(artifact, build, session)));
  }
  const last = [
    await lists(around, 'after', whole),
    await lists(around, 'onError', whole),
    await lists(around, 'finally', whole),
  ];
  phases.push(phaseOf(null, 'after all images', last.flat()));
  return {
    phases: phases.filter(({ entries }) => entries.length > 0),
    problems: problemsOf(failure, early),
    builds: builds ?? [],
  };
}

async function tryPlanBuild(
  session: PipelineSession,
): Promise<{ builds: readonly PlannedBuild[] | null; failure: LifehookError | null }> {
  try {
    return { builds: await planBuild(session), failure: null };
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    return { builds: null, failure: error };
  }
}

/** A missing tag is no problem if a hook runs before tags are created: the hook may set a value that the tag uses. */
function problemsOf(
  failure: LifehookError | null,
  early: readonly PlannedEntry[],
): readonly Problem[] {
  if (failure === null) return [];
  const isTag = failure.problems.every(({ code }) => code === 'LHL301');
  return isTag && early.some((one) => one.kind === 'hook' && one.hook.runs) ? [] : failure.problems;
}

function phaseOf(
  subject: string | null,
  note: string | null,
  entries: readonly PlannedEntry[],
): PlannedPhase {
  return { phase: 'build', subject, note, entries };
}

async function entriesOf(
  artifact: Artifact,
  build: PlannedBuild | null,
  session: PipelineSession,
): Promise<readonly PlannedEntry[]> {
  const stage: PlannedStage = {
    facts:
      build === null
        ? { phase: { kind: 'whole-build' } }
        : {
            phase: {
              kind: 'build',
              image: build.reference,
              pushImage: build.push,
              context: artifact.context,
            },
            cached: build.cachedId !== null,
          },
  };
  const hooks = withoutEarly(artifact.hooks);
  const image = imageOf(artifact, build);
  const work = [{ kind: 'image', image, text: textOf(image) }] as const;
  return planAround({ ...stage, hooks, work }, session);
}

function imageOf(artifact: Artifact, build: PlannedBuild | null): PlannedImage {
  const { builder, image, requires } = artifact;
  return {
    name: image,
    reference: build?.reference ?? null,
    builder: builder.kind === 'unsupported' ? builder.name : builder.kind,
    push: build?.push ?? null,
    cachedId: build?.cachedId ?? null,
    requires: requires.map((one) => one.image),
  };
}

function textOf({ name, reference, builder, push, cachedId, requires }: PlannedImage): string {
  const parts = [
    cachedId === null ? `will be built by ${builder}` : `exists already: ${cachedId}`,
    ...(requires.length === 0 ? [] : [`after ${requires.join(', ')}`]),
    ...(push === true ? ['and pushed'] : []),
  ];
  return `${reference ?? `${name}, whose tag is not known yet,`} ${parts.join(', ')}`;
}
