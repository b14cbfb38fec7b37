/** Where a webhook's service is: the address that the cluster gave it. */
import { numberAt, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { WebhookClient } from './webhook.ts';

export type ServiceTarget =
  | { readonly kind: 'found'; readonly host: string; readonly port: number }
  | { readonly kind: 'unreachable'; readonly why: string };

export function serviceTarget(
  store: ObjectStore,
  { namespace, name, port }: WebhookClient['service'],
): ServiceTarget {
  const found = store.get({ resource: 'services', namespace, name });
  if (found === undefined) return unreachable(`service "${name}" not found`);
  const service = found.object;
  if (textAt(service, 'spec', 'type') === 'ExternalName') {
    return { kind: 'found', host: textAt(service, 'spec', 'externalName'), port };
  }
  const address = textAt(service, 'spec', 'clusterIP');
  if (address === '' || address === 'None') {
    return unreachable('cannot route to service with ClusterIP "None"');
  }
  const served = objectsAt(service, 'spec', 'ports').some((one) => numberAt(one, 'port') === port);
  if (!served) return unreachable(`no service port ${port} found for service "${name}"`);
  return { kind: 'found', host: address, port };
}

function unreachable(why: string): ServiceTarget {
  return { kind: 'unreachable', why };
}
