/**
 * A real API server must give the recorded answers.
 * @module-tag recorded-release
 */
import process from 'node:process';
import { expect, it } from 'vitest';

import { type Comparison, compareRecordings } from '../conformance/compare.ts';
import { play } from '../conformance/play.ts';
import { openQuietNamespace } from '../conformance/quiet-namespace.ts';
import { readRecordings, writeRecordings } from '../conformance/recording-files.ts';
import type { Recording } from '../conformance/scenario.ts';
import { scenarios } from '../conformance/suite.ts';
import { connectToCluster } from './real-cluster.ts';

const PLAY_TIMEOUT_MS = 1_200_000;

/** The local cluster is tested against this recording. LIFEHOOK_RECORD=1 records the answers again. */
it(
  'the recording equals the answers of the real API server',
  async () => {
    const received = await playAll();
    if (process.env['LIFEHOOK_RECORD'] === '1') writeRecordings(received);
    const recorded = readRecordings();
    const differences = received.flatMap((recording) => compared(recording, recorded).differences);
    expect(differences.slice(0, 20)).toEqual([]);
  },
  PLAY_TIMEOUT_MS,
);

async function playAll(): Promise<readonly Recording[]> {
  const { connection, client } = connectToCluster();
  const { transport } = connection;
  try {
    await using quiet = await openQuietNamespace(client);
    const { namespace, liveNamespace } = quiet;
    const received: Recording[] = [];
    for (const scenario of scenarios()) {
      received.push(await play(scenario, { transport, namespace, liveNamespace }));
    }
    return received;
  } finally {
    transport.close();
  }
}

function compared(received: Recording, recorded: ReadonlyMap<string, Recording>): Comparison {
  const expected = recorded.get(received.scenario) ?? { ...received, exchanges: [] };
  return compareRecordings(expected, received);
}
