/** The command line of a build from a Dockerfile, the same for docker, podman and buildah. Pure. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import { resolveFrom } from '../config/paths.ts';
import { parseImageName } from '../hooks/image-name.ts';
import type { PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/session-values.ts';
import { expandGoTemplate } from './go-template.ts';

export type ContainerProgram = 'docker' | 'podman' | 'buildah';

export interface DockerBuild {
  readonly program: ContainerProgram;
  readonly artifact: Pick<Artifact, 'context' | 'platforms'> & { readonly builder: DockerBuilder };
  /** Absolute path of the context or of its copy: the last argument of the program. */
  readonly folder: string;
  readonly reference: string;
  /** The build arguments, with expanded templates, and including those for required images. */
  readonly buildArgs: Readonly<Record<string, string | null>>;
  /** The file to which the program writes the image's id. */
  readonly idFile: string;
}

/**
 * The command line that builds an image. Worked example: docker build --tag web:v1 --file /p/web/Dockerfile --iidfile
 * /s/id --build-arg A=1 --target t /p/web
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
    // For an argument without value, the program takes the caller's variable of that name.
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

/** The build arguments of a Dockerfile, with expanded templates: for the build and its cache key. */
export type BuildArgs = Readonly<Record<string, string | null>>;

type Dockerfile = Artifact & { readonly builder: DockerBuilder };

interface BuildArgFacts {
  /** Keyed by alias: the references of the required images. */
  readonly required: Readonly<Record<string, string>>;
  /** The reference of the built image; null: not known yet, so its parts are replaced by placeholders. */
  readonly reference: string | null;
}

/**
 * The build arguments of a Dockerfile. The aliases of required images are build arguments too; skaffold.yaml can
 * override them. A null value means the caller's own variable.
 */
export async function buildArgsOf(
  artifact: Dockerfile,
  { required, reference }: BuildArgFacts,
  session: Pick<PipelineSession, 'hooks'>,
): Promise<BuildArgs> {
  const { callerEnv, values, compat } = session.hooks;
  const hooks = hooksTemplateData(values.byHook());
  const data = { ...callerEnv, hooks, ...required, ...partsOf(reference, compat) };
  const expanded: Record<string, string | null> = { ...required };
  for (const [name, value] of Object.entries(artifact.builder.buildArgs)) {
    expanded[name] = value === null ? null : await expand({ name, value }, data, artifact);
  }
  return expanded;
}

/**
 * The parts of an image's name, as variables for templates. Worked example: ghcr.io/acme/web:v1 gives
 * IMAGE_REPO=ghcr.io/acme, IMAGE_NAME=web, IMAGE_TAG=v1. skaffold sets no IMAGE_NAME for an image without a "/", and
 * neither does `--compat`.
 */
function partsOf(reference: string | null, compat: boolean): Record<string, string> {
  if (reference === null) {
    return { IMAGE_REPO: 'IMAGE_REPO', IMAGE_NAME: 'IMAGE_NAME', IMAGE_TAG: 'IMAGE_TAG' };
  }
  const { repo, parent, tag } = parseImageName(reference);
  const name = parent === '' ? repo : repo.slice(parent.length + 1);
  return {
    IMAGE_REPO: parent,
    IMAGE_NAME: compat && parent === '' ? '' : name,
    IMAGE_TAG: tag ?? 'latest',
  };
}

async function expand(
  { name, value }: { readonly name: string; readonly value: string },
  data: Parameters<typeof expandGoTemplate>[1]['data'],
  { image, at }: Dockerfile,
): Promise<string> {
  const result = await expandGoTemplate(value, { data, command: () => Promise.resolve(null) });
  if (result.kind === 'text') return result.text;
  throw new LifehookError({
    code: 'LHL301',
    message: `The build argument ${name} of ${image} cannot be computed: ${result.reason}.`,
    at,
    next: 'Correct the template, or set the variable that it names.',
  });
}
