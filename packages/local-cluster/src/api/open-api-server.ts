/**
 * Opens an API server over the objects of a directory.
 *
 * It serves built-in and custom kinds, calls webhooks, and can be reached without a socket.
 */
import type { HttpTransport } from '../../../../src/platform/http-transport.ts';
import type { Platform } from '../../../../src/platform/platform.ts';
import type { Randomness } from '../../../../src/platform/randomness.ts';
import type { WebhookCall } from '../../../../src/platform/webhook-call.ts';
import { procTable } from '../../../../src/store/process-table.ts';
import { builtinDefinitions } from '../objects/kinds/definitions.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { openObjectStore } from '../storage/open-store.ts';
import { admitAll } from './admission.ts';
import { webhookAdmission } from './admission/webhook-admission.ts';
import { ServiceAllocator } from './allocate.ts';
import { serveCustomKinds } from './crd/checked-definitions.ts';
import { type ApiServerOptions, makeApiServer } from './handle.ts';
import type { ApiServer } from './http.ts';
import { inProcessTransport } from './in-process-transport.ts';
import { ResourceRegistry } from './registry.ts';
import { finishDeletions } from './verbs/delete.ts';

type Optional = Partial<Pick<ApiServerOptions, 'gates' | 'podStreams' | 'inflating' | 'tokens'>>;

export interface OpenApiServerOptions extends Optional {
  readonly platform: Pick<Platform, 'clock' | 'timers' | 'files'>;
  readonly randomness: Randomness;
  /** Directory in which the objects are stored. */
  readonly folder: string;
  /** Calls webhooks; the server closes it. Without it no webhook is called. */
  readonly webhookCall?: WebhookCall;
  /** First two numbers of the cluster IPs, with the final dot, such as "127.96." */
  readonly serviceRange?: string;
}

export interface OpenApiServer {
  readonly api: ApiServer;
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  /** Reaches the server without a socket, as cluster administrator. */
  readonly transport: HttpTransport;
  close(): Promise<void>;
}

export async function openApiServer(options: OpenApiServerOptions): Promise<OpenApiServer> {
  const { platform, folder, webhookCall, serviceRange, ...rest } = options;
  const { files, clock, timers } = platform;
  const processes = procTable(files);
  const store = await openObjectStore({ files, folder, processes, clock, timers });
  const definitions = builtinDefinitions();
  await finishDeletions(store, definitions);
  const registry = new ResourceRegistry(definitions);
  const world = { store, registry, platform, randomness: options.randomness };
  const webhooks =
    webhookCall === undefined ? admitAll : webhookAdmission({ ...world, call: webhookCall });
  const { kinds, admission } = serveCustomKinds(world, webhooks);
  await kinds.start();
  const allocator = new ServiceAllocator(store, serviceRange);
  const api = makeApiServer({ ...rest, ...world, admission, allocator });
  const transport = inProcessTransport(api, timers);
  return {
    api,
    store,
    registry,
    transport,
    close: async () => {
      transport.close();
      await kinds.stop();
      webhookCall?.close();
      await store.close();
    },
  };
}
