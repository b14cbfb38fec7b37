/** The pod cases on the local node, whose behaviour must equal that of a recorded real kubelet. */
import { afterAll, beforeAll, describe, it } from 'vitest';

import { namespaces } from '../../src/kube/resources.ts';
import { asOnLocalNode } from '../fixtures/pod-cases/local-words.ts';
import { playCase } from '../fixtures/pod-cases/play.ts';
import { podCases, readRecording } from '../fixtures/pod-cases/recording.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const NAMESPACE = 'pod-cases';

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
