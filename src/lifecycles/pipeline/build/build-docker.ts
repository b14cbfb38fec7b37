/** An image from a Dockerfile: never built by us, always by docker, podman or buildah. */
import { LifehookError } from '../../../model/problem.ts';
import type { DockerBuilder } from '../config/model.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/template-values.ts';
import type { BuildRequest, BuildResult } from './builders.ts';
import { containerProgram, deliver, withAlgorithm } from './container-program.ts';
import { dockerArgv } from './docker-argv.ts';
import { expandGoTemplate } from './go-template.ts';

type DockerRequest = BuildRequest<DockerBuilder>;

export async function buildFromDockerfile(
  request: DockerRequest,
  session: PipelineSession,
): Promise<BuildResult> {
  const { artifact, reference, push } = request;
  const { image, context, builder } = artifact;
  const { files } = session.platform;
  const { scratchFolder } = session.hooks;
  const program = await containerProgram(session);
  const buildArgs = await buildArgsOf(request, session);
  const idFile = `${scratchFolder}/${encodeURIComponent(reference)}.id`;
  await files.makeFolder(scratchFolder, PRIVATE);
  try {
    const argv = dockerArgv({ program, artifact, builder, reference, buildArgs, idFile });
    const ran = await runProgram({ argv, cwd: context, source: `build/${image}` }, session);
    if (ran.outcome !== 'Succeeded') {
      const title = `error LHL304: The build of ${image} failed`;
      return programFailure(ran, { title, next: `correct ${builder.dockerfile} in ${context}.` });
    }
    const id = withAlgorithm(await files.read(idFile));
    return await deliver({ program, reference, image, id, push }, session);
  } finally {
    await files.remove(idFile);
  }
}

const PRIVATE = 0o700;

/** What an image requires is told by its alias; what the file says wins. */
async function buildArgsOf(
  { artifact, required }: DockerRequest,
  session: PipelineSession,
): Promise<Record<string, string | null>> {
  const { callerEnv, values } = session.hooks;
  const data = { ...callerEnv, hooks: hooksTemplateData(values.byHook()), ...required };
  const expanded: Record<string, string | null> = { ...required };
  for (const [name, value] of Object.entries(artifact.builder.buildArgs)) {
    expanded[name] = value === null ? null : await expand({ name, value }, data, artifact);
  }
  return expanded;
}

async function expand(
  { name, value }: { readonly name: string; readonly value: string },
  data: Parameters<typeof expandGoTemplate>[1]['data'],
  { image, at }: DockerRequest['artifact'],
): Promise<string> {
  const result = await expandGoTemplate(value, { data, command: () => Promise.resolve(null) });
  if (result.kind === 'text') return result.text;
  throw new LifehookError({
    code: 'LHL301',
    severity: 'error',
    message: `The build argument ${name} of ${image} can't be made: ${result.reason}.`,
    at,
    next: 'Correct the template, or set what it names.',
  });
}
