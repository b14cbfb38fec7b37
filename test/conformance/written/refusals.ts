/** Requests with several errors: which error the server reports. Also labels of Jobs, and list items without a key. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Recorder } from '../recorder.ts';
import type { Scenario } from '../scenario.ts';
import { podSpec } from '../samples/pods.ts';

const service = (metadata: JsonObject, spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { ports: [{ port: 80 }], ...spec },
});

async function services(api: Recorder): Promise<void> {
  const path = `/api/v1/namespaces/${api.namespace}/services`;
  const post = (step: string, body: JsonObject, query = {}): Promise<unknown> =>
    api.call(step, { method: 'POST', path, query, body });
  await post('headless, no name', service({}, { clusterIP: 'None' }));
  await post('dry run, no name', service({}, {}), { dryRun: 'All' });
  await post('no name, no ports', service({}, { ports: [] }));
  const metadata = { name: 'refused', resourceVersion: '1' };
  await post('a revision and no ports', service(metadata, { ports: [] }));
  await post('dry run, a revision', service(metadata, {}), { dryRun: 'All' });
  await api.setUp({ method: 'POST', path, body: service({ name: 'refused' }, {}) });
  await post('a revision, and there', service(metadata, {}));
}

async function jobs(api: Recorder): Promise<void> {
  const path = `/apis/batch/v1/namespaces/${api.namespace}/jobs`;
  const job = (name: string, labels: JsonObject): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Never' } } },
  });
  await api.call('no labels', { method: 'POST', path, body: job('unlabelled', {}) });
  await api.call('labels of pods', { method: 'POST', path, body: job('labelled', { app: 'a' }) });
  await api.call('what is stored', { path: `${path}/unlabelled` });
  await api.call('labels taken away', {
    method: 'PATCH',
    path: `${path}/unlabelled`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { labels: null } },
  });
}

/** List items of kinds whose list keys have an empty default. */
async function items(api: Recorder): Promise<void> {
  const path = `/api/v1/namespaces/${api.namespace}/pods/keyless`;
  const apply = (step: string, containers: JsonObject[]): Promise<unknown> =>
    api.call(step, {
      method: 'PATCH',
      path,
      query: { fieldManager: 'one', dryRun: 'All' },
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'keyless' },
        spec: { ...podSpec, containers },
      },
    });
  await apply('a container without a name', [{ image: 'a' }]);
  await apply('two containers without a name', [{ image: 'a' }, { image: 'b' }]);
  await apply('a port without a number', [{ name: 'a', image: 'a', ports: [{ name: 'b' }] }]);
}

export const refusalScenarios: readonly Scenario[] = [
  { name: 'refusals services', run: services },
  { name: 'refusals jobs', run: jobs },
  { name: 'refusals items', run: items },
];
