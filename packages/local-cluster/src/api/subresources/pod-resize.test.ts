/** Tests `pods/resize` against the recorded responses of a real server of 1.37. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../../test/api-stand.ts';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';

const PODS = '/api/v1/namespaces/default/pods';
const POD = `${PODS}/a`;
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
  const resources = (requests: JsonObject, limits?: JsonObject): JsonObject => ({
    resources: { requests, ...(limits === undefined ? {} : { limits }) },
  });
  const spec = {
    initContainers: [
      { name: 'init', image: 'i', ...resources({ cpu: '50m' }) },
      { name: 'side', image: 'i', restartPolicy: 'Always', ...resources({ cpu: '50m' }) },
    ],
    containers: [
      {
        name: 'app',
        image: 'i',
        ...resources({ cpu: '50m', memory: '32Mi' }, { cpu: '200m', memory: '64Mi' }),
      },
      { name: 'other', image: 'i' },
    ],
  };
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
  expect(await stand.call(PODS, { method: 'POST', body })).toMatchObject({ status: 201 });
});

afterEach(async () => {
  await stand.close();
});

const patch = (body: Json, type: string = STRATEGIC): ReturnType<ApiStand['call']> =>
  stand.call(`${POD}/resize`, { method: 'PATCH', body, headers: { 'content-type': type } });

const app = (resources: Json, list: string = 'containers', name: string = 'app'): JsonObject => ({
  spec: { [list]: [{ name, resources }] },
});

describe('a resize', () => {
  it('changes the resources of its containers, and the generation', async () => {
    const answer = await patch(app({ requests: { cpu: '60m' }, limits: { memory: '40Mi' } }));
    expect(answer).toMatchObject({ status: 200, body: { metadata: { generation: 2 } } });
    const { body } = await stand.call(POD);
    expect(body).toMatchObject({
      spec: {
        containers: [
          {
            resources: {
              requests: { cpu: '60m', memory: '32Mi' },
              limits: { cpu: '200m', memory: '40Mi' },
            },
          },
          { name: 'other' },
        ],
      },
    });
  });

  it.each([
    ['of an init container', app({ requests: { cpu: '60m' } }, 'initContainers', 'init')],
    ['of a sidecar', app({ requests: { cpu: '60m' } }, 'initContainers', 'side')],
    ['of a container without any', app({ requests: { cpu: '1' } }, 'containers', 'other')],
    ['of the pod as a whole', { spec: { resources: { requests: { cpu: '1' } } } }],
  ])('takes resources %s', async (_, body) => {
    expect(await patch(body)).toMatchObject({ status: 200, body: { metadata: { generation: 2 } } });
  });

  it('owns what it has changed as the subresource', async () => {
    await patch(app({ requests: { cpu: '60m' } }));
    const { body } = await stand.call(POD);
    const { managedFields } = (body as { metadata: { managedFields: JsonObject[] } }).metadata;
    expect(managedFields.at(-1)).toMatchObject({
      operation: 'Update',
      subresource: 'resize',
      fieldsV1: {
        'f:spec': {
          'f:containers': {
            'k:{"name":"app"}': { 'f:resources': { 'f:requests': { 'f:cpu': {} } } },
          },
        },
      },
    });
  });

  it('can be read, and leaves everything else as it is', async () => {
    const spec = { nodeName: 'x', containers: [{ name: 'app', image: 'another' }] };
    expect(await patch({ metadata: { labels: { a: 'b' } }, spec })).toMatchObject({ status: 200 });
    const { body } = await stand.call(`${POD}/resize`);
    expect(body).toMatchObject({
      metadata: { generation: 1 },
      spec: { containers: [{ name: 'app', image: 'i' }, {}] },
    });
    expect(body).not.toHaveProperty('metadata.labels');
    expect(body).not.toHaveProperty('spec.nodeName');
  });

  it.each<[string, Json, string, string]>([
    [
      'that removes a limit',
      app({ limits: { cpu: null } }),
      STRATEGIC,
      'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed',
    ],
    [
      'that removes all',
      [{ op: 'remove', path: '/spec/containers/0/resources' }],
      JSON_PATCH,
      '[spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed, ' +
        'spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed]',
    ],
    [
      'of another resource',
      app({ requests: { 'ephemeral-storage': '1Mi' } }),
      STRATEGIC,
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
    [
      'of the resize policy',
      {
        spec: {
          containers: [
            {
              name: 'other',
              resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
            },
          ],
        },
      },
      STRATEGIC,
      'spec: Forbidden: only cpu and memory resources are mutable',
    ],
    [
      'above a limit',
      app({ requests: { cpu: '5' } }),
      STRATEGIC,
      'spec.containers[0].resources.requests: Invalid value: "5": must be less than or equal to cpu limit of 200m',
    ],
    [
      'that adds a container',
      [{ op: 'add', path: '/spec/containers/-', value: { name: 'z', image: 'i' } }],
      JSON_PATCH,
      'spec.containers: Forbidden: containers may not be added or removed on resize',
    ],
    [
      'that removes an init container',
      [{ op: 'remove', path: '/spec/initContainers/1' }],
      JSON_PATCH,
      'spec.initContainers: Forbidden: initContainers may not be added or removed on resize',
    ],
    [
      'that swaps containers',
      [{ op: 'move', from: '/spec/containers/1', path: '/spec/containers/0' }],
      JSON_PATCH,
      '[spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize, ' +
        'spec.containers[1].name: Forbidden: containers may not be renamed or reordered on resize]',
    ],
  ])('is refused %s', async (...[, body, type, message]) => {
    expect(await patch(body, type)).toMatchObject({
      status: 422,
      body: { message: `Pod "a" is invalid: ${message}` },
    });
  });

  it('is refused where it changes the class of service', async () => {
    const limited = { cpu: '50m', memory: '32Mi' };
    const all = { requests: limited, limits: limited };
    const containers = ['app', 'other'].map((name) => ({ name, resources: all }));
    const initContainers = ['init', 'side'].map((name) => ({ name, resources: all }));
    expect(await patch({ spec: { containers, initContainers } })).toMatchObject({
      status: 422,
      body: {
        message:
          'Pod "a" is invalid: spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
      },
    });
  });

  it('is no part of an update of the pod', async () => {
    const answer = await stand.call(POD, {
      method: 'PATCH',
      body: app({ requests: { cpu: '60m' } }),
      headers: { 'content-type': STRATEGIC },
    });
    expect(answer).toMatchObject({ status: 422 });
  });
});
