/**
 * Checks on a real cluster the kubectl transcripts that the local cluster must match. LIFEHOOK_RECORD=1 records them
 * again.
 * @module-tag recorded-release
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { playAll } from '../conformance/kubectl/play-all.ts';
import { clusterKubectl, kubeconfigPath } from './real-cluster.ts';

const PLAY_TIMEOUT_MS = 1_800_000;

it(
  'the transcripts of kubectl equal its output on a real cluster (ROLL-E12 in rollout.txt)',
  async () => {
    const kubeconfig = kubeconfigPath();
    const home = await mkdtemp(join(tmpdir(), 'transcripts-home-'));
    try {
      const stage = { kubectl: clusterKubectl(), kubeconfig, home, node: 'node' };
      const departures = await playAll('real', stage);
      expect(departures.map(({ received }) => received).join('\n')).toBe(
        departures.map(({ expected }) => expected).join('\n'),
      );
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
  PLAY_TIMEOUT_MS,
);
