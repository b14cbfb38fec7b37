/** The command line of a build from a Dockerfile, the same for docker, podman and buildah. Pure. */
import type { Artifact, DockerBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';

export type ContainerProgram = 'docker' | 'podman' | 'buildah';

export interface DockerBuild {
  readonly program: ContainerProgram;
  readonly artifact: Pick<Artifact, 'context' | 'platforms'> & { readonly builder: DockerBuilder };
  /** The context or a copy of it, absolute: the argument of the program. */
  readonly folder: string;
  readonly reference: string;
  /** Templates are expanded; the arguments of required images are included. */
  readonly buildArgs: Readonly<Record<string, string | null>>;
  /** The file to which the program writes the image's id. */
  readonly idFile: string;
}

/**
 * Worked example: docker build --tag web:v1 --file /p/web/Dockerfile --iidfile /s/id --build-arg A=1 --target t /p/web
 */
export function dockerArgv(build: DockerBuild): string[] {
  const { program, artifact, folder, reference, buildArgs, idFile } = build;
  const { context, platforms, builder } = artifact;
  const file = resolveFrom(context, builder.dockerfile);
  return [
    program,
    'build',
    '--tag',
    reference,
    '--file',
    file.startsWith(`${context}/`) ? `${folder}${file.slice(context.length)}` : file,
    '--iidfile',
    idFile,
    // An argument without value is the caller's variable of that name.
    ...flags(
      '--build-arg',
      Object.entries(buildArgs).map(([name, value]) =>
        value === null ? name : `${name}=${value}`,
      ),
    ),
    ...flags('--target', builder.target),
    ...flags('--network', builder.network),
    ...flags('--add-host', builder.addHost),
    ...flags('--cache-from', builder.cacheFrom),
    ...flags('--ssh', builder.ssh),
    ...flags(
      '--secret',
      builder.secrets.map((one) => secretFlag(one, context)),
    ),
    ...flags('--platform', platforms.length === 0 ? undefined : platforms.join(',')),
    ...(builder.noCache ? ['--no-cache'] : []),
    ...(builder.pullParent ? ['--pull'] : []),
    ...(builder.squash ? ['--squash'] : []),
    ...builder.cliFlags,
    folder,
  ];
}

function flags(name: string, values: string | readonly string[] | undefined): string[] {
  const all = typeof values === 'string' ? [values] : (values ?? []);
  return all.flatMap((value) => [name, value]);
}

function secretFlag({ id, src, env }: DockerBuilder['secrets'][number], context: string): string {
  const from = src === undefined ? '' : `,src=${resolveFrom(context, src)}`;
  return `id=${id}${from}${env === undefined ? '' : `,env=${env}`}`;
}
