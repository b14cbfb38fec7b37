/** An image from a Dockerfile: never built by us, always by docker, podman or buildah. */
import type { DockerBuilder } from '../config/model.ts';
import { programFailure, runProgram } from '../programs/run-program.ts';
import type { PipelineSession } from '../session.ts';
import { buildArgsOf } from './build-args.ts';
import { dockerContext, inBuildContext } from './build-context.ts';
import type { BuildRequest, BuildResult } from './builders.ts';
import { containerProgram, withAlgorithm } from './container-program.ts';
import { deliver } from './deliver.ts';
import { dockerArgv } from './docker-argv.ts';

type DockerRequest = BuildRequest<DockerBuilder>;

export async function buildFromDockerfile(
  request: DockerRequest,
  session: PipelineSession,
): Promise<BuildResult> {
  const { artifact, reference, push, required } = request;
  const { image, context, builder } = artifact;
  const { files } = session.platform;
  const { scratchFolder } = session.hooks;
  const program = await containerProgram(session);
  const buildArgs = await buildArgsOf(artifact, { required, reference }, session);
  const idFile = `${scratchFolder}/${encodeURIComponent(reference)}.id`;
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
