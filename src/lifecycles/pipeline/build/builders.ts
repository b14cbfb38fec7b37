/** Makes one image, by whichever builder the artifact names, and brings it where it is needed. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, Builder } from '../config/model.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { buildFolder } from './build-folder.ts';
import { warnOfRecords } from './custom-context.ts';
import { buildFromDockerfile } from './build-docker.ts';
import { containerProgram, imageId } from './container-program.ts';
import { deliver, type MadeImage } from './deliver.ts';

export interface BuildRequest<B extends Builder = Builder> {
  readonly artifact: Artifact & { readonly builder: B };
  /** With its tag. */
  readonly reference: string;
  readonly push: boolean;
  /** Of each image that it requires, by its alias. */
  readonly required: Readonly<Record<string, string>>;
}

export type BuildResult = PhaseResult<MadeImage>;

export async function buildImage(
  { artifact, ...rest }: BuildRequest,
  session: PipelineSession,
): Promise<BuildResult> {
  const { builder } = artifact;
  switch (builder.kind) {
    case 'folder':
      return buildFolder({ artifact: { ...artifact, builder }, ...rest }, session);
    case 'docker':
      return buildFromDockerfile({ artifact: { ...artifact, builder }, ...rest }, session);
    case 'custom':
      return buildCustom({ artifact: { ...artifact, builder }, ...rest }, session);
    case 'unsupported':
      throw unsupported(artifact, builder.name);
    default:
      return builder satisfies never;
  }
}

function unsupported({ image, at }: Artifact, name: string): LifehookError {
  return new LifehookError({
    code: 'LHL302',
    severity: 'error',
    message: `${image} is built by ${name}, which Lifehook does not run itself.`,
    at,
    next: `Call ${name} in the buildCommand of a custom builder.`,
  });
}

/** C9: the program is told by IMAGE and the others what it is to make. */
async function buildCustom(
  { artifact, reference, push, required }: BuildRequest<Extract<Builder, { kind: 'custom' }>>,
  session: PipelineSession,
): Promise<BuildResult> {
  const { image, context, builder, platforms } = artifact;
  const env = {
    ...required,
    IMAGE: reference,
    PUSH_IMAGE: String(push),
    BUILD_CONTEXT: context,
    PLATFORMS: platforms.join(','),
    SKIP_TEST: String(session.options.skipTests),
  };
  await warnOfRecords(artifact, session);
  const argv = ['sh', '-c', builder.buildCommand];
  const ran = await runProgram({ argv, cwd: context, env, source: `build/${image}` }, session);
  if (ran.outcome !== 'Succeeded') {
    const title = `error LHL304: The build of ${image} failed`;
    return programFailure(ran, {
      title,
      next: `correct its buildCommand: ${builder.buildCommand}`,
    });
  }
  // What was pushed is known by its name alone.
  if (push) return { outcome: 'Succeeded', value: { id: reference, digest: null } };
  const known = (await session.target?.images?.idOf(reference)) ?? null;
  if (known !== null) return { outcome: 'Succeeded', value: { id: known, digest: null } };
  const program = await containerProgram(session);
  const id = await imageId({ program, reference, image }, session);
  return id.outcome === 'Succeeded'
    ? deliver({ program, reference, image, id: id.value, push }, session)
    : id;
}
