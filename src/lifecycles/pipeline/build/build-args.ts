/** The build arguments of a Dockerfile with their templates expanded: a build is given them, and its cache key holds them. */
import { LifehookError } from '../../../model/problem.ts';
import type { Artifact, DockerBuilder } from '../config/model.ts';
import type { PipelineSession } from '../session.ts';
import { hooksTemplateData } from '../values/template-values.ts';
import { expandGoTemplate } from './go-template.ts';

export type BuildArgs = Readonly<Record<string, string | null>>;

type Dockerfile = Artifact & { readonly builder: DockerBuilder };

/** What an image requires is told by its alias (`required`); what the file says wins. null: the caller's own value. */
export async function buildArgsOf(
  artifact: Dockerfile,
  required: Readonly<Record<string, string>>,
  session: Pick<PipelineSession, 'hooks'>,
): Promise<BuildArgs> {
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
  { image, at }: Dockerfile,
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
