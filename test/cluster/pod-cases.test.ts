/**
 * A real kubelet must run the pod cases as recorded. LIFEHOOK_RECORD=1 records its behaviour again.
 * @module-tag recorded-release
 */
import process from 'node:process';
import { afterAll, beforeAll, describe, it } from 'vitest';

import type { JsonObject } from '../../src/kube/object.ts';
import type { Seen } from '../fixtures/pod-cases/pod-case.ts';
import { playCase } from '../fixtures/pod-cases/play.ts';
import { podCases, readRecording, writeRecording } from '../fixtures/pod-cases/recording.ts';
import { type ClusterConnection, connectToCluster, makeNamespace } from './real-cluster.ts';

const RECORD = process.env['LIFEHOOK_RECORD'] === '1';

/** Messages of a pod whose sandbox is stopped, or removed. */
const STOPPED = 'pod sandbox is not ready';
const REMOVED = 'no pod sandbox exists';

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

/**
 * The recording, changed for each moment in which `seen` shows a removed sandbox. Once a minute a kubelet removes the
 * sandboxes of ended pods. If it does so before the last status of a pod, that status has no addresses and has another
 * message.
 */
function asCollected(recorded: Seen, seen: Seen): Seen {
  const moments = recorded.moments.map((moment, at) =>
    sandboxMessage(seen.moments[at]) === REMOVED && sandboxMessage(moment) === STOPPED
      ? withoutSandbox(moment)
      : moment,
  );
  return { ...recorded, moments };
}

function withoutSandbox({ podIP: _podIP, podIPs: _podIPs, ...moment }: JsonObject): JsonObject {
  const conditions = conditionsOf(moment).map((condition) =>
    condition['message'] === STOPPED ? { ...condition, message: REMOVED } : condition,
  );
  return { ...moment, conditions };
}

function sandboxMessage(moment: JsonObject = {}): unknown {
  return conditionsOf(moment).find(({ type }) => type === 'PodReadyToStartContainers')?.['message'];
}

function conditionsOf(moment: JsonObject): readonly JsonObject[] {
  return (moment['conditions'] ?? []) as JsonObject[];
}
