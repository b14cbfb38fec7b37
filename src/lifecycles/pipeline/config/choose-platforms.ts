/** The platforms of the command line, for each image as far as it may be built for them. Pure. */
import type { Problem } from '../../../model/problem.ts';
import { errorOf } from './config-problem.ts';
import type { Artifact, ModuleConfig } from './model.ts';

export interface ChosenPlatforms {
  readonly modules: readonly ModuleConfig[];
  readonly problems: readonly Problem[];
}

/** `platforms`: empty means as the files say. An image that names some itself is built for those of both. */
export function choosePlatforms(
  modules: readonly ModuleConfig[],
  platforms: readonly string[],
): ChosenPlatforms {
  if (platforms.length === 0) return { modules, problems: [] };
  const chosen = (one: Artifact): readonly string[] =>
    one.platforms.length === 0
      ? platforms
      : one.platforms.filter((platform) => platforms.includes(platform));
  return {
    problems: modules.flatMap(({ build }) =>
      build.artifacts.flatMap((one) => problemOf(one, { platforms, chosen: chosen(one) })),
    ),
    modules: modules.map((module) => {
      const artifacts = module.build.artifacts.map((one) => ({ ...one, platforms: chosen(one) }));
      return { ...module, build: { ...module.build, artifacts } };
    }),
  };
}

function problemOf(
  { image, at, builder, platforms: own }: Artifact,
  { platforms, chosen }: Record<'platforms' | 'chosen', readonly string[]>,
): readonly Problem[] {
  const asked = platforms.join(', ');
  if (builder.kind === 'folder') {
    const message = `--platform asks for ${asked}, and ${image} is a folder, which has no platform.`;
    return [errorOf('LHL137', { at, message, next: 'Leave --platform out.' })];
  }
  if (chosen.length > 0) return [];
  const message = `--platform asks for ${asked}, and ${image} is built for ${own.join(', ')} alone.`;
  return [errorOf('LHL137', { at, message, next: 'Name one of these platforms.' })];
}
