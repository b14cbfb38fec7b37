/** The build arguments of a Dockerfile with their templates expanded: for the build and its cache key. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import { parseImageName } from '../hooks/image-name.ts';
import type { PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/session-values.ts';
import { expandGoTemplate } from './go-template.ts';

export type BuildArgs = Readonly<Record<string, string | null>>;

type Dockerfile = Artifact & { readonly builder: DockerBuilder };

export interface BuildArgFacts {
  /** By alias: the references of the required images. */
  readonly required: Readonly<Record<string, string>>;
  /** The reference of the built image; null: not known yet, so its parts are replaced by placeholders. */
  readonly reference: string | null;
}

/** The aliases of required images are build arguments; the file overrides them. null: the caller's own value. */
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
 * Worked example: ghcr.io/acme/web:v1 is IMAGE_REPO=ghcr.io/acme, IMAGE_NAME=web, IMAGE_TAG=v1. skaffold sets no
 * IMAGE_NAME for an image without a "/", and neither does `--compat`.
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
    severity: 'error',
    message: `The build argument ${name} of ${image} cannot be computed: ${result.reason}.`,
    at,
    next: 'Correct the template, or set the variable that it names.',
  });
}
