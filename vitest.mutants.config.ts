/** The unit tests that have to kill the mutants: those of the folders that MUTANT_TESTS names, comma-separated. */
import process from 'node:process';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const { MUTANT_TESTS = 'src/**' } = process.env;

const config: ViteUserConfig = defineConfig({
  test: {
    include: MUTANT_TESTS.split(',').map((folder) => `${folder}/*.test.ts`),
    exclude: ['**/*.tools.test.ts', '**/node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: true,
    setupFiles: 'test/fixed-seed.ts',
  },
});

export default config;
