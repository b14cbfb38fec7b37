/** An image that is a folder, for the local cluster: nothing else is needed to make it. */
import { LifehookError } from '../../../model/problem.ts';
import type { FolderBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { ImagePort, PhaseResult, PipelineSession } from '../session.ts';
import { artifactFiles } from './artifact-files.ts';
import type { BuildRequest, BuildResult } from './builders.ts';

type FolderRequest = BuildRequest<FolderBuilder>;

export async function buildFolder(
  request: FolderRequest,
  session: PipelineSession,
): Promise<BuildResult> {
  const { artifact, reference } = request;
  const { builder, context } = artifact;
  const images = session.target?.images ?? null;
  if (images === null) throw noCluster(request);
  const from = resolveFrom(context, builder.path);
  if (builder.ignore.length === 0) return importFolder({ from, request, images });
  const { files } = session.platform;
  const copy = `${session.hooks.scratchFolder}/${encodeURIComponent(reference)}`;
  await files.makeFolder(copy, PRIVATE);
  try {
    const copied = await copyFolder({ from, to: copy }, request, session);
    return copied.outcome === 'Succeeded'
      ? await importFolder({ from: copy, request, images })
      : copied;
  } finally {
    await files.remove(copy);
  }
}

const PRIVATE = 0o700;

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

/** What is not ignored, with modes and links, by the machine's own tar. */
async function copyFolder(
  { from, to }: { readonly from: string; readonly to: string },
  { artifact }: FolderRequest,
  session: PipelineSession,
): Promise<PhaseResult<null>> {
  const hooks = { before: [], after: [], onError: [], finally: [] };
  const names = await artifactFiles({ ...artifact, hooks }, session);
  const script = 'tar -C "$1" -cf - --null -T - | tar -C "$2" -xf -';
  const ran = await runProgram(
    {
      argv: ['sh', '-c', script, 'sh', from, to],
      cwd: from,
      stdin: names.map((name) => `${name.slice(from.length + 1)}\0`).join(''),
      source: `build/${artifact.image}`,
    },
    session,
  );
  if (ran.outcome === 'Succeeded') return { outcome: 'Succeeded', value: null };
  const title = `error LHL304: The folder of ${artifact.image} could not be copied`;
  return programFailure(ran, { title, next: 'see that tar is on PATH, and that there is space.' });
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
