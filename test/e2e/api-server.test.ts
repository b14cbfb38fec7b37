import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ApiServerStand } from './api-server-stand.ts';

let stand: ApiServerStand;

beforeAll(async () => {
  stand = await ApiServerStand.open();
});

afterAll(async () => {
  await stand.close();
});

const manifest = (replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { tier: 'front' } },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
      },
    },
  });

const field = (what: string, path: string): Promise<string> =>
  stand.kubectl(`get ${what} -o jsonpath={${path}}`);

describe('the API server, driven by kubectl', { tags: 'kubectl' }, () => {
  it('tells its version and its resources', async () => {
    expect(await stand.kubectl('version')).toContain('Server Version: v1.34.0');
    const resources = await stand.kubectl('api-resources');
    expect(resources).toMatch(/^pods +po +v1 +true +Pod$/m);
    expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(await stand.kubectl('get --raw /readyz')).toBe('ok');
    expect(await stand.kubectl('explain pod.spec.containers.lifecycle.preStop.sleep')).toContain(
      'seconds',
    );
  });

  it('has the namespaces of every cluster, and the service of the API server', async () => {
    const namespaces = await stand.kubectl('get namespaces -o name');
    expect(namespaces.split('\n').slice(0, 4)).toEqual([
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
    expect(await stand.kubectl('get service kubernetes')).toContain('127.96.0.1');
  });

  it('takes what kubectl creates by itself, which comes in protobuf', async () => {
    await stand.kubectl('create configmap made --from-literal=key=value');
    expect(await field('configmap/made', '.data')).toBe('{"key":"value"}');
    await stand.kubectl('create secret generic hidden --from-literal=key=value');
    expect(await field('secret/hidden', '.data.key')).toBe('dmFsdWU=');
    await stand.kubectl('create deployment plain --image=nginx --replicas=0 --port=80');
    expect(await field('deployment/plain', '.spec.replicas')).toBe('0');
    expect(await field('deployment/plain', '.spec.template.spec.containers[0].ports')).toBe(
      '[{"containerPort":80,"protocol":"TCP"}]',
    );
    await stand.kubectl('create service nodeport door --tcp=80:8080');
    expect(await field('service/door', '.spec.ports[0].targetPort')).toBe('8080');
    expect(await field('service/door', '.spec.ports[0].nodePort')).toMatch(/^3\d{4}$/);
    expect(await stand.kubectl('auth can-i create pods')).toBe('yes\n');
  });

  it('applies on the client side, and tells what changed', async () => {
    expect(await stand.kubectl('apply -f -', manifest(1))).toBe('deployment.apps/web created\n');
    expect(await stand.kubectl('apply -f -', manifest(1))).toBe('deployment.apps/web unchanged\n');
    expect(await stand.kubectl('apply -f -', manifest(2))).toBe('deployment.apps/web configured\n');
    expect(await field('deployment/web', '.metadata.generation')).toBe('2');
  });

  it('applies on the server side, and refuses to take what another one owns', async () => {
    const apply = 'apply --server-side -f - --field-manager';
    expect(await stand.kubectl(`${apply} one`, manifest(2))).toContain('serverside-applied');
    const refused = await stand.kubectl(`${apply} two`, manifest(3));
    expect(refused).toContain('Apply failed with 1 conflict');
    expect(refused).toContain('.spec.replicas');
    expect(await stand.kubectl(`${apply} two --force-conflicts`, manifest(3))).toContain('applied');
    expect(await field('deployment/web', '.spec.replicas')).toBe('3');
  });

  it.each([
    ['strategic', '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"a"}]}}}}', 'a'],
    ['merge', '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"b"}]}}}}', 'b'],
    ['json', '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"d"}]', 'd'],
  ])('patches (%s)', async (type, patch, image) => {
    await stand.kubectl(`patch deployment web --type ${type} -p ${patch}`);
    expect(await field('deployment/web', '.spec.template.spec.containers[0].image')).toBe(image);
  });

  it('scales, labels, selects and describes', async () => {
    expect(await stand.kubectl('scale deployment web --replicas=5')).toContain('scaled');
    await stand.kubectl('label deployment web more=labels');
    expect(await stand.kubectl('get deployments -l more=labels -o name')).toBe(
      'deployment.apps/web\n',
    );
    expect(await stand.kubectl('get deployments --field-selector metadata.name=none')).toBe('');
    expect(await stand.kubectl('describe deployment web')).toContain('5 desired');
  });

  it('refuses unknown fields and objects that are wrong, in the words of a real server', async () => {
    const unknown = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"dta":{}}';
    expect(await stand.kubectl('apply -f -', unknown)).toContain(
      'strict decoding error: unknown field "dta"',
    );
    const wrong = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"Wrong_Name"}}';
    expect(await stand.kubectl('create -f -', wrong)).toContain(
      'The ConfigMap "Wrong_Name" is invalid: metadata.name: Invalid value: "Wrong_Name"',
    );
    expect(await stand.kubectl('get pod missing')).toBe(
      'Error from server (NotFound): pods "missing" not found\n',
    );
  });

  it('deletes, and lets somebody wait for it', async () => {
    await stand.kubectl('create configmap going --from-literal=a=b');
    const waited = stand.kubectl('wait --for=delete configmap/going --timeout=60s');
    expect(await stand.kubectl('delete configmap going')).toBe('configmap "going" deleted\n');
    // It may have begun to wait when there was nothing left to wait for.
    expect(await waited).toMatch(/^(configmap\/going condition met\n)?$/);
    expect(await stand.kubectl('get configmap going')).toContain('NotFound');
  });

  it('lets a terminating namespace take nothing new', async () => {
    await stand.kubectl('create namespace ending');
    await stand.kubectl('delete namespace ending --wait=false');
    expect(await field('namespace/ending', '.status.phase')).toBe('Terminating');
    expect(await stand.kubectl('create configmap late -n ending')).toContain(
      'unable to create new content in namespace ending because it is being terminated',
    );
  });
});

describe('the API server, over its socket', () => {
  it('answers nobody without a token, but those who only ask whether it lives', async () => {
    expect(await stand.ask('/api/v1/pods')).toMatchObject({ status: 401 });
    expect(await stand.ask('/api/v1/pods', { authorization: 'Bearer wrong' })).toMatchObject({
      status: 401,
      body: expect.stringContaining('"reason":"Unauthorized"'),
    });
    expect(await stand.ask('/healthz')).toEqual({ status: 200, body: 'ok' });
  });

  it(
    'finds everything again after kill -9, with the same certificate and revisions',
    { tags: 'kubectl' },
    async () => {
      const before = await stand.kubectl('get configmaps,deployments,services -A -o json');
      await stand.kubectl('create configmap last --from-literal=a=b');
      await stand.kill();
      await stand.start();
      expect(await field('configmap/last', '.data.a')).toBe('b');
      await stand.kubectl('delete configmap last');
      expect(await stand.kubectl('get configmaps,deployments,services -A -o json')).toBe(before);
    },
  );
});
