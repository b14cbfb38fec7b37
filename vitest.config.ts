import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

import { needTags, skippedByNeed } from './test/needs.ts';
import { secondTries } from './test/second-tries.ts';

const project = (name: string, include: string[], more: object = {}): object => ({
  test: { name, include, ...more },
});

const isCi = process.env['CI'] !== undefined;

/** The gate tries once more what fails, and tells how often: docs/decisions/second-try.md. */
const retry = isCi ? 1 : 0;

/** Suites that drive real programs get time, and run file by file: they share one small machine. */
const realPrograms = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  fileParallelism: false,
  retry,
};

/** Databases, faults, kills, rollouts on a real cluster, a clean machine: more than half an hour, which the gate has not got. */
const longOnes = [
  'test/cluster/snapshot-faults*.test.ts',
  'test/cluster/snapshot-databases*.test.ts',
  'test/e2e/snapshot-databases*.test.ts',
  'test/cluster/rollout-migration*.test.ts',
  'test/cluster/rollout-cases.test.ts',
  'test/cluster/rollout-rows.test.ts',
  'test/cluster/rollout-kills.test.ts',
  'test/e2e/rollout-kills.test.ts',
  'test/cluster/install-*.test.ts',
  'test/cluster/kubectl-transcripts.test.ts',
  'test/clean/*.test.ts',
];

const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ['default', secondTries, skippedByNeed],
    tags: needTags(isCi),
    projects: [
      project('unit', ['src/**/*.test.ts', 'shim/**/*.test.ts', 'test/sim/**/*.test.ts'], {
        testTimeout: 30_000,
        retry,
      }),
      project('tidy', ['test/tidy.test.ts']),
      project('e2e', ['test/e2e/**/*.test.ts'], { ...realPrograms, exclude: longOnes }),
      project('system', ['test/system/**/*.test.ts'], realPrograms),
      project('cluster', ['test/cluster/**/*.test.ts'], { ...realPrograms, exclude: longOnes }),
      project('reliability', longOnes, realPrograms),
    ],
  },
});

export default config;
