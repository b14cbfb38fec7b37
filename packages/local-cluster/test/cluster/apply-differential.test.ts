/**
 * Compares patches and field ownership with a real API server.
 *
 * Each step of each script runs on the server and by our functions, from the object that the server had before the
 * step. Then objects, owners and errors are compared. A script is a sequence of writes by several managers.
 *
 * Not covered are owners of an empty object, references, selectors, objects in fields without a schema, and the order
 * of items in applied lists.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { configMapStories } from './apply-config-maps.ts';
import { EXAMPLE_DEFINITION, exampleStories } from './apply-examples.ts';
import type { Script, Step, Story } from './apply-steps.ts';
import { deploymentStories, podStories, serviceStories } from './apply-workloads.ts';
import {
  type Answer,
  completed,
  type Place,
  playOurs,
  playReal,
  readSettled,
  versionOf,
} from './apply-stand.ts';
import {
  type ClusterConnection,
  connectToCluster,
  makeNamespace,
} from '../../../../test/cluster/real-cluster.ts';

const DEFINITION_PATH =
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/examples.a1.lifehook.test';

const SCRIPTS: readonly Script[] = [
  ...scripts('ConfigMap', configMapStories),
  ...scripts('Deployment', deploymentStories),
  ...scripts('Service', serviceStories),
  ...scripts('Pod', podStories),
  ...scripts('Example', exampleStories),
];

function scripts(kind: Script['kind'], stories: readonly Story[]): Script[] {
  return stories.map(([title, ...steps]) => ({ title, kind, steps }));
}

let cluster: ClusterConnection;
let namespace: string;
let removeNamespace: () => Promise<void>;

beforeAll(async () => {
  cluster = connectToCluster();
  await cluster.client.raw({
    method: 'PATCH',
    path: DEFINITION_PATH,
    query: { fieldManager: 'a1' },
    body: EXAMPLE_DEFINITION,
    contentType: 'application/apply-patch+yaml',
  });
  await untilServed();
  const made = await makeNamespace(cluster.client, 'a1-apply');
  namespace = made.namespace;
  removeNamespace = made.remove;
});

afterAll(async () => {
  await removeNamespace();
  await cluster.client.raw({ method: 'DELETE', path: DEFINITION_PATH });
  cluster.connection.transport.close();
});

/** Waits until the server serves the new kind and has its type, which takes longer. */
async function untilServed(): Promise<void> {
  await vi.waitFor(
    async () => {
      const types = await cluster.client.raw({ method: 'GET', path: '/openapi/v2' });
      expect(JSON.stringify(types).includes('test.lifehook.a1.v1.Example')).toBe(true);
    },
    { timeout: 60_000, interval: 500 },
  );
}

describe.each(SCRIPTS.map((script, at) => ({ ...script, at })))('$kind: $title', (script) => {
  it('has the same result as on the real server', async () => {
    const place = { client: cluster.client, namespace, kind: script.kind, name: `s${script.at}` };
    for (const [at, step] of script.steps.entries()) {
      const title = `step ${at + 1}: ${step.do} by ${step.by}`;
      await compareStep(place, step, title);
    }
    await cleanUp(place, script);
  });
});

async function compareStep(place: Place, step: Step, title: string): Promise<void> {
  const live = await readSettled(place);
  const real = await playReal(place, step, live);
  const after = 'object' in real ? real.object : undefined;
  const ours = playOurs(place, step, { live, after, now: timeOf(after, step.by) });
  if (!('object' in real) || !('object' in ours)) {
    expect(refusalOf(ours), title).toEqual(refusalOf(real));
    return;
  }
  expect(ownersOf(ours.object), `${title}: owners`).toEqual(ownersOf(real.object));
  // Skipped if the create filled in fields: `completed` updates the object, and an update must not omit those fields.
  const isFilledIn = place.kind === 'Pod' || place.kind === 'Service';
  if (!isFilledIn || live !== undefined) {
    const whole = await completed(place, ours.object);
    expect(withoutOwners(whole), `${title}: object`).toEqual(withoutOwners(real));
  }
  if (step.do === 'apply' && versionOf(live) === versionOf(real.object)) {
    const again = playOurs(place, step, { live, after, now: '2099-01-01T00:00:00Z' });
    expect(again, `${title}: nothing moved`).toEqual({ object: live });
  }
}

/** The newest time of the manager's entries in managedFields, which is when the server recorded the step. */
function timeOf(object: JsonObject | undefined, manager: string): string {
  const times = ownersOf(object ?? {})
    .filter((entry) => entry['manager'] === manager)
    .map((entry) => textOf(entry['time']));
  return times.toSorted().at(-1) ?? '2000-01-01T00:00:00Z';
}

function ownersOf({ metadata }: JsonObject): JsonObject[] {
  return ((metadata as JsonObject | undefined)?.['managedFields'] ?? []) as JsonObject[];
}

function withoutOwners(answer: Answer): unknown {
  if (!('object' in answer)) return answer;
  const {
    managedFields: _,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = answer.object['metadata'] as JsonObject;
  // The status is ignored, because controllers write it meanwhile.
  return { ...answer.object, metadata, status: null };
}

/**
 * The comparable part of an error. Problems are sorted, because they have no order. The time in a conflict is removed.
 */
function refusalOf(answer: Answer): unknown {
  if ('object' in answer) return answer;
  const { code, message, causes } = answer;
  if (code !== 409) {
    const lines = message.replace(/ object \([^)]*\)/, ' object').split('\n');
    return { code, lines: lines.toSorted() };
  }
  const fields = causes.map((cause: Json) => {
    const { message: owner, field } = cause as JsonObject;
    return `${textOf(owner).replace(/ at \S+$/, '')}: ${textOf(field)}`;
  });
  return { code, fields: fields.toSorted() };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Removes finalizers, which would keep the namespace. */
async function cleanUp(place: Place, { kind }: Script): Promise<void> {
  if (kind !== 'ConfigMap') return;
  await playReal(
    place,
    { do: 'patch', by: 'cleanup', type: 'merge', body: { metadata: { finalizers: null } } },
    undefined,
  );
}
