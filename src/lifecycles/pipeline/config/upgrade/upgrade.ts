/**
 * Upgrades a document of any supported version to the newest one, version by version. The profiles and their patches
 * are upgraded too. Fields that no longer exist are reported, since they have no effect. Pure.
 */
import type { Located, LocatedMap } from '../../../../model/located-tree.ts';
import type { Problem } from '../../../../model/problem.ts';
import { didYouMean, errorOf, warningOf } from '../config-problem.ts';
import type { UnusedField } from '../model.ts';
import { changed, changedMaps, newText, textAt, withField } from '../tree-edit.ts';
import { splitRendering, upgradePatchPath } from './render-step.ts';
import { type PipelineStep, SMALL_STEPS } from './small-steps.ts';

export type Upgraded =
  | {
      readonly kind: 'upgraded';
      readonly tree: LocatedMap;
      readonly apiVersion: string;
      readonly unused: readonly UnusedField[];
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

const DROPPED = 'newer versions of the file have no such field';
const LAST_OF_V2 = 'v2beta29';
const STEPS: Readonly<Record<string, PipelineStep>> = {
  ...SMALL_STEPS,
  [LAST_OF_V2]: splitRendering,
};

export function upgrade(tree: Located): Upgraded {
  if (tree.kind !== 'map') {
    const message = 'A pipeline is a map with apiVersion and kind.';
    return refuse(tree.at, message, `Begin with \`apiVersion: ${NEWEST}\`.`);
  }
  const apiVersion = textAt(tree, 'apiVersion') ?? '';
  const at = tree.fields.get('apiVersion')?.value.at ?? tree.at;
  const version = readVersion(apiVersion);
  if (version.kind === 'older') {
    const message = `${apiVersion} is older than skaffold/v1, the oldest version that is read.`;
    return refuse(
      at,
      message,
      'Run `skaffold fix --overwrite` once: it upgrades the file to a newer version.',
    );
  }
  if (version.kind === 'unknown') {
    const message = `"apiVersion" must be one from skaffold/v1 to ${NEWEST}; received ${JSON.stringify(apiVersion)}.`;
    return refuse(
      at,
      message,
      didYouMean(apiVersion, VERSIONS.map((name) => `skaffold/${name}`).slice(-6)),
    );
  }
  if (textAt(tree, 'kind') !== 'Config') return refuseKind(tree);
  const unused: UnusedField[] = [];
  const lifted = lift(tree, version.rank, (path, part) =>
    unused.push({ path, at: part.at, reason: DROPPED }),
  );
  const message = `${apiVersion} is newer than ${NEWEST}: the file is read as ${NEWEST}.`;
  const next = 'Remove fields that only the newer version has: they are refused.';
  const warnings = version.kind === 'newer' ? [warningOf('LHL108', { at, message, next })] : [];
  return { kind: 'upgraded', tree: lifted, apiVersion, unused, warnings };
}

function refuseKind(tree: LocatedMap): Upgraded {
  const kind = textAt(tree, 'kind');
  const message = `"kind" must be Config; received ${kind === undefined ? 'nothing' : JSON.stringify(kind)}.`;
  return refuse(tree.fields.get('kind')?.value.at ?? tree.at, message, 'Write `kind: Config`.');
}

function refuse(at: Problem['at'] & object, message: string, next: string): Upgraded {
  return { kind: 'refused', problem: errorOf('LHL101', { at, message, next }) };
}

function lift(
  tree: LocatedMap,
  rank: number,
  dropped: (path: string, part: Located) => void,
): LocatedMap {
  return VERSIONS.slice(rank).reduce((one, name) => {
    const step = STEPS[name];
    if (step === undefined) return one;
    const whole = changedMaps(step(one, dropped), ['profiles', '*'], (profile) =>
      step(profile, dropped),
    );
    return name === LAST_OF_V2 ? upgradePatches(whole) : whole;
  }, tree);
}

function upgradePatches(tree: LocatedMap): LocatedMap {
  return changedMaps(tree, ['profiles', '*', 'patches', '*'], (patch) =>
    ['path', 'from'].reduce(
      (one, name) =>
        changed(one, [name], (part) =>
          part.kind === 'scalar' ? newText(part.at, upgradePatchPath(part.text)) : part,
        ),
      overridePatch(patch),
    ),
  );
}

/**
 * Upgrades a patch of artifactOverrides: the path .../releases/0/artifactOverrides/image becomes
 * .../releases/0/setValueTemplates/image, and the value a/web becomes {{.IMAGE_FULLY_QUALIFIED_a_web}}.
 */
function overridePatch(patch: LocatedMap): LocatedMap {
  const path = patch.fields.get('path');
  const value = patch.fields.get('value');
  const found = /^(\/deploy\/helm\/releases\/[^/]+)\/artifactOverrides\/(.+)$/.exec(
    textAt(patch, 'path') ?? '',
  );
  const image = textAt(patch, 'value');
  if (found === null || path === undefined || value === undefined || image === undefined)
    return patch;
  const text = `{{.IMAGE_FULLY_QUALIFIED_${image.replaceAll(/[./:-]/g, '_')}}}`;
  const moved = newText(path.value.at, `${found[1] ?? ''}/setValueTemplates/${found[2] ?? ''}`);
  const valued = withField(patch, 'value', { ...value, value: newText(value.value.at, text) });
  return withField(valued, 'path', { ...path, value: moved });
}

const SERIES: readonly (readonly [string, number, number])[] = [
  ['v1', 0, 0],
  ['v2alpha', 1, 4],
  ['v2beta', 1, 29],
  ['v3alpha', 1, 1],
  ['v3', 0, 0],
  ['v4beta', 1, 14],
];

/** The supported versions, oldest first. */
export const VERSIONS: readonly string[] = SERIES.flatMap(([name, first, last]) =>
  last === 0
    ? [name]
    : Array.from({ length: last - first + 1 }, (_, index) => `${name}${first + index}`),
);

const PREFIX = 'skaffold/';

export type ReadVersion =
  | { readonly kind: 'known'; readonly rank: number }
  /** Newer than our table of fields, so it is read as the newest known version. */
  | { readonly kind: 'newer'; readonly rank: number }
  /** Older than v1: the user must upgrade it by `skaffold fix`. */
  | { readonly kind: 'older' }
  | { readonly kind: 'unknown' };

function readVersion(apiVersion: string): ReadVersion {
  const name = apiVersion.startsWith(PREFIX) ? apiVersion.slice(PREFIX.length) : '';
  const rank = VERSIONS.indexOf(name);
  if (rank >= 0) return { kind: 'known', rank };
  if (/^v4(beta\d{1,4})?$/.test(name)) return { kind: 'newer', rank: VERSIONS.length - 1 };
  return { kind: /^v1(alpha|beta)\d{1,4}$/.test(name) ? 'older' : 'unknown' };
}

export const NEWEST: string = `${PREFIX}${VERSIONS.at(-1) ?? ''}`;
