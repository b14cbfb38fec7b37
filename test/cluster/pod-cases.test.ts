/**
 * A real kubelet plays the pod cases and does what is recorded. LIFEHOOK_RECORD=1 records it anew. Kubelets
 * of other minor releases have other words, so none of the cases is played there.
 */
import process from 'node:process';
import { afterAll, beforeAll, describe, it } from 'vitest';

import type { JsonObject } from '../../src/kube/object.ts';
import { playCase } from '../fixtures/pod-cases/play.ts';
import {
  podCases,
  readRecording,
  RECORDED_MINOR,
  writeRecording,
} from '../fixtures/pod-cases/recording.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

const RECORD = process.env['LIFEHOOK_RECORD'] === '1';

const cluster: ClusterConnection = connectToCluster();
const version = (await cluster.client.raw({ method: 'GET', path: '/version' })) as JsonObject;
const played = RECORD || version['minor'] === RECORDED_MINOR ? podCases : [];
let own: Awaited<ReturnType<typeof makeNamespace>>;

beforeAll(async () => {
  own = await makeNamespace(cluster.client, 'pod-cases');
});

afterAll(async () => {
  await own.remove();
  cluster.connection.transport.close();
});

describe('a pod on a real kubelet', () => {
  it('is recorded in each case', ({ expect }) => {
    for (const { name } of podCases) expect(readRecording(name).moments).not.toEqual([]);
  });

  it.concurrent.for(played)('$what ($name)', async (one, { expect: expectHere }) => {
    const place = { ...cluster, namespace: own.namespace };
    if (RECORD) {
      writeRecording(one.name, await playCase(one, place, null));
      return;
    }
    const recorded = readRecording(one.name);
    const seen = await playCase(one, place, recorded.events);
    expectHere(seen).toEqual(recorded);
  });
});
