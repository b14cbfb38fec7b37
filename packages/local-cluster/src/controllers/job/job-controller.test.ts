import { expect, it } from 'vitest';

import { ago, NOW_MS, sampleJob } from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { expiresInMs } from './job-controller.ts';

const ended = (type: string, seconds: number): object => ({
  conditions: [{ type, status: 'True', lastTransitionTime: ago(seconds) }],
});

it.each<[string, number | undefined, object, number | null]>([
  ['that has not finished does not expire', 10, {}, null],
  ['without a TTL does not expire', undefined, ended('Complete', 60), null],
  [
    'that finished less than its TTL ago expires at the end of the TTL',
    10,
    ended('Failed', 4),
    6_000,
  ],
  ['that finished longer ago than its TTL expires at once', 10, ended('Complete', 60), 0],
])('a job %s', (_, ...[seconds, status, ms]) => {
  const spec = seconds === undefined ? {} : { ttlSecondsAfterFinished: seconds };
  expect(expiresInMs(sampleJob(spec, status), NOW_MS)).toBe(ms);
});
