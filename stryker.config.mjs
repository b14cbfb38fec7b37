/** Mutants of the code that decides: `npm run mutants`. The tests are those that MUTANT_TESTS names, comma-separated. */
export default {
  testRunner: 'vitest',
  // TypeScript 7 has no API that the tool knows: a file that does not exist keeps it away.
  tsconfigFile: 'none',
  vitest: { configFile: 'vitest.mutants.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'reports/mutants.json',
  concurrency: 2,
  timeoutMS: 20_000,
  tempDirName: '.stryker-tmp',
  reporters: ['clear-text', 'json'],
};
