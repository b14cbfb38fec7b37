import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { ApiStand } from '../../../test/api-stand.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('a binding', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const bind = (target: object): ReturnType<ApiStand['call']> =>
    stand.call(`${PODS}/a/binding`, {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target },
    });

  it('must name a node as its target', async () => {
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
    expect(await stand.call(PODS, { method: 'POST', body: pod })).toMatchObject({ status: 201 });
    const kindless = 'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"';
    const nameless = 'target.name: Required value';
    expect(await bind({ kind: 'Pod', name: 'n' })).toMatchObject({
      status: 500,
      body: { message: kindless },
    });
    expect(await bind({ kind: 'Node' })).toMatchObject({
      status: 500,
      body: { message: nameless },
    });
    expect(await bind({ kind: 'Pod' })).toMatchObject({
      body: { message: `[${kindless}, ${nameless}]` },
    });
    expect(await stand.call(`${PODS}/a`)).not.toHaveProperty('body.spec.nodeName');
    expect(await bind({ name: 'n' })).toMatchObject({ status: 201 });
    expect(await stand.call(`${PODS}/a`)).toHaveProperty('body.spec.nodeName', 'n');
  });

  it('is refused if it names the UID of another pod', async () => {
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
    const { body } = await stand.call(PODS, { method: 'POST', body: pod });
    const { uid } = body['metadata'] as { uid: string };
    const bindUid = (asked: string): ReturnType<ApiStand['call']> =>
      stand.call(`${PODS}/a/binding`, {
        method: 'POST',
        body: { metadata: { name: 'a', uid: asked }, target: { name: 'n' } },
      });
    expect(await bindUid('other')).toMatchObject({
      status: 409,
      body: {
        message:
          'Operation cannot be fulfilled on pods "a": StorageError: invalid object, Code: 4, ' +
          'Key: /registry/pods/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition ' +
          `failed: UID in precondition: other, UID in object meta: ${uid}`,
      },
    });
    expect(await stand.call(`${PODS}/a`)).not.toHaveProperty('body.spec.nodeName');
    expect(await bindUid(uid)).toMatchObject({ status: 201 });
  });

  it('is refused while the pod has scheduling gates', async () => {
    const schedulingGates = [{ name: 'example.com/held' }];
    const spec = { containers: [{ name: 'c', image: 'x' }], schedulingGates };
    await stand.call(PODS, { method: 'POST', body: { metadata: { name: 'a' }, spec } });
    expect(await bind({ name: 'n' })).toMatchObject({
      status: 409,
      body: {
        message:
          'Operation cannot be fulfilled on pods/binding "a": pod a has non-empty .spec.schedulingGates',
      },
    });
    expect(await stand.call(`${PODS}/a`)).not.toHaveProperty('body.spec.nodeName');
  });
});

describe('an eviction', () => {
  const PODS = '/api/v1/namespaces/default/pods';
  const evict = (deleteOptions: JsonObject = {}): ReturnType<ApiStand['call']> => {
    const body = { metadata: { name: 'a' }, deleteOptions };
    return stand.call(`${PODS}/a/eviction`, { method: 'POST', body });
  };

  beforeEach(async () => {
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    await stand.call(PODS, { method: 'POST', body: { metadata: { name: 'a' }, spec } });
  });

  it.each([
    ['CREATE', 500],
    ['DELETE', 201],
  ])('is admitted by webhooks only as its creation: %s', async (operation, status) => {
    const resources = ['pods', 'pods/eviction'];
    const rule = { operations: [operation], apiGroups: [''], apiVersions: ['v1'], resources };
    const webhook = {
      name: 'unreachable.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      rules: [rule],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
    };
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const body = { metadata: { name: 'w' }, webhooks: [webhook] };
    expect(await stand.call(path, { method: 'POST', body })).toMatchObject({ status: 201 });
    expect(await evict()).toMatchObject({ status });
  });

  it('gives the reason in a condition of the terminating pod', async () => {
    const conditionsOf = async (): Promise<unknown> => {
      const { body } = await stand.call(`${PODS}/a`);
      return (body['status'] as JsonObject)['conditions'];
    };
    await stand.call(`${PODS}/a/binding`, { method: 'POST', body: { target: { name: 'n' } } });
    const before = await conditionsOf();
    expect(await evict({ preconditions: { uid: 'other' } })).toMatchObject({ status: 409 });
    expect(await evict({ dryRun: ['All'] })).toMatchObject({ status: 201 });
    expect(await conditionsOf()).toEqual(before);
    expect(await evict()).toMatchObject({ status: 201 });
    const evicted = await conditionsOf();
    expect(evicted).toMatchObject([
      { type: 'PodScheduled' },
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
        lastTransitionTime: expect.any(String) as string,
      },
    ]);
    expect(await stand.call(`${PODS}/a`)).toHaveProperty('body.metadata.deletionTimestamp');
    await evict({ gracePeriodSeconds: 1 });
    expect(await conditionsOf()).toEqual(evicted);
  });
});
