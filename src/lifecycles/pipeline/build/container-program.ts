/**
 * Chooses docker, podman or buildah: the one that `--container-program` names, else the first that works. Runs its
 * commands, for example to find the id of an image.
 */
import { LifehookError } from '../../../model/problem.ts';
import { programFailure, runProgram, type ProgramResult } from '../programs/run-program.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import type { ContainerProgram } from './docker-argv.ts';

/**
 * The programs, in order of preference, each with a command that shows whether it works. Those of docker and podman
 * fail if their daemon or setup is missing.
 */
const CANDIDATES: readonly { readonly program: ContainerProgram; readonly question: string }[] = [
  { program: 'docker', question: 'info' },
  { program: 'podman', question: 'info' },
  { program: 'buildah', question: 'version' },
];

/** The program of the command line, else the first that works. Rejects with LHL305 if there is none. */
export async function containerProgram(session: PipelineSession): Promise<ContainerProgram> {
  const { containerProgram: chosen } = session.options;
  if (chosen !== null) return chosen;
  for (const { program, question } of CANDIDATES) {
    const { outcome } = await runProgram(
      {
        argv: ['sh', '-c', '"$0" "$1" 2>/dev/null', program, question],
        cwd: session.hooks.workDir,
        source: program,
        capture: 'stdout',
        timeoutSeconds: ANSWER_SECONDS,
      },
      session,
    );
    // After a cancellation no answer counts: the next command of the program reports the cancellation.
    if (outcome === 'Succeeded' || session.hooks.signal.aborted) return program;
  }
  throw new LifehookError({
    code: 'LHL305',
    message: 'Neither docker nor podman nor buildah works here, and an image needs one of them.',
    next: 'Start or install one of them, or describe the image as a directory in lifehook.yaml.',
  });
}

const ANSWER_SECONDS = 20;

export interface ImageOf {
  readonly program: ContainerProgram;
  readonly reference: string;
  readonly image: string;
}

export async function imageId(of: ImageOf, session: PipelineSession): Promise<PhaseResult<string>> {
  const { program, reference } = of;
  const format = program === 'buildah' ? '{{.FromImageID}}' : '{{.Id}}';
  const argv = [program, 'inspect', '--type=image', '--format', format, reference];
  const ran = await ask(of, argv, session);
  if (ran.outcome === 'Succeeded')
    return { outcome: 'Succeeded', value: withAlgorithm(ran.stdout) };
  const title = `error LHL304: The build of ${of.image} did not create the image ${reference}`;
  return programFailure(ran, {
    title,
    next: 'correct the build so that it creates the image that $IMAGE names.',
  });
}

/** Adds "sha256:" to an id, since podman omits it. */
export function withAlgorithm(id: string): string {
  const plain = id.trim();
  return plain.includes(':') ? plain : `sha256:${plain}`;
}

export async function ask(
  { image }: ImageOf,
  argv: readonly string[],
  session: PipelineSession,
): Promise<ProgramResult> {
  const { workDir } = session.hooks;
  const source = `build/${image}`;
  return runProgram({ argv, cwd: workDir, source, capture: 'stdout' }, session);
}
