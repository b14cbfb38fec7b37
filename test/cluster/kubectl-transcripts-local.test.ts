/**
 * The local cluster must answer kubectl commands as a real cluster did. The test uses the kubectl of the recording.
 * @module-tag recorded-release
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { playAll } from '../conformance/kubectl/play-all.ts';
import { readTranscripts, reasonsOf } from '../conformance/kubectl/transcript-files.ts';
import { readTranscript, withAnswer, writeTranscript } from '../conformance/kubectl/transcript.ts';
import { type ClusterStand, openCluster } from '../e2e/cluster-stand.ts';
import { clusterKubectl } from './real-cluster.ts';

const PLAY_TIMEOUT_MS = 1_800_000;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

describe('kubectl on the local cluster', () => {
  it(
    'prints the same as on the real cluster, except for documented reasons (ROLL-E12 in rollout.txt)',
    async () => {
      const { kubeconfig, folder } = cluster;
      const home = join(folder, 'home');
      const stage = { kubectl: clusterKubectl(), kubeconfig, home, node: 'lifehook' };
      const departures = await playAll('local', stage);
      expect(departures.map(({ received }) => received).join('\n')).toBe(
        departures.map(({ expected }) => expected).join('\n'),
      );
    },
    PLAY_TIMEOUT_MS,
  );

  it('differs only for the reasons in docs/local-cluster-differences.md', () => {
    const rows = readFileSync('docs/local-cluster-differences.md', 'utf8')
      .split('## kubectl')[1]
      ?.split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, commands, why]) => `${commands}: ${why}`);
    const reasons = [...reasonsOf(readTranscripts())].map(([why, names]) => `${names}: ${why}`);
    expect(reasons.toSorted()).toEqual(rows?.toSorted());
  });
});

describe('a transcript', () => {
  const text = [
    'A head.\n',
    '$ first\n> goes on\nsame\nreal  | a\nlocal | b\nwhy   | because\nsame again\n',
    '$ second\n[exit 1]\n',
  ].join('\n');

  it('is unchanged after it was read and written', () => {
    expect(writeTranscript(readTranscript(text))).toBe(text);
    expect(readTranscript(text).steps[0]?.command).toBe('first\ngoes on');
  });

  it('keeps the reasons of known differences, and marks new ones', () => {
    const [step] = readTranscript(text).steps;
    if (step === undefined) throw new Error('it has none');
    const answer = ['same', 'b', 'same again', 'more'];
    const changed = withAnswer(step, 'local', answer);
    expect(writeTranscript({ head: '', steps: [changed] }).trim()).toBe(
      [
        '$ first\n> goes on\nsame\nreal  | a\nlocal | b\nwhy   | because\nsame again',
        'local | more\nwhy   | ?',
      ].join('\n'),
    );
  });

  it('is refused with a difference without a reason', () => {
    expect(() => readTranscript('A head.\n\n$ a\nreal  | b\n')).toThrow('without a reason');
  });
});
