/**
 * Fuzz target "pipeline-config". For any skaffold.yaml, skaffold.env and lifehook.yaml, reading gives a configuration
 * or a LifehookError whose problems have places, in bounded time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import * as fc from 'fast-check';
import { readPipeline } from '../../src/lifecycles/pipeline/config/read-pipeline.ts';
import { LifehookError } from '../../src/model/problem.ts';

const ONE_READING_MAX_MS = 5_000;
const FIXTURES = 'test/fixtures/pipeline/configs';

const LINES = `build: {artifacts: [{image: a, sync: {manual: [{src: x}, {dest: y}]}}]}
profiles: [{name: p, activation: [{env: "A=("}], patches: [{path: /build/artifacts/0, op: move}]}]
requires: [{path: .}, {configs: [x]}, {git: {}}]
  - *x
<<: *a
&a b: [*a]
__proto__: {constructor: 1}
deploy: {kubectl: {hooks: {before: [{}, 1, null, {container: true}]}}}`.split('\n');

export async function fuzzPipelineConfig({
  runs,
  seed,
}: {
  runs: number;
  seed: number;
}): Promise<void> {
  const files = readdirSync(FIXTURES).map((name) => readFileSync(`${FIXTURES}/${name}`, 'utf8'));
  const piece = fc.oneof(
    fc.constantFrom(...LINES.map((line) => `\n${line}\n`)),
    fc.string({ maxLength: 6 }),
  );
  const edit = fc.record({ at: fc.nat(), length: fc.nat({ max: 12 }), put: piece });
  const text = fc
    .tuple(fc.constantFrom(...files), fc.array(edit, { maxLength: 4 }))
    .map(([file, edits]) =>
      edits.reduce((one, { at, length, put }) => {
        const place = at % (one.length + 1);
        return one.slice(0, place) + put + one.slice(place + length);
      }, file),
    );
  const side = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom(...LINES));
  const own = fc.oneof(side, fc.constant('policies: {build/web/after/0: {retries: 1}}'));
  await fc.assert(fc.asyncProperty(text, side, own, checkReading), { numRuns: runs, seed });
}

async function checkReading(text: string, env: string | null, own: string | null): Promise<void> {
  const files = new Map([
    ['/p/skaffold.yaml', text],
    ['/p/skaffold.env', env],
    ['/p/lifehook.yaml', own],
  ]);
  const started = performance.now();
  try {
    await readPipeline({
      file: '/p/skaffold.yaml',
      profiles: [],
      env: { A: 'a' },
      command: 'dev',
      facts: {
        readText: async (path) => files.get(path) ?? null,
        isFolder: async () => false,
        kubeContext: async () => null,
      },
    });
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    const nowhere = error.problems.find(
      ({ at }) => at === undefined || at.line < 1 || at.column < 1,
    );
    if (nowhere !== undefined)
      throw new Error(`${nowhere.code} is nowhere: ${nowhere.message}`, { cause: error });
  }
  if (performance.now() - started > ONE_READING_MAX_MS) throw new Error('took too long');
}
