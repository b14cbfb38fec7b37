import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { webhookAdmission } from '../../../src/cluster/api/admission/webhook-admission.ts';
import {
  type CustomKindServer,
  serveCustomKinds,
} from '../../../src/cluster/api/crd/serve-custom-kinds.ts';
import { makeApiServer } from '../../../src/cluster/api/handle.ts';
import type { ApiServer, ServerAnswer } from '../../../src/cluster/api/http.ts';
import { ResourceRegistry } from '../../../src/cluster/api/registry.ts';
import { TokenBook } from '../../../src/cluster/api/tokens.ts';
import { builtinDefinitions } from '../../../src/cluster/objects/kinds/definitions.ts';
import type { ObjectStore } from '../../../src/cluster/storage/object-store.ts';
import { openObjectStore } from '../../../src/cluster/storage/open-store.ts';
import type { JsonObject } from '../../../src/kube/object.ts';
import { nodeFiles } from '../../../src/platform/files.ts';
import { nodeWebhookCall } from '../../../src/platform/node-webhook-call.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import { nodeRandomness } from '../../../src/platform/node-randomness.ts';
import { procTable } from '../../../src/store/process-table.ts';

export const ADMIN_TOKEN = 'the-administrator';

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An API server over a store in a temporary folder, without a socket. */
export class ApiStand {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry = new ResourceRegistry(builtinDefinitions());
  readonly server: ApiServer;
  readonly #folder: string;
  readonly #call = nodeWebhookCall();
  readonly #custom: CustomKindServer;

  private constructor(store: ObjectStore, folder: string) {
    this.store = store;
    this.#folder = folder;
    const { registry } = this;
    const world = { store, registry, platform: nodePlatform, randomness: nodeRandomness };
    this.#custom = serveCustomKinds(world, webhookAdmission({ ...world, call: this.#call }));
    this.server = makeApiServer({
      admission: this.#custom.admission,
      store,
      registry: this.registry,
      platform: nodePlatform,
      randomness: nodeRandomness,
      tokens: new TokenBook({
        clock: nodePlatform.clock,
        randomness: nodeRandomness,
        adminToken: ADMIN_TOKEN,
      }),
    });
  }

  static async open(): Promise<ApiStand> {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-api-'));
    const store = await openObjectStore({
      files: nodeFiles,
      folder,
      processes: procTable(nodeFiles),
      clock: nodePlatform.clock,
      timers: nodePlatform.timers,
    });
    const stand = new ApiStand(store, folder);
    await stand.#custom.kinds.start();
    await stand.call('/api/v1/namespaces', { method: 'POST', body: namespace('default') });
    return stand;
  }

  async close(): Promise<void> {
    await this.#custom.kinds.stop();
    this.#call.close();
    await this.store.close();
    await rm(this.#folder, { recursive: true });
  }

  /** The raw answer: for streams and headers. */
  async ask(target: string, call: Call = {}): Promise<ServerAnswer> {
    const { method = 'GET', body, headers = {}, signal } = call;
    const url = new URL(target, 'https://cluster');
    return this.server.handle({
      method,
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers,
      body: typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body),
      user: { username: 'test', groups: ['system:masters'] },
      signal: signal ?? new AbortController().signal,
    });
  }

  async call(target: string, call: Call = {}): Promise<{ status: number; body: JsonObject }> {
    const { status, body } = await this.ask(target, call);
    if (typeof body !== 'string') throw new Error('the answer is a stream');
    return { status, body: JSON.parse(body) as JsonObject };
  }
}

function namespace(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
