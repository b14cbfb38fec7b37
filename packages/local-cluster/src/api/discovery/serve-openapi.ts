/**
 * Serves /openapi/v2, /openapi/v3 and the documents that the index at /openapi/v3 lists. Each is built once per set of
 * kinds.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { encodeOpenApiV2 } from '../../objects/openapi/encode-v2.ts';
import { openApiV2, openApiV3, openApiV3Index } from '../../objects/openapi/documents.ts';
import { loadDocs, type OpenApiInput } from '../../objects/openapi/builtin-schema.ts';
import type { ApiContext } from '../context.ts';
import type { ServerAnswer, ServerRequest } from '../http.ts';
import { readAccept } from '../media-type.ts';
import { methodNotAllowed } from '../status.ts';
import { VERSION_INFO } from './served-resources.ts';

/**
 * Maximum number of documents in the cache. There is one index, one v2 document, and one v3 document per group and
 * version.
 */
const MAX_DOCUMENTS = 200;

export class OpenApiDocuments {
  readonly #registry: ApiContext['registry'];
  #generation = -1;
  readonly #texts = new Map<string, string | null>();
  /** The v2 document in protobuf, and the text that it was built from. */
  #binary: { readonly text: string; readonly bytes: Uint8Array } | undefined;

  constructor(registry: ApiContext['registry']) {
    this.#registry = registry;
  }

  /** Returns null if no document has this path. */
  async serve(request: ServerRequest): Promise<ServerAnswer | null> {
    const path = request.path.replace(/\/$/, '');
    if (!path.startsWith('/openapi/')) return null;
    const text = await this.#text(path);
    if (text === null) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    const form = formOf(path, request.headers['accept']);
    if (form === 'none') {
      return { status: 406, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '' };
    }
    if (form === 'json') return { status: 200, headers: headersOf(request), body: text };
    return {
      status: 200,
      headers: { 'content-type': PROTOBUF[0] },
      body: once(this.#inBinary(text)),
    };
  }

  #inBinary(text: string): Uint8Array {
    if (this.#binary?.text !== text) {
      this.#binary = { text, bytes: encodeOpenApiV2(JSON.parse(text) as JsonObject) };
    }
    return this.#binary.bytes;
  }

  async #text(path: string): Promise<string | null> {
    const { generation } = this.#registry;
    if (this.#generation !== generation || this.#texts.size >= MAX_DOCUMENTS) {
      this.#texts.clear();
      this.#binary = undefined;
      this.#generation = generation;
    }
    const kept = this.#texts.get(path);
    if (kept !== undefined) return kept;
    const document = documentAt(path, await this.#input());
    const text = document === undefined ? null : `${JSON.stringify(document)}\n`;
    // If the kinds have changed meanwhile, this document is outdated, and is not stored.
    if (this.#generation === generation) this.#texts.set(path, text);
    return text;
  }

  async #input(): Promise<OpenApiInput> {
    return {
      definitions: this.#registry.all(),
      customSchemas: this.#registry.schemas(),
      docs: await loadDocs(),
      serverVersion: VERSION_INFO.gitVersion,
    };
  }
}

function documentAt(path: string, input: OpenApiInput): JsonObject | undefined {
  if (path === '/openapi/v2') return openApiV2(input);
  if (path === '/openapi/v3') return openApiV3Index(input);
  return openApiV3(path.slice('/openapi/v3/'.length), input);
}

/** The headers of a document. A URL with a hash always has the same content, so clients may cache it. */
function headersOf({ query }: ServerRequest): Readonly<Record<string, string>> {
  const hash = query.get('hash');
  if (hash === null || !/^[0-9A-F]{1,64}$/.test(hash))
    return { 'content-type': 'application/json' };
  return {
    'content-type': 'application/json',
    'cache-control': 'public, immutable',
    etag: `"${hash}"`,
  };
}

/** Both names of the protobuf format; the second is the older one. */
const PROTOBUF = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;
const JSON_TYPES = ['application/json', 'application/*', '*/*'];

/** The first format that the client accepts. Only the v2 document exists in protobuf. */
function formOf(path: string, accept: string | undefined): 'json' | 'protobuf' | 'none' {
  if (accept === undefined || accept.trim() === '') return 'json';
  for (const { type } of readAccept(accept)) {
    if (JSON_TYPES.includes(type)) return 'json';
    if (path === '/openapi/v2' && PROTOBUF.some((name) => name === type)) return 'protobuf';
  }
  return 'none';
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
