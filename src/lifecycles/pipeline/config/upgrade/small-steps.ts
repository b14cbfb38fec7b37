/**
 * The small steps between versions: each renames or moves a few fields. A step takes a pipeline (a configuration, or
 * one of its profiles) and returns it in the next version. All parts keep their positions. Pure.
 */
import type { Located, LocatedMap } from '../../../../model/located-tree.ts';
import {
  changed,
  changedMaps,
  mapAt,
  newList,
  newMap,
  partAt,
  renamed,
  textAt,
  withField,
  withoutField,
} from '../tree-edit.ts';

/** Called for a part that a step drops, since v4 has no equivalent. */
export type Dropped = (path: string, part: Located) => void;

export type PipelineStep = (pipeline: LocatedMap, dropped: Dropped) => LocatedMap;

/** Keyed by version: the step from that version to the next. */
export const SMALL_STEPS: Readonly<Record<string, PipelineStep>> = {
  // kaniko: {buildContext: {localDir: {initImage: x}}} -> kaniko: {initImage: x}
  v2alpha1: (pipeline) => inArtifacts(pipeline, ['kaniko'], unwrapInitImage),
  // kustomize: {path: base} -> kustomize: {paths: [base]}
  v2alpha2: (pipeline, dropped) =>
    inArtifacts(changedMaps(pipeline, ['deploy', 'kustomize'], listPath), ['buildpack'], (one) =>
      drop(one, 'forcePull', dropped),
    ),
  // releases: [{values: {image: web}}] -> releases: [{artifactOverrides: {image: web}}]
  v2beta3: (pipeline) =>
    changedMaps(pipeline, ['deploy', 'helm', 'releases', '*'], (one) =>
      renamed(one, 'values', 'artifactOverrides'),
    ),
  // buildpack: {...} -> buildpacks: {...}; cluster: {pullSecret: f} -> cluster: {pullSecretPath: f}
  v2beta4: (pipeline) =>
    changedMaps(
      inArtifacts(pipeline, [], (one) => renamed(one, 'buildpack', 'buildpacks')),
      ['build', 'cluster'],
      (one) => renamed(one, 'pullSecret', 'pullSecretPath'),
    ),
  // sync: {auto: {}} -> sync: {auto: true}
  v2beta8: (pipeline, dropped) =>
    inArtifacts(
      changed(pipeline, ['build', 'artifacts', '*', 'sync', 'auto'], (auto) =>
        auto.kind === 'map'
          ? { kind: 'scalar', at: auto.at, value: true, text: 'true', plain: true }
          : auto,
      ),
      ['kaniko'],
      (one) => drop(one, 'flags', dropped),
    ),
  // releases: [{chartPath: stable/x, remote: true}] -> releases: [{remoteChart: stable/x}]
  v2beta12: (pipeline) => changedMaps(pipeline, ['deploy', 'helm', 'releases', '*'], remoteChart),
  v2beta16: (pipeline, dropped) =>
    inArtifacts(pipeline, ['docker', 'secret'], (one) => drop(one, 'dst', dropped)),
  // docker: {secret: {id: a}} -> docker: {secrets: [{id: a}]}
  v2beta22: (pipeline) => inArtifacts(pipeline, ['docker'], listSecret),
  v2beta25: (pipeline, dropped) =>
    inArtifacts(pipeline, ['ko'], (one) => drop(one, 'args', dropped)),
  // ko: {platforms: [p]} -> platforms: [p] next to ko; {type: Kind} -> {groupKind: Kind}
  v2beta27: (pipeline) => {
    const typed = ['allow', 'deny'].reduce(
      (one, list) =>
        changedMaps(one, ['resourceSelector', list, '*'], (filter) =>
          renamed(filter, 'type', 'groupKind'),
        ),
      pipeline,
    );
    return inArtifacts(typed, [], liftPlatforms);
  },
  // kubectl: {remoteManifests: [x]} -> manifests: {remoteManifests: [{manifest: x}]}
  v3: liftRemoteManifests,
  v4beta4: (pipeline, dropped) =>
    inArtifacts(pipeline, ['kaniko'], (one) => drop(one, 'noPush', dropped)),
  v4beta7: (pipeline, dropped) =>
    changedMaps(pipeline, ['deploy', 'kpt'], (one) => drop(one, 'false', dropped)),
};

function inArtifacts(
  pipeline: LocatedMap,
  path: readonly string[],
  change: (map: LocatedMap) => LocatedMap,
): LocatedMap {
  return changedMaps(pipeline, ['build', 'artifacts', '*', ...path], change);
}

function drop(map: LocatedMap, name: string, dropped: Dropped): LocatedMap {
  const field = map.fields.get(name);
  if (field === undefined) return map;
  dropped(name, field.value);
  return withoutField(map, name);
}

function unwrapInitImage(kaniko: LocatedMap): LocatedMap {
  const image = mapAt(kaniko, 'buildContext', 'localDir')?.fields.get('initImage');
  const rest = withoutField(kaniko, 'buildContext');
  return image === undefined ? rest : withField(rest, 'initImage', image);
}

function listPath(kustomize: LocatedMap): LocatedMap {
  const path = kustomize.fields.get('path');
  if (path === undefined) return kustomize;
  const { keyAt, value } = path;
  const rest = withoutField(kustomize, 'path');
  return textAt(value) === undefined
    ? rest
    : withField(rest, 'paths', { keyAt, value: newList(value.at, [value]) });
}

function remoteChart(release: LocatedMap): LocatedMap {
  const rest = withoutField(release, 'remote');
  return textAt(release, 'remote') === 'true' ? renamed(rest, 'chartPath', 'remoteChart') : rest;
}

function listSecret(docker: LocatedMap): LocatedMap {
  const secret = docker.fields.get('secret');
  if (secret === undefined) return docker;
  const { keyAt, value } = secret;
  return withField(withoutField(docker, 'secret'), 'secrets', {
    keyAt,
    value: newList(value.at, [value]),
  });
}

function liftPlatforms(artifact: LocatedMap): LocatedMap {
  const ko = artifact.fields.get('ko');
  if (ko?.value.kind !== 'map') return artifact;
  const platforms = ko.value.fields.get('platforms');
  if (platforms === undefined) return artifact;
  const bare = withField(artifact, 'ko', { ...ko, value: withoutField(ko.value, 'platforms') });
  return bare.fields.has('platforms') ? bare : withField(bare, 'platforms', platforms);
}

function liftRemoteManifests(pipeline: LocatedMap): LocatedMap {
  const kubectl = mapAt(pipeline, 'deploy', 'kubectl');
  const remote = kubectl?.fields.get('remoteManifests');
  if (remote?.value.kind !== 'list') return pipeline;
  const context = mapAt(pipeline, 'deploy')?.fields.get('kubeContext');
  const items = remote.value.items.map((manifest) => {
    const map = withField(newMap(manifest.at), 'manifest', { keyAt: manifest.at, value: manifest });
    return context === undefined ? map : withField(map, 'kubeContext', context);
  });
  const rest = changedMaps(pipeline, ['deploy', 'kubectl'], (one) =>
    withoutField(one, 'remoteManifests'),
  );
  const manifests = partAt(rest, 'manifests');
  const home = manifests?.kind === 'map' ? manifests : newMap(remote.keyAt);
  const list = { keyAt: remote.keyAt, value: newList(remote.value.at, items) };
  return withField(rest, 'manifests', {
    keyAt: remote.keyAt,
    value: withField(home, 'remoteManifests', list),
  });
}
