/** Builds one image with the builder of its artifact, and delivers it. */
import { LifehookError } from '../../../model/problem.ts';
import { sha256 } from '../../../platform/digests.ts';
import type {
  Artifact,
  Builder,
  CustomBuilder,
  DockerBuilder,
  FolderBuilder,
} from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { ImagePort, PhaseResult, PipelineSession } from '../session.ts';
import { dockerContext, inBuildContext } from './build-context.ts';
import { containerProgram, imageId, withAlgorithm } from './container-program.ts';
import { deliver, type MadeImage } from './deliver.ts';
import { buildArgsOf, dockerArgv } from './docker-argv.ts';
import { readDockerIgnore } from './docker-ignore.ts';
import { textOf } from './text-file.ts';
import { STATE_FOLDER } from './walk-files.ts';

export interface BuildRequest<B extends Builder = Builder> {
  readonly artifact: Artifact & { readonly builder: B };
  /** The name of the image, with its tag. */
  readonly reference: string;
  readonly push: boolean;
  /** Keyed by alias: the references of the required images. */
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
    message: `${image} is built by ${name}, which Lifehook does not run itself.`,
    at,
    next: `Call ${name} in the buildCommand of a custom builder.`,
  });
}

/**
 * PIPE-C9: the program gets the name of the image to build in IMAGE, and skaffold's other variables for custom
 * builders.
 */
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
  // For a pushed image the name is the only id.
  if (push) return { outcome: 'Succeeded', value: { id: reference, digest: null } };
  const known = (await session.target?.images?.idOf(reference)) ?? null;
  if (known !== null) return { outcome: 'Succeeded', value: { id: known, digest: null } };
  const program = await containerProgram(session);
  const id = await imageId({ program, reference, image }, session);
  return id.outcome === 'Succeeded'
    ? deliver({ program, reference, image, id: id.value, push }, session)
    : id;
}

type DockerRequest = BuildRequest<DockerBuilder>;

/** Builds an image from a Dockerfile, by docker, podman or buildah. */
async function buildFromDockerfile(
  request: DockerRequest,
  session: PipelineSession,
): Promise<BuildResult> {
  const { artifact, reference, push, required } = request;
  const { image, context, builder } = artifact;
  const { files } = session.platform;
  const { scratchFolder } = session.hooks;
  const program = await containerProgram(session);
  const buildArgs = await buildArgsOf(artifact, { required, reference }, session);
  const idFile = `${scratchFolder}/${sha256(reference)}.id`;
  await files.makeFolder(scratchFolder, PRIVATE);
  try {
    const source = {
      ...(await dockerContext(artifact, program, session)),
      folder: context,
      image,
      reference,
      mustCopy: false,
    };
    return await inBuildContext(source, session, async (folder, advice) => {
      const argv = dockerArgv({ program, artifact, folder, reference, buildArgs, idFile });
      const ran = await runProgram({ argv, cwd: context, source: `build/${image}` }, session);
      if (ran.outcome !== 'Succeeded') {
        const title = `error LHL304: The build of ${image} failed`;
        const next = advice ?? `correct ${builder.dockerfile} in ${context}.`;
        return programFailure(ran, { title, next });
      }
      const id = withAlgorithm(await files.read(idFile));
      return deliver({ program, reference, image, id, push }, session);
    });
  } finally {
    await files.remove(idFile);
  }
}

const PRIVATE = 0o700;

type Custom = Pick<Artifact, 'image' | 'context'> & { readonly builder: CustomBuilder };

/**
 * A buildCommand reads the project by itself, so it cannot get a copy without session records. If it
 * calls a program that sends a whole directory, and no ignore file excludes the records, the user is warned.
 */
export async function warnOfRecords(
  { image, context, builder }: Custom,
  session: Pick<PipelineSession, 'platform' | 'hooks'>,
): Promise<void> {
  const program = SENDS_FOLDERS.exec(builder.buildCommand)?.[0];
  if (program === undefined) return;
  const { files } = session.platform;
  const isThere = await files.stat(`${context}/${STATE_FOLDER}`).catch(() => null);
  if (isThere === null) return;
  const text = await textOf(`${context}/.dockerignore`, files);
  if (readDockerIgnore(text ?? '').ignores(STATE_FOLDER)) return;
  session.hooks.emit({
    type: 'Warning',
    code: 'LHL319',
    message: `${program} in the buildCommand of ${image} may include the session records of ${context}/${STATE_FOLDER} in the build context. Next: Add a line ${STATE_FOLDER} to ${context}/.dockerignore.`,
  });
}

const SENDS_FOLDERS = /\b(?:docker|podman|buildah|nerdctl|buildctl|kaniko)\b/;

type FolderRequest = BuildRequest<FolderBuilder>;

/** Builds an image from a directory, for the local cluster: no other program is needed. */
async function buildFolder(request: FolderRequest, session: PipelineSession): Promise<BuildResult> {
  const { artifact, reference } = request;
  const { builder, context } = artifact;
  const images = session.target?.images ?? null;
  if (images === null) throw noCluster(request);
  const { ignores, hasExceptions } = readDockerIgnore(builder.ignore.join('\n'));
  const source = {
    folder: resolveFrom(context, builder.path),
    image: artifact.image,
    reference,
    leavesOut: (path: string) => ignores(path) || path.split('/').includes('.git'),
    hasExceptions,
    mustCopy: builder.ignore.length > 0,
  };
  return inBuildContext(source, session, (from, advice) => {
    if (advice !== null) throw unreadable(request, advice);
    return importFolder({ from, request, images });
  });
}

async function importFolder({
  from,
  request,
  images,
}: {
  readonly from: string;
  readonly request: FolderRequest;
  readonly images: ImagePort;
}): Promise<BuildResult> {
  const { artifact, reference } = request;
  const { command, env, workingDir } = artifact.builder;
  const config = {
    env,
    ...(command === undefined ? {} : { command }),
    ...(workingDir === undefined ? {} : { workingDir }),
  };
  const id = await images.importImage({ from, reference, config });
  return { outcome: 'Succeeded', value: { id, digest: null } };
}

function unreadable({ artifact }: FolderRequest, advice: string): LifehookError {
  return new LifehookError({
    code: 'LHL304',
    message: `The directory of ${artifact.image} cannot be read completely.`,
    at: artifact.at,
    next: advice,
  });
}

function noCluster({ artifact }: FolderRequest): LifehookError {
  return new LifehookError({
    code: 'LHL305',
    message: `${artifact.image} is a directory, which only the local cluster accepts as an image.`,
    at: artifact.at,
    next: 'Start `lifehook up` and use its context, or give the artifact a Dockerfile.',
  });
}
