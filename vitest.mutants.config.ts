import { defineConfig } from 'vitest/config';

const { MUTANT_TESTS = 'src/**' } = process.env;

export default defineConfig({
  test: {
    include: MUTANT_TESTS.split(',').map((folder) => `${folder}/*.test.ts`),
    exclude: ['**/*.tools.test.ts', '**/node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: 'test/fixed-seed.ts',
  },
});
