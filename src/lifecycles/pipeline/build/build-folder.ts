/** An image that is a folder, for the local cluster: nothing else is needed to make it. */
import { LifehookError } from '../../../model/problem.ts';
import type { FolderBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import type { ImagePort, PipelineSession } from '../session.ts';
import { inBuildContext } from './build-context.ts';
import type { BuildRequest, BuildResult } from './builders.ts';
import { readDockerIgnore } from './docker-ignore.ts';

type FolderRequest = BuildRequest<FolderBuilder>;

export async function buildFolder(
  request: FolderRequest,
  session: PipelineSession,
): Promise<BuildResult> {
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
    severity: 'error',
    message: `The folder of ${artifact.image} cannot be read as a whole.`,
    at: artifact.at,
    next: advice,
  });
}

function noCluster({ artifact }: FolderRequest): LifehookError {
  return new LifehookError({
    code: 'LHL305',
    severity: 'error',
    message: `${artifact.image} is a folder, which only the local cluster takes as an image.`,
    at: artifact.at,
    next: 'Start `lifehook up` and use its context, or give the artifact a Dockerfile.',
  });
}
