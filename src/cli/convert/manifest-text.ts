import { stringify } from 'yaml';

import type { JsonObject } from '../../kube/object.ts';

/** YAML as kubectl reads it: a text "yes" keeps its quotes. */
export function manifestText(documents: readonly JsonObject[]): string {
  const options = { schema: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
  return documents.map((one) => stringify(one, options)).join('---\n');
}
