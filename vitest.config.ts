import { defineConfig, type ViteUserConfig } from 'vitest/config';

const project = (name: string, include: string[], more: object = {}): object => ({
  test: { name, include, ...more },
});

/** Suites that drive real programs get time, and run file by file: they share one small machine. */
const realPrograms = { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false };

const config: ViteUserConfig = defineConfig({
  test: {
    projects: [
      project('unit', ['src/**/*.test.ts', 'shim/**/*.test.ts', 'test/sim/**/*.test.ts'], {
        testTimeout: 30_000,
      }),
      project('tidy', ['test/tidy.test.ts']),
      project('e2e', ['test/e2e/**/*.test.ts'], realPrograms),
      project('system', ['test/system/**/*.test.ts'], realPrograms),
      project('cluster', ['test/cluster/**/*.test.ts'], realPrograms),
    ],
  },
});

export default config;
