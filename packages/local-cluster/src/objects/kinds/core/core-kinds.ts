/** The core group but pods: configuration, addresses, events, and what the cluster itself consists of. */
import type { KindSpec } from '../kind-spec.ts';
import { configMap } from './config-map.ts';
import { endpoints, endpointSlice } from './endpoints.ts';
import { coreEvent, event } from './event.ts';
import { lease } from './lease.ts';
import { namespace } from './namespace.ts';
import { node } from './node.ts';
import { secret } from './secret.ts';
import { service } from './service-kind.ts';
import { serviceAccount } from './service-account.ts';

export const coreKinds: readonly KindSpec[] = [
  namespace,
  node,
  service,
  endpoints,
  configMap,
  secret,
  serviceAccount,
  coreEvent,
  lease,
  endpointSlice,
  event,
];
