import type { KubeObject } from '../../../kube/object.ts';
import { loadYaml } from '../../../model/load-yaml.ts';

/**
 * Objects as YAML documents. What older readers would take for something else (yes, 0644 as texts) is quoted, so
 * that kubectl and every hook read what we mean.
 */
export async function writeManifests(objects: readonly KubeObject[]): Promise<string> {
  const { stringify } = await loadYaml();
  return objects
    .map((one) =>
      stringify(one, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false }),
    )
    .join('---\n');
}
