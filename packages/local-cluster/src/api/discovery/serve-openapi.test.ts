import { expect, it } from 'vitest';

import type { ServerRequest } from '../http.ts';
import { ResourceRegistry } from '../registry.ts';
import { builtinDefinitions } from '../../objects/kinds/definitions.ts';
import { OpenApiDocuments } from './serve-openapi.ts';

const request = (path: string): ServerRequest =>
  ({ path, method: 'GET', headers: {}, query: new URLSearchParams() }) as unknown as ServerRequest;

it('serves no document of a set of kinds that changed while the document was built', async () => {
  const [first, ...others] = builtinDefinitions();
  if (first === undefined) throw new Error('there are no built-in kinds');
  const registry = new ResourceRegistry(others);
  const documents = new OpenApiDocuments(registry);
  const text = async (path: string): Promise<unknown> =>
    (await documents.serve(request(path)))?.body;
  const early = text('/openapi/v2');
  registry.add(first);
  await text('/openapi/v3');
  await early;
  const fresh = new OpenApiDocuments(registry);
  expect(await text('/openapi/v2')).toBe((await fresh.serve(request('/openapi/v2')))?.body);
});
