/**
 * Generates files of deploy/ from the output of `lifehook install`: the single rendered file, the resources of the
 * kustomize base and overlays, and the Helm chart. Each kustomization.yaml is written by hand.
 */
import { installObjects } from '../src/cli/install/install-objects.ts';
import { yamlDocuments } from '../src/model/yaml-text.ts';
import type { KubeObject } from '../src/kube/object.ts';
import { chartFiles } from './chart/chart-files.ts';
import type { GeneratedFile } from './crd-files.ts';
import { clusterWide, namespaced } from './install-options.ts';

const HEAD = `# Generated: npx tsx scripts/generate-install.ts\n`;

const CLUSTER_ROLES = ['ClusterRole', 'ClusterRoleBinding'];

export function installFiles(): readonly GeneratedFile[] {
  const all = installObjects(clusterWide);
  const ofOne = installObjects(namespaced);
  const only = (objects: readonly KubeObject[], ...kinds: readonly string[]): KubeObject[] =>
    objects.filter(({ kind = '' }) => kinds.includes(kind));
  return [
    file('install.yaml', all),
    file(
      'base/controller.yaml',
      all.filter(({ metadata }) => metadata?.namespace !== undefined),
    ),
    file('overlays/cluster-wide/cluster.yaml', only(all, 'Namespace', ...CLUSTER_ROLES)),
    file('overlays/namespaced/cluster.yaml', only(ofOne, ...CLUSTER_ROLES)),
    // Replaces the role of the base.
    file('overlays/namespaced/role.yaml', only(ofOne, 'Role')),
    ...chartFiles(),
  ];
}

function file(path: string, objects: readonly KubeObject[]): GeneratedFile {
  return { path: `deploy/${path}`, text: HEAD + yamlDocuments(objects, { singleQuote: true }) };
}
