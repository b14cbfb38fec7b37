import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';
import type { ServerAnswer } from '../http.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = ['merge-patch+json', '{"foo":1,"data":{"x":"2","x":"3"}}'] as const;
const STRATEGIC = ['strategic-merge-patch+json', MERGE[1]] as const;
const JSON_PATCH = [
  'json-patch+json',
  '[{"op":"add","path":"/a","path":"/foo","value":1},{"op":"test","path":"/data/x","value":"1","b":1}]',
] as const;

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
  await stand.call(MAPS, { method: 'POST', body: { metadata: { name: 'a' }, data: { x: '1' } } });
});

afterEach(async () => {
  await stand.close();
});

function send([type, body]: readonly [string, string], query: string): Promise<ServerAnswer> {
  const headers = { 'content-type': `application/${type}` };
  return stand.ask(`${MAPS}/a${query}`, { method: 'PATCH', headers, body });
}

describe('a patch whose text has a duplicate or an unknown field', () => {
  it.each([
    [MERGE, 'duplicate field "data.x", unknown field "foo"'],
    [STRATEGIC, 'duplicate field "data.x", unknown field "foo"'],
    [
      JSON_PATCH,
      'json patch duplicate field "[0].path", json patch unknown field "[1].b", unknown field "foo"',
    ],
  ])('%j is refused, or gets warnings', async (patch, faults) => {
    const refused = await send(patch, '?fieldValidation=Strict');
    expect(refused).toMatchObject({
      status: 422,
      body: expect.stringContaining(
        JSON.stringify(`": strict decoding error: ${faults}`).slice(1, -1),
      ) as string,
    });
    const ignored = await send(patch, '?fieldValidation=Ignore');
    expect([ignored.status, ignored.headers['warning']]).toEqual([200, undefined]);
    await send(['merge-patch+json', '{"data":{"x":"1"}}'], '');
    const { status, headers } = await send(patch, '');
    expect(status).toBe(200);
    const warnings = String(headers['warning']).replaceAll('\\', '');
    for (const fault of faults.split(', ')) expect(warnings).toContain(fault);
  });
});
