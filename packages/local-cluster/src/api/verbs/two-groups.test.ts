import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';

const CORE = '/api/v1/namespaces/default/events';
const NEWER = '/apis/events.k8s.io/v1/namespaces/default/events';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
  const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
  const body = { metadata: { name: 'a' }, involvedObject, message: 'm', reason: 'r' };
  await stand.call(CORE, { method: 'POST', body });
});

afterEach(async () => {
  await stand.close();
});

const newer = (fields: JsonObject): JsonObject => ({
  metadata: { name: 'b' },
  eventTime: '2026-01-01T00:00:00.000000Z',
  regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  reportingController: 'example.com/test',
  reportingInstance: 'one',
  action: 'Try',
  reason: 'Tried',
  type: 'Normal',
  ...fields,
});

describe('events, which two API groups serve from one store', () => {
  it('are listed in the form of the requested group', async () => {
    const regarding = { kind: 'Pod', name: 'p', namespace: 'default' };
    const { body } = await stand.call(NEWER);
    const items = body['items'] as JsonObject[];
    expect(items).toMatchObject([{ note: 'm', regarding }]);
    expect(items[0]).not.toHaveProperty('message');
  });

  it('are checked more strictly when they are created in events.k8s.io', async () => {
    expect(await stand.call(NEWER, { method: 'POST', body: newer({}) })).toMatchObject({
      status: 201,
    });
    const body = newer({ metadata: { name: 'c' }, type: 'Strange' });
    expect(await stand.call(NEWER, { method: 'POST', body })).toMatchObject({
      status: 422,
      body: {
        message: 'Event "c" is invalid: type: Invalid value: "": has invalid value: Strange',
      },
    });
  });

  it('may have any name that fits a path, in the core group only', async () => {
    const core = { metadata: { name: 'Any_name' }, involvedObject: { namespace: 'default' } };
    expect(await stand.call(CORE, { method: 'POST', body: core })).toMatchObject({ status: 201 });
    const body = newer({ metadata: { name: 'Any_other' } });
    expect(await stand.call(NEWER, { method: 'POST', body })).toMatchObject({ status: 422 });
  });

  it('have no dependents, so that a foreground deletion removes them at once', async () => {
    const body = { propagationPolicy: 'Foreground' };
    expect(await stand.call(`${CORE}/a`, { method: 'DELETE', body })).toMatchObject({
      status: 200,
      body: { kind: 'Status' },
    });
    expect(await stand.call(`${CORE}/a`)).toMatchObject({ status: 404 });
  });

  it('refuse an invalid resource version with 400', async () => {
    expect(await stand.call(`${CORE}?resourceVersion=x`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^invalid resource version: /) as string },
    });
  });
});
