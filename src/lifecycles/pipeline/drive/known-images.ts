/**
 * Finds the images for commands that build nothing: those that an earlier build reported, or else the cached images,
 * with the references that a build would use now.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { PlannedBuild } from '../build/plan-build.ts';
import { planBuild } from '../build/plan-build.ts';
import { NO_HOOKS } from '../hooks/model.ts';
import type { BuiltArtifact, PipelineSession } from '../session.ts';

/** An image as one build reports it to the next program: its name without tag, and the built reference. */
export interface ReportedImage {
  readonly image: string;
  readonly reference: string;
}

export interface KnownImages {
  /** Images of another program or an earlier run; null: none were given. */
  readonly reported: readonly ReportedImage[] | null;
  /** `must`: refuses images that were not built; absent: accepts them. `only`: selects the images; absent: all. */
  readonly must?: 'be-built';
  readonly only?: (image: string) => boolean;
}

/**
 * The images for a command that builds nothing. With `must`, rejects with LHL603 if a selected image was not built,
 * unless images are reported or a tag is given.
 */
export async function knownImages(
  session: PipelineSession,
  { reported, must, only = () => true }: KnownImages,
): Promise<readonly BuiltArtifact[]> {
  if (reported !== null)
    return reported.filter(({ image }) => only(image)).map((one) => asBuilt(one, session));
  const planned = (await planBuild(session)).filter(({ artifact }) => only(artifact.image));
  // An image with a tag of the command line exists somewhere, even if it is not in the cache.
  const missing = planned.filter(({ cachedId }) => cachedId === null);
  if (must === 'be-built' && missing.length > 0 && session.options.tag === null)
    throw notBuilt(missing);
  return planned.map(({ module, artifact, reference, cachedId, thereAs }) => ({
    module,
    artifact,
    image: artifact.image,
    reference: thereAs ?? reference,
    id: cachedId ?? '',
    cached: cachedId !== null,
  }));
}

/** Accepts an image of another pipeline too: manifests use it, although this pipeline cannot build it. */
function asBuilt({ image, reference }: ReportedImage, { config }: PipelineSession): BuiltArtifact {
  const places = config.modules.flatMap((module) =>
    module.build.artifacts.map((artifact) => ({ module, artifact })),
  );
  const place = places.find(({ artifact }) => artifact.image === image);
  const module = place?.module ?? config.modules.at(-1);
  if (module === undefined) throw new Error('a pipeline has a module');
  const at = { file: module.file, line: 1, column: 1 };
  const artifact = place?.artifact ?? {
    image,
    context: config.workDir,
    builder: { kind: 'unsupported' as const, name: 'another pipeline', at },
    requires: [],
    sync: null,
    hooks: NO_HOOKS,
    platforms: [],
    at,
  };
  return { module, artifact, image, reference, id: reference, cached: true };
}

function notBuilt(missing: readonly PlannedBuild[]): LifehookError {
  return new LifehookError(
    missing.map(({ artifact, reference }) => ({
      code: 'LHL603',
      severity: 'error',
      message: `${artifact.image} was not built from the current files (${reference}).`,
      at: artifact.at,
      next: 'Run lifehook build first, or lifehook pipeline run, or give --build-artifacts or --tag.',
    })),
  );
}
