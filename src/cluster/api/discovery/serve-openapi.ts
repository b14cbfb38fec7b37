/** /openapi/v2, /openapi/v3 and what the latter points to. Each document is made once per set of kinds. */
import type { JsonObject } from '../../../kube/object.ts';
import { openApiV2, openApiV3, openApiV3Index } from '../../objects/openapi/documents.ts';
import { loadDocs, type OpenApiInput } from '../../objects/openapi/input.ts';
import type { ApiContext } from '../context.ts';
import type { ServerAnswer, ServerRequest } from '../http.ts';
import { readAccept } from '../media-type.ts';
import { methodNotAllowed } from '../status.ts';
import { VERSION_INFO } from './version-info.ts';

/** Documents kept at a time: an index, v2, and one per group and version. */
const MAX_DOCUMENTS = 200;

export class OpenApiDocuments {
  readonly #registry: ApiContext['registry'];
  #generation = -1;
  readonly #texts = new Map<string, string | null>();

  constructor(registry: ApiContext['registry']) {
    this.#registry = registry;
  }

  /** null: no such path. */
  async serve(request: ServerRequest): Promise<ServerAnswer | null> {
    const path = request.path.replace(/\/$/, '');
    if (!path.startsWith('/openapi/')) return null;
    const text = await this.#text(path);
    if (text === null) return null;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    if (!acceptsJson(request.headers['accept'])) {
      return { status: 406, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: '' };
    }
    return { status: 200, headers: headersOf(request), body: text };
  }

  async #text(path: string): Promise<string | null> {
    if (this.#generation !== this.#registry.generation || this.#texts.size > MAX_DOCUMENTS) {
      this.#texts.clear();
      this.#generation = this.#registry.generation;
    }
    const kept = this.#texts.get(path);
    if (kept !== undefined) return kept;
    const document = documentAt(path, await this.#input());
    const text = document === undefined ? null : `${JSON.stringify(document)}\n`;
    this.#texts.set(path, text);
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

/** An address with a hash names one document for good. */
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

/** Readers of v2 prefer protobuf, of which there is none, and do without the document then. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return readAccept(accept).some(({ type }) =>
    ['application/json', 'application/*', '*/*'].includes(type),
  );
}
