/**
 * Upgrades v2beta29 to v3, where rendering has its own section. Manifests and kustomize move from deploy to manifests.
 * Hooks and flags of kustomize move to kubectl. artifactOverrides of helm becomes templates. Releases of helm stay
 * under deploy with the same meaning. Pure.
 *
 *   deploy: {kubectl: {manifests: [k8s/*]}}  ->  manifests: {rawYaml: [k8s/*]}, deploy: {kubectl: {}}
 */
import type { Located, LocatedField, LocatedMap } from '../../../../model/located-tree.ts';
import {
  changedMaps,
  listAt,
  mapAt,
  newList,
  newMap,
  newText,
  partAt,
  textAt,
  withField,
  withoutField,
} from '../tree-edit.ts';

export function splitRendering(pipeline: LocatedMap): LocatedMap {
  // kpt has other fields in v3. Only the fact that kpt deploys something matters, so its fields are dropped.
  const plain = changedMaps(pipeline, ['deploy', 'kpt'], (kpt) => newMap(kpt.at));
  return changedMaps(
    moveKustomize(moveManifests(plain)),
    ['deploy', 'helm', 'releases', '*'],
    templates,
  );
}

/** Moves the path of a patch as the part at this path moves. */
export function upgradePatchPath(path: string): string {
  return PATCHED.reduce(
    (one, [from, to]) => (one.startsWith(from) ? to + one.slice(from.length) : one),
    path,
  );
}

const PATCHED: readonly (readonly [string, string])[] = [
  ['/deploy/kubectl/manifests', '/manifests/rawYaml'],
  ['/deploy/kustomize/paths', '/manifests/kustomize/paths'],
  ['/deploy/kustomize/buildArgs', '/manifests/kustomize/buildArgs'],
  ['/deploy/kustomize', '/deploy/kubectl'],
];

function moveManifests(pipeline: LocatedMap): LocatedMap {
  const list = mapAt(pipeline, 'deploy', 'kubectl')?.fields.get('manifests');
  if (list === undefined) return pipeline;
  const rest = changedMaps(pipeline, ['deploy', 'kubectl'], (one) =>
    withoutField(one, 'manifests'),
  );
  return inManifests(rest, 'rawYaml', list);
}

function moveKustomize(pipeline: LocatedMap): LocatedMap {
  const deploy = mapAt(pipeline, 'deploy');
  const field = deploy?.fields.get('kustomize');
  if (deploy === undefined || field === undefined) return pipeline;
  const { keyAt } = field;
  const old = field.value.kind === 'map' ? field.value : newMap(keyAt);
  const paths = old.fields.get('paths');
  const here = { keyAt, value: newList(keyAt, [newText(keyAt, '.')]) };
  const given = paths === undefined || listAt(paths.value).length === 0 ? here : paths;
  let kustomize = withField(newMap(old.at), 'paths', given);
  const args = old.fields.get('buildArgs');
  if (args !== undefined) kustomize = withField(kustomize, 'buildArgs', args);
  const rest = withoutField(withoutField(old, 'paths'), 'buildArgs');
  const kubectl = mapAt(deploy, 'kubectl');
  const merged = { keyAt, value: kubectl === undefined ? rest : joined(kubectl, rest) };
  const changedDeploy = withField(withoutField(deploy, 'kustomize'), 'kubectl', merged);
  const moved = changedMaps(pipeline, ['deploy'], () => changedDeploy);
  return inManifests(moved, 'kustomize', { keyAt, value: kustomize });
}

function inManifests(pipeline: LocatedMap, name: string, field: LocatedField): LocatedMap {
  const manifests = partAt(pipeline, 'manifests');
  const home = manifests?.kind === 'map' ? manifests : newMap(field.keyAt);
  return withField(pipeline, 'manifests', {
    keyAt: field.keyAt,
    value: withField(home, name, field),
  });
}

/** Concatenates lists and merges maps. Between two other values, the second one wins. */
function joined(first: Located, second: Located): Located {
  if (first.kind === 'list' && second.kind === 'list') {
    return { ...first, items: [...first.items, ...second.items] };
  }
  if (first.kind !== 'map' || second.kind !== 'map') return second;
  return [...second.fields].reduce<LocatedMap>((map, [name, field]) => {
    const before = map.fields.get(name);
    const value = before === undefined ? field.value : joined(before.value, field.value);
    return withField(map, name, { keyAt: before?.keyAt ?? field.keyAt, value });
  }, first);
}

/** artifactOverrides: {image: a/web} -> setValueTemplates: {image: "{{.IMAGE_FULLY_QUALIFIED_a_web}}"} */
function templates(release: LocatedMap): LocatedMap {
  const overrides = release.fields.get('artifactOverrides');
  const rest = withoutField(withoutField(release, 'artifactOverrides'), 'imageStrategy');
  if (overrides?.value.kind !== 'map') return rest;
  const strategy = partAt(release, 'imageStrategy', 'helm');
  const registry = textAt(strategy, 'explicitRegistry') === 'true';
  const already = mapAt(rest, 'setValueTemplates') ?? newMap(overrides.keyAt);
  const value = leaves(overrides.value, '').reduce(
    (map, { key, part }) =>
      valuesOf(key, part.text, { strategy: strategy !== undefined, registry }).reduce(
        (one, [name, text]) =>
          withField(one, name, { keyAt: part.at, value: newText(part.at, text) }),
        map,
      ),
    already,
  );
  return withField(rest, 'setValueTemplates', { keyAt: overrides.keyAt, value });
}

function valuesOf(
  key: string,
  image: string,
  { strategy, registry }: { strategy: boolean; registry: boolean },
): readonly (readonly [string, string])[] {
  const name = image.replaceAll(/[./:-]/g, '_');
  if (!strategy) return [[key, `{{.IMAGE_FULLY_QUALIFIED_${name}}}`]];
  const tag = [`${key}.tag`, `{{.IMAGE_TAG_${name}}}@{{.IMAGE_DIGEST_${name}}}`] as const;
  if (!registry) return [tag, [`${key}.repository`, `{{.IMAGE_REPO_${name}}}`]];
  return [
    tag,
    [`${key}.registry`, `{{.IMAGE_DOMAIN_${name}}}`],
    [`${key}.repository`, `{{.IMAGE_REPO_NO_DOMAIN_${name}}}`],
  ];
}

/** {a: {b: x}} -> [a.b, x] */
function leaves(part: Located, key: string): { key: string; part: Located & { kind: 'scalar' } }[] {
  if (part.kind === 'scalar') return part.value === null ? [] : [{ key, part }];
  if (part.kind === 'list') return part.items.flatMap((item, at) => leaves(item, `${key}[${at}]`));
  return [...part.fields].flatMap(([name, { value }]) =>
    leaves(value, key === '' ? name : `${key}.${name}`),
  );
}
