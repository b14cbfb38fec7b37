/**
 * Implements `--module` and `--platform`: selects the named modules with their requirements, and the platforms of
 * images. Pure.
 */
import type { Problem } from '../../../model/problem.ts';
import { didYouMean, errorOf } from './config-problem.ts';
import type { Artifact, ModuleConfig } from './model.ts';

export interface Gathered {
  readonly modules: readonly ModuleConfig[];
  readonly keys: readonly string[];
  /** For each module's key: the keys of its direct requirements. */
  readonly requires: ReadonlyMap<string, readonly string[]>;
}

/**
 * Selects the named modules and their requirements. Worked example: app requires db, and web requires nothing. The name
 * "app" then selects [db, app] from [db, web, app]. Without names, all modules are selected.
 */
export function chooseModules(
  { modules, keys, requires }: Gathered,
  names: readonly string[],
): { readonly modules: readonly ModuleConfig[]; readonly problems: readonly Problem[] } {
  if (names.length === 0) return { modules, problems: [] };
  const known = modules.flatMap(({ name }) => name ?? []);
  const problems = names
    .filter((name) => !known.includes(name))
    .map((name) =>
      errorOf('LHL130', {
        at: { file: modules.at(-1)?.file ?? '', line: 1, column: 1 },
        message: `There is no module "${name}".`,
        next: didYouMean(name, known),
      }),
    );
  const asked = keys.filter((_, index) => names.includes(modules[index]?.name ?? ''));
  const chosen = withRequired(asked, requires);
  return { modules: modules.filter((_, index) => chosen.has(keys[index] ?? '')), problems };
}

function withRequired(
  asked: readonly string[],
  requires: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const chosen = new Set<string>();
  const waiting = [...asked];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (chosen.has(key)) continue;
    chosen.add(key);
    waiting.push(...(requires.get(key) ?? []));
  }
  return chosen;
}

export interface ChosenPlatforms {
  readonly modules: readonly ModuleConfig[];
  readonly problems: readonly Problem[];
}

/**
 * Applies the platforms of the command line to the images. Without such platforms, those of the files stay. An image
 * that has its own platforms is built for the intersection. Pure.
 */
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
    const message = `--platform asks for ${asked}, but ${image} is a directory, which has no platform.`;
    return [errorOf('LHL137', { at, message, next: 'Leave --platform out.' })];
  }
  if (chosen.length > 0) return [];
  const message = `--platform asks for ${asked}, but ${image} is built only for ${own.join(', ')}.`;
  return [errorOf('LHL137', { at, message, next: 'Name one of these platforms.' })];
}
