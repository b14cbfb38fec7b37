/**
 * The cases of starts, exits and probes (`node-life-cases.ts`, `node-probe-cases.ts`), with containers that are plain
 * processes.
 */
import { afterAll, beforeAll } from 'vitest';

import { lifeCases } from './node-life-cases.ts';
import { probeCases } from './node-probe-cases.ts';
import { type Bench, openBench } from './pod-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('process');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

lifeCases(() => bench);
probeCases(() => bench);
