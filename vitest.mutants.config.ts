/** The unit tests that have to kill the mutants: those that MUTANT_TESTS names, comma-separated folders and files. */
import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const { MUTANT_TESTS = 'src/**,packages/**' } = process.env;

const config: ViteUserConfig = defineConfig({
  test: {
    include: MUTANT_TESTS.split(',').map((path) =>
      path.endsWith('.test.ts') ? path : `${path}/*.test.ts`,
    ),
    exclude: ['**/*.tools.test.ts', '**/node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: true,
    setupFiles: 'test/fixed-seed.ts',
  },
});

export default config;
