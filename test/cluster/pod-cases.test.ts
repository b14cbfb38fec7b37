/**
 * A real kubelet must run the pod cases as recorded. LIFEHOOK_RECORD=1 records its behaviour again.
 * @module-tag recorded-release
 */
import process from 'node:process';
import { afterAll, beforeAll, describe, it } from 'vitest';

import { asCollected } from '../fixtures/pod-cases/collected.ts';
import { playCase } from '../fixtures/pod-cases/play.ts';
import { podCases, readRecording, writeRecording } from '../fixtures/pod-cases/recording.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

const RECORD = process.env['LIFEHOOK_RECORD'] === '1';

const cluster: ClusterConnection = connectToCluster();
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

  it.concurrent.for(podCases)('$what ($name)', async (one, { expect: expectHere }) => {
    const place = { ...cluster, namespace: own.namespace };
    if (RECORD) {
      writeRecording(one.name, await playCase(one, place, null));
      return;
    }
    const recorded = readRecording(one.name);
    const seen = await playCase(one, place, recorded.events);
    expectHere(seen).toEqual(asCollected(recorded, seen));
  });
});
