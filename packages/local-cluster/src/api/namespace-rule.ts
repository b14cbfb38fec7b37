/** Nothing is created in a namespace that does not exist, or that is going. */
import { textAt } from '../../../../src/kube/fields.ts';
import type { ApiContext } from './context.ts';
import { forbidden, type Named, notFound } from './status.ts';

export function requireNamespace(
  { store }: Pick<ApiContext, 'store'>,
  namespace: string,
  what: Named & { readonly name: string },
): void {
  const found = store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
  if (textAt(found.object, 'status', 'phase') !== 'Terminating') return;
  throw forbidden(what, what.name, {
    why: `unable to create new content in namespace ${namespace} because it is being terminated`,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
