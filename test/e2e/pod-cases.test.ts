/** The pod cases on the local node, whose behaviour must equal that of a recorded real kubelet. */
import { afterAll, beforeAll, describe, it } from 'vitest';

import type { JsonObject } from '../../src/kube/object.ts';
import { namespaces } from '../../src/kube/resources.ts';
import { playCase } from '../fixtures/pod-cases/play.ts';
import type { PodCase, Seen } from '../fixtures/pod-cases/pod-case.ts';
import { podCases, readRecording } from '../fixtures/pod-cases/recording.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const NAMESPACE = 'pod-cases';

/** The differences of the local node from a kubelet, by the name of the case. */
const CHANGES: Readonly<Record<string, (recorded: Seen) => Seen>> = {
  // On the local node the sleep ends when its container exits, and the node reports a failed hook.
  'pre-stop-ended': (recorded) => {
    const { app = [] } = recorded.events;
    const failed = 'Warning FailedPreStopHook: PreStopHook failed';
    return { ...recorded, events: { app: [...app, failed] } };
  },
  // The local node reports an image by the name that the pod uses.
  'image-changes': ({ moments: [ready = {}, ...others], events }) => ({
    events,
    moments: [ready, ...others.map(withShortName)],
  }),
};

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
  await cluster.client.create(namespaces, { metadata: { name: NAMESPACE } });
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

describe('a pod on the local node', () => {
  it.concurrent.for(podCases)('$what ($name)', async (one, { expect }) => {
    const recorded = asOnLocalNode(one, readRecording(one.name));
    const place = { ...cluster, namespace: NAMESPACE };
    expect(await playCase(one, place, recorded.events)).toEqual(recorded);
  });
});

/** The recording as the local node must show it. The node differs from a kubelet on purpose (docs/pods.md). */
function asOnLocalNode({ name }: PodCase, recorded: Seen): Seen {
  const change = CHANGES[name];
  return change === undefined ? recorded : change(recorded);
}

function withShortName(moment: JsonObject): JsonObject {
  const text = JSON.stringify(moment).replaceAll('docker.io/local/', 'local/');
  return JSON.parse(text) as JsonObject;
}
