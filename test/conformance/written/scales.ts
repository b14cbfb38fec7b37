/** Field ownership of spec.replicas after several managers write through the scale subresource. */
import type { JsonObject } from '../../../src/kube/object.ts';
import type { Recorder } from '../recorder.ts';
import type { Scenario } from '../scenario.ts';
import { podSpec } from '../samples/pods.ts';

const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const deployment = (name: string, replicas: number | undefined): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: podSpec },
  },
});

/** A Deployment and its scale, written by named field managers. */
class Scaled {
  readonly api: Recorder;
  readonly name: string;
  readonly path: string;

  constructor(api: Recorder, name: string) {
    this.api = api;
    this.name = name;
    this.path = `/apis/apps/v1/namespaces/${api.namespace}/deployments/${name}`;
  }

  async patch(step: string, fieldManager: string, replicas: number): Promise<void> {
    const call = { method: 'PATCH', path: `${this.path}/scale`, contentType: MERGE } as const;
    const query = { fieldManager };
    await this.api.call(step, { ...call, query, body: { spec: { replicas } } });
    await this.api.call(`${step}: the object`, { path: this.path });
  }

  async apply(step: string, query: Record<string, string>, replicas?: number): Promise<void> {
    const body = deployment(this.name, replicas);
    const call = { method: 'PATCH', path: this.path, contentType: APPLY } as const;
    await this.api.call(step, { ...call, query, body });
  }

  async applyScale(step: string, query: Record<string, string>, over: JsonObject): Promise<void> {
    const path = `${this.path}/scale`;
    const whole = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: this.name } };
    const call = { method: 'PATCH', path, contentType: APPLY } as const;
    await this.api.call(step, { ...call, query, body: { ...whole, ...over } });
    await this.api.call(`${step}: the object`, { path: this.path });
  }
}

async function updates(api: Recorder): Promise<void> {
  const scaled = new Scaled(api, 'scaled-by-updates');
  await api.setUp({
    method: 'POST',
    path: scaled.path.replace(/\/[^/]*$/, ''),
    query: { fieldManager: 'one' },
    body: deployment(scaled.name, 1),
  });
  await scaled.patch('the same number', 'one', 1);
  await scaled.patch('the same number, again', 'one', 1);
  await scaled.patch('another number', 'two', 2);
  await scaled.patch('by a third', 'three', 3);
  await scaled.patch('none', 'two', 0);
  await scaled.patch('some again', 'two', 2);
}

async function applies(api: Recorder): Promise<void> {
  const scaled = new Scaled(api, 'scaled-by-applies');
  await scaled.apply('applied', { fieldManager: 'one' }, 1);
  await scaled.patch('the same number', 'two', 1);
  await scaled.patch('another number', 'two', 2);
  await scaled.apply('conflict', { fieldManager: 'one' }, 1);
  await scaled.apply('without the number', { fieldManager: 'one' });
  const three = { spec: { replicas: 3 } };
  await scaled.applyScale('scale, conflict', { fieldManager: 'three' }, three);
  await scaled.applyScale('scale, forced', { fieldManager: 'three', force: 'true' }, three);
  await scaled.applyScale('scale, again', { fieldManager: 'three' }, three);
  await scaled.applyScale('scale, no manager', {}, three);
  await scaled.applyScale('scale, another kind', { fieldManager: 'three' }, { kind: 'Other' });
  await scaled.applyScale('scale, unknown field', { fieldManager: 'three' }, { spec: { a: 1 } });
  await scaled.applyScale('scale, given up', { fieldManager: 'three' }, {});
}

export const scaleScenarios: readonly Scenario[] = [
  { name: 'scales updates', run: updates },
  { name: 'scales applies', run: applies },
];
