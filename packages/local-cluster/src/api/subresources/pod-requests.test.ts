import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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
});
