import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ApiServer, ServerAnswer } from '../src/api/http.ts';
import { type OpenApiServer, openApiServer } from '../src/api/open-api-server.ts';
import type { ResourceRegistry } from '../src/api/registry.ts';
import { TokenBook } from '../src/api/tokens.ts';
import type { ObjectStore } from '../src/storage/object-store.ts';
import type { JsonObject } from '../../../src/kube/object.ts';
import type { HttpTransport } from '../../../src/platform/http-transport.ts';
import { nodeWebhookCall } from '../../../src/platform/node-webhook-call.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import { nodeRandomness, type Randomness } from '../../../src/platform/randomness.ts';
import type { WebhookCall } from '../../../src/platform/webhook-call.ts';

export const ADMIN_TOKEN = 'the-administrator';

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** An API server without a socket, with its store in a temporary directory. */
export class ApiStand {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
  readonly server: ApiServer;
  readonly #open: OpenApiServer;
  readonly #folder: string;

  private constructor(open: OpenApiServer, folder: string) {
    this.store = open.store;
    this.registry = open.registry;
    this.server = open.api;
    this.#open = open;
    this.#folder = folder;
  }

  static async open(
    randomness: Randomness = nodeRandomness,
    webhookCall: WebhookCall = nodeWebhookCall(),
  ): Promise<ApiStand> {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-api-'));
    const { clock } = nodePlatform;
    const open = await openApiServer({
      platform: nodePlatform,
      randomness,
      folder,
      webhookCall,
      tokens: new TokenBook({ clock, randomness: nodeRandomness, adminToken: ADMIN_TOKEN }),
    });
    const stand = new ApiStand(open, folder);
    await stand.call('/api/v1/namespaces', { method: 'POST', body: namespace('default') });
    return stand;
  }

  /** Transport with the rights of a cluster administrator. */
  get transport(): HttpTransport {
    return this.#open.transport;
  }

  async close(): Promise<void> {
    await this.#open.close();
    await rm(this.#folder, { recursive: true });
  }

  /** Sends a request and returns the raw response, with its headers and its stream. */
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
