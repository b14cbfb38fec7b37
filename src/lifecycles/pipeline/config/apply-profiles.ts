/** Merges and patches a configuration with its active profiles, one after the other. Pure. */
import type { Located, LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { checkTree } from './check-tree.ts';
import { errorOf } from './config-problem.ts';
import { ONE_OF } from './field-table.ts';
import { applyPatch } from './json-patch.ts';
import { listAt, textAt, withField, withoutField } from './tree-edit.ts';

export function applyProfiles(
  tree: LocatedMap,
  names: readonly string[],
): { readonly tree: LocatedMap; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const profiles = listAt(tree, 'profiles').filter((one) => one.kind === 'map');
  const merged = names.reduce((one, name) => {
    const profile = profiles.find((candidate) => textAt(candidate, 'name') === name);
    if (profile === undefined) return one;
    return listAt(profile, 'patches').reduce<LocatedMap>(
      (patched, patch) => {
        const result = applyPatch(patched, patch);
        if (result.kind === 'patched') return result.tree;
        const path = textAt(patch, 'path') ?? '';
        const message = `The patch of ${path} in profile "${name}" cannot be applied: ${result.reason}.`;
        problems.push(
          errorOf('LHL121', { at: patch.at, message, next: 'Correct its path or its op.' }),
        );
        return patched;
      },
      mergeProfile(one, profile),
    );
  }, tree);
  // Check again, since a patch can write values that the schema refuses.
  return { tree: merged, problems: [...problems, ...(names.length > 0 ? checkTree(merged) : [])] };
}

const SECTIONS = [
  'build',
  'deploy',
  'manifests',
  'test',
  'portForward',
  'verify',
  'customActions',
  'resourceSelector',
];

/** Sections, and parts of them, that are merged instead of replaced. */
const MERGED = new Set([
  'build',
  'build.hooks',
  'deploy',
  'deploy.logs',
  'deploy.logs.jsonParse',
  'manifests',
  'manifests.hooks',
  'resourceSelector',
]);

/** Fields for which false differs from absence. */
const SAYS_FALSE = new Set(['deploy.statusCheck']);

const PLACES: readonly string[] = ONE_OF['BuildConfig'] ?? [];

/**
 * Merges a profile over a configuration, as in skaffold. Sections are merged field by field; a list or any other value
 * of the profile replaces the earlier value. If fields exclude each other (where builds run, tag policies), the
 * profile's choice replaces the earlier choice. An empty list or text, null, 0, and false except for deploy.statusCheck
 * change nothing. Pure.
 *
 *   build: {artifacts: [a], local: {push: false}} + build: {cluster: {}} = build: {artifacts: [a], cluster: {}}
 */
function mergeProfile(config: LocatedMap, profile: LocatedMap): LocatedMap {
  const sections = [...profile.fields].filter(([name]) => SECTIONS.includes(name));
  return overlay(config, { ...profile, fields: new Map(sections) }, '');
}

function overlay(config: LocatedMap, profile: LocatedMap, path: string): LocatedMap {
  return [...profile.fields].reduce((map, [name, field]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (saysNothing(field.value, here)) return map;
    const before = map.fields.get(name)?.value;
    const both = before?.kind === 'map' && field.value.kind === 'map' && MERGED.has(here);
    const value = both ? overlay(before, field.value, here) : field.value;
    const base = path === 'build' && PLACES.includes(name) ? PLACES.reduce(withoutField, map) : map;
    return withField(base, name, { ...field, value });
  }, config);
}

function saysNothing(value: Located, path: string): boolean {
  if (value.kind === 'list') return value.items.length === 0;
  if (value.kind === 'map') return false;
  if (value.value === false) return !SAYS_FALSE.has(path);
  return value.value === null || value.value === '' || value.value === 0;
}
