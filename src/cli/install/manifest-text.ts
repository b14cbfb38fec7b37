import { stringify } from 'yaml';

import type { KubeObject } from '../../kube/object.ts';

/** No line is folded, and nothing is named to be repeated: what a diff shows is what has changed. */
const TEXT = { lineWidth: 0, aliasDuplicateObjects: false, singleQuote: true };

/** YAML, as `kubectl apply` reads it. */
export function manifestText(objects: readonly KubeObject[]): string {
  return objects.map((object) => stringify(object, TEXT)).join('---\n');
}
