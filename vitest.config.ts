import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

import { needTags, skippedByNeed } from './test/needs.ts';
import { progress } from './test/progress.ts';

if (/[#%?]/.test(process.cwd())) {
  throw new Error(
    `Vite cannot load files below a path with "#", "%" or "?": move ${process.cwd()}`,
  );
}

const project = (name: string, include: string[], more: object = {}): object => ({
  test: { name, include, ...more },
});

/** Unit tests that need a program or root; not in `npm test`. */
const needsTools = '**/*.tools.test.ts';

/** Time limits: ten times the duration of the longest test on an idle machine. */
const generous = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

/** One process runs many files, one after another (docs/decisions/shared-test-processes.md). */
const shared = { ...generous, pool: 'forks', isolate: false, setupFiles: 'test/fixed-seed.ts' };

/** Longer time limits for suites that drive real programs. */
const realPrograms = {
  ...generous,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  globalSetup: 'test/require-needs.ts',
};

/**
 * One file at a time, because their programs share state of the machine, such as podman's containers or one cluster.
 */
const alone = { ...realPrograms, fileParallelism: false };

/**
 * Excluded from the gate, because they take more than half an hour: databases, faults, kills, rollouts on a real
 * cluster, a clean machine.
 */
const longOnes = [
  'test/cluster/snapshot-faults*.test.ts',
  'test/cluster/snapshot-databases*.test.ts',
  'test/e2e/snapshot-databases*.test.ts',
  'test/cluster/rollout-migration*.test.ts',
  'test/cluster/rollout-cases.test.ts',
  'test/cluster/rollout-rows.test.ts',
  'test/cluster/rollout-kills.test.ts',
  'test/e2e/rollout-kills.test.ts',
  'test/e2e/snapshot-restore-kills.test.ts',
  'test/cluster/install-*.test.ts',
  'test/cluster/chart.test.ts',
  'test/cluster/webhook-replicas.test.ts',
  'test/cluster/kubectl-transcripts.test.ts',
  'test/clean/*.test.ts',
];

const unitTests = [
  'src/**/*.test.ts',
  'packages/*/src/**/*.test.ts',
  'shim/**/*.test.ts',
  'test/sim/**/*.test.ts',
  'test/mutants/**/*.test.ts',
  'test/*.test.ts',
];

const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ['minimal', progress, skippedByNeed],
    tags: needTags(),
    // More than the cores of a small machine, because most of these tests only wait.
    maxWorkers: 3,
    // For `npm run coverage`. Files that no test loads count too.
    coverage: {
      provider: 'v8',
      include: ['{src,shim}/**/*.ts', 'packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['json-summary'],
      reportOnFailure: true,
    },
    projects: [
      project('unit', unitTests, {
        ...shared,
        exclude: [needsTools],
      }),
      project('first', ['test/first/**/*.test.ts'], {
        ...generous,
        globalSetup: 'test/require-build.ts',
      }),
      project('tools', [needsTools], { ...shared, globalSetup: 'test/require-needs.ts' }),
      project('e2e', ['test/e2e/**/*.test.ts'], { ...realPrograms, exclude: longOnes }),
      project('programs', ['test/programs/**/*.test.ts'], realPrograms),
      // After the programs: vitest refuses one group whose projects run different numbers of files at a time.
      project('system', ['test/system/**/*.test.ts'], { ...alone, sequence: { groupOrder: 1 } }),
      project('peers', ['test/peers/**/*.test.ts'], alone),
      project('cluster', ['test/cluster/**/*.test.ts', 'packages/*/test/cluster/**/*.test.ts'], {
        ...alone,
        exclude: longOnes,
      }),
      project('reliability', longOnes, alone),
    ],
  },
});

export default config;
