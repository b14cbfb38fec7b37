/** Lists the groups, versions and subresources that discovery reports, from the definitions registered now. */
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { ResourceRegistry } from '../registry.ts';

export interface ServedSubresource {
  readonly name: string;
  /** Group of the object that is read and written through the subresource. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

export interface ServedGroup {
  readonly name: string;
  /** Names of the served versions, the preferred one first. */
  readonly versions: readonly string[];
}

/** All groups but the core group, in the order in which their first definition was registered. */
export function servedGroups(registry: ResourceRegistry): readonly ServedGroup[] {
  const versions = new Map<string, Set<string>>();
  for (const { group, version } of registry.all()) {
    if (group === '') continue;
    const known = versions.get(group);
    if (known === undefined) versions.set(group, new Set([version]));
    else known.add(version);
  }
  return [...versions].map(([name, found]) => ({
    name,
    versions: [...found].toSorted(byPriority),
  }));
}

export function versionsOf(registry: ResourceRegistry, group: string): readonly string[] {
  const versions = new Set(
    registry
      .all()
      .filter((definition) => definition.group === group)
      .map(({ version }) => version),
  );
  return [...versions].toSorted(byPriority);
}

export function resourcesOf(
  registry: ResourceRegistry,
  group: string,
  version: string,
): readonly ResourceDefinition[] {
  return registry
    .all()
    .filter((definition) => definition.group === group && definition.version === version)
    .toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
}

export function subresourcesOf(definition: ResourceDefinition): readonly ServedSubresource[] {
  const { group, version, kind, subresources, storageName, resize } = definition;
  const change = ['get', 'patch', 'update'];
  return [
    ...(resize === undefined ? [] : [{ name: 'resize', group, version, kind, verbs: change }]),
    ...(subresources.status ? [{ name: 'status', group, version, kind, verbs: change }] : []),
    ...(subresources.scale === null
      ? []
      : [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: change }]),
    ...(OWN[storageName] ?? []),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const core = { group: '', version: 'v1' };
const stream = ['create', 'get'];

const OWN: Readonly<Record<string, readonly ServedSubresource[]>> = {
  namespaces: [{ ...core, name: 'finalize', kind: 'Namespace', verbs: ['update'] }],
  pods: [
    { ...core, name: 'attach', kind: 'PodAttachOptions', verbs: stream },
    { ...core, name: 'binding', kind: 'Binding', verbs: ['create'] },
    { name: 'eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
    { ...core, name: 'exec', kind: 'PodExecOptions', verbs: stream },
    { ...core, name: 'log', kind: 'Pod', verbs: ['get'] },
    { ...core, name: 'portforward', kind: 'PodPortForwardOptions', verbs: stream },
  ],
  serviceaccounts: [
    {
      name: 'token',
      group: 'authentication.k8s.io',
      version: 'v1',
      kind: 'TokenRequest',
      verbs: ['create'],
    },
  ],
};

/** Orders versions as clients prefer them: v2, v1, v2beta1, v1beta2, v1alpha1, then other names alphabetically. */
function byPriority(a: string, b: string): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  for (const [index, rank] of left.entries()) {
    const difference = (right[index] ?? 0) - rank;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : 1;
}

const STAGES: Readonly<Record<string, number>> = { '': 3, beta: 2, alpha: 1 };

function rankOf(version: string): readonly number[] {
  const [, major, stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? [0, 0, 0] : [STAGES[stage] ?? 0, Number(major), Number(minor)];
}

/** The Kubernetes release whose behaviour we follow. The build data are those of Lifehook. */
export const VERSION_INFO: Readonly<Record<string, string>> & { readonly gitVersion: string } = {
  major: '1',
  minor: '37',
  emulationMajor: '1',
  emulationMinor: '37',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '36',
  gitVersion: 'v1.37.2',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'lifehook',
  platform: 'linux/amd64',
};
