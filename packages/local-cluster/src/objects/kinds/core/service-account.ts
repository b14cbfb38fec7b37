/** Accounts are names here: whoever has the cluster's token may do everything. */
import { AGE, NAME } from '../columns.ts';
import type { KindSpec } from '../kind-spec.ts';

export const serviceAccount: KindSpec = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  columns: [NAME, AGE],
};
