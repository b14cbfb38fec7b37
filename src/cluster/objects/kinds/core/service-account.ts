/** Accounts are names here: whoever has the cluster's token may do everything. */
import { AGE, NAME, text } from '../columns.ts';
import { objectsAt } from '../fields.ts';
import type { KindSpec } from '../kind-spec.ts';

export const serviceAccount: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  columns: [NAME, text('Secrets', (object) => objectsAt(object, 'secrets').length), AGE],
};
