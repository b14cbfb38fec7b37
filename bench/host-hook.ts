/**
 * What a host hook costs over a bare spawn of the same program: with its record on the disk before it is started, its
 * channels for values, and its output told. And builds of many artifacts with hooks of their own.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { runBuild } from '../src/lifecycles/pipeline/build/run-build.ts';
import type { StageHooks } from '../src/lifecycles/pipeline/hooks/model.ts';
import { RunRecords } from '../src/lifecycles/pipeline/hooks/run-records.ts';
import { nodeFiles } from '../src/platform/files.ts';
import { nodeScratchFiles } from '../src/platform/node-scratch-files.ts';
import { FileLedger } from '../src/store/file-ledger.ts';
import { procTable } from '../src/store/process-table.ts';
import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
  NO_HOOKS,
} from '../test/fixtures/pipeline/build-stand.ts';
import { hostHook } from '../test/fixtures/pipeline/sample-hooks.ts';
import { type BenchResult, interleave, median } from './measure.ts';

const ROUNDS = 25;
/** In one round, so that the timer's own grain does not count. */
const HOOKS = 10;
const GOAL_MS = 2;

const ARTIFACTS = 20;
const BUILD_ROUNDS = 5;

const PROGRAM = '/bin/true';

export async function hostHooks(): Promise<readonly BenchResult[]> {
  // Not in the folder for temporary files, which may lie in memory, where a sync costs nothing.
  const folder = resolve('dist');
  mkdirSync(folder, { recursive: true });
  const state = mkdtempSync(join(folder, 'bench-hooks-'));
  const processes = procTable(nodeFiles);
  const ledger = await FileLedger.open({ files: nodeFiles, folder: join(state, 'j'), processes });
  const context = {
    ledger,
    records: new RunRecords(nodeScratchFiles, join(state, 'runs')),
    scratchFolder: join(state, 'scratch'),
  };
  try {
    return [...(await ofOneHook(context)), ...(await ofManyArtifacts(context))];
  } finally {
    await ledger.close();
    rmSync(state, { recursive: true });
  }
}

type Context = Pick<BuildStand['context'], 'ledger' | 'records' | 'scratchFolder'>;

let runs = 0;
const nextRunId = (): string => `bench-${(runs += 1)}`;

async function ofOneHook(context: Context): Promise<readonly BenchResult[]> {
  const stand = buildStand({ context: { ...context, nextRunId } });
  const hooks = Array.from({ length: HOOKS }, (_, index) =>
    hostHook([PROGRAM], { address: `build/web/before/${index}` }),
  );
  const times = await interleave(
    [
      {
        name: 'bare',
        run: async () => {
          for (const _ of hooks) await bareSpawn();
        },
      },
      {
        name: 'hook',
        run: async () => {
          const { outcome } = await stand.run(hooks);
          if (outcome !== 'Succeeded') throw new Error(`the hooks ended as ${outcome}`);
        },
      },
    ],
    ROUNDS,
  );
  stand.remove();
  const each = (name: string): number => median(times.get(name) ?? []) / HOOKS;
  return [
    {
      name: 'host-hook',
      value: each('hook') - each('bare'),
      unit: 'ms',
      goal: GOAL_MS,
      against: `a bare spawn (${each('bare').toFixed(2)} ms)`,
      samples: ROUNDS,
    },
  ];
}

function bareSpawn(): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(PROGRAM, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.on('error', fail);
    child.on('close', () => {
      done();
    });
  });
}

/** 20 artifacts that are built at once, each with 2 hooks before and 2 after, beside as many bare spawns. */
async function ofManyArtifacts(context: Context): Promise<readonly BenchResult[]> {
  const stand = buildStand({
    context: { ...context, nextRunId },
    concurrency: 0,
    options: { cacheArtifacts: false, push: true },
    artifactsIn: (folder) =>
      Array.from({ length: ARTIFACTS }, (_, index) => {
        const image = `image-${index}`;
        return artifactIn(folder, image, { builder: customBuilder('true'), hooks: hooksOf(image) });
      }),
  });
  const spawns = Array.from({ length: ARTIFACTS * 5 });
  const times = await interleave(
    [
      {
        name: 'bare',
        run: async () => {
          await Promise.all(spawns.map(() => bareSpawn()));
        },
      },
      {
        name: 'build',
        run: async () => {
          const result = await runBuild(stand.session);
          if (result.outcome !== 'Succeeded') throw new Error(result.message);
        },
      },
    ],
    BUILD_ROUNDS,
  );
  stand.remove();
  const whole = (name: string): number => median(times.get(name) ?? []);
  return [
    {
      name: 'artifacts-20-with-4-hooks',
      value: whole('build'),
      unit: 'ms',
      goal: null,
      against: `${spawns.length} bare spawns at once (${whole('bare').toFixed(0)} ms)`,
      samples: BUILD_ROUNDS,
    },
  ];
}

function hooksOf(image: string): StageHooks {
  const of = (when: 'before' | 'after'): StageHooks['before'] =>
    [0, 1].map((index) =>
      hostHook([PROGRAM], { address: `build/${image}/${when}/${index}`, when }),
    );
  return { ...NO_HOOKS, before: of('before'), after: of('after') };
}
