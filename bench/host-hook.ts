/**
 * The cost of a host hook for the user of `lifehook build`. It measures 1 and 51 hooks of /bin/true, whose difference
 * gives the time per hook, and the time that 300 000 lines of output add. If $LIFEHOOK_BENCH_SKAFFOLD or the PATH has
 * Skaffold, Lifehook and Skaffold take turns on the same files.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { pathOf } from '../test/needs.ts';
import { type BenchResult, type Candidate, interleave, median } from './measure.ts';
import { oneImageRegistry } from './one-image-registry.ts';

const ROUNDS = 15;
const MANY = 51;
const LINES = 300_000;

/** No goal: without Skaffold there is nothing to compare with. */
const NO_GOAL = null;

interface Program {
  readonly name: 'lifehook' | 'skaffold';
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

type Case = 'one' | 'many' | 'lines';

export async function hostHooks(): Promise<readonly BenchResult[]> {
  // Not the temporary directory: it may be in memory, where fsync costs nothing.
  mkdirSync(resolve('dist'), { recursive: true });
  const folder = mkdtempSync(resolve('dist/bench-hooks-'));
  const registry = await oneImageRegistry();
  try {
    const image = `localhost:${registry.port}/web`;
    const hook = '["/bin/true"]';
    writeProject(join(folder, 'one'), image, [hook]);
    writeProject(
      join(folder, 'many'),
      image,
      Array.from({ length: MANY }, () => hook),
    );
    writeProject(join(folder, 'lines'), image, [`["sh", "-c", "seq ${LINES}"]`]);
    return results(await measure(folder, programs(folder)));
  } finally {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function programs(folder: string): Program[] {
  const ours: Program = {
    name: 'lifehook',
    argv: [process.execPath, resolve('dist/lifehook.js')],
    env: process.env,
  };
  const skaffold = process.env['LIFEHOOK_BENCH_SKAFFOLD'] ?? pathOf('skaffold');
  if (skaffold === undefined) return [ours];
  // skaffold gets its own home directory, with a configuration that turns off metrics and surveys.
  const home = join(folder, 'home');
  mkdirSync(join(home, '.skaffold'), { recursive: true });
  writeFileSync(
    join(home, '.skaffold/config'),
    'global: { collect-metrics: false, survey: { disable-prompt: true } }\n',
  );
  const env = { ...process.env, HOME: home, SKAFFOLD_UPDATE_CHECK: 'false' };
  return [ours, { name: 'skaffold', argv: [skaffold], env }];
}

/** The builder builds nothing: the registry already has the image, and Skaffold checks that it exists after a push. */
function writeProject(folder: string, image: string, commands: readonly string[]): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src/a'), 'a\n');
  const hooks = commands.map((command) => `          - command: ${command}\n`).join('');
  writeFileSync(
    join(folder, 'skaffold.yaml'),
    `apiVersion: skaffold/v4beta11
kind: Config
build:
  local: { push: true }
  tagPolicy: { sha256: {} }
  artifacts:
    - image: ${image}
      custom: { buildCommand: "true", dependencies: { paths: [src] } }
      hooks:
        before:
${hooks}`,
  );
}

type Times = ReadonlyMap<string, readonly number[]>;

function measure(folder: string, all: readonly Program[]): Promise<Times> {
  const cases: readonly Case[] = ['one', 'many', 'lines'];
  const candidates = all.flatMap((program) =>
    cases.map((name): Candidate => ({
      name: `${program.name} ${name}`,
      run: () => build(program, join(folder, name)),
    })),
  );
  return interleave(candidates, ROUNDS);
}

function build({ name, argv, env }: Program, cwd: string): Promise<void> {
  const [file = '', ...args] = argv;
  return new Promise((done, fail) => {
    // Asynchronous, because the registry in this process must answer meanwhile. The output is read, as a terminal does.
    const child = spawn(file, [...args, 'build', '--cache-artifacts=false'], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let last = '';
    child.stdout.resume();
    child.stderr.on('data', (text: Buffer) => (last = text.toString()));
    child.on('error', fail);
    child.on('close', (code) => {
      if (code === 0) done();
      else fail(new Error(`${name} build exited with ${code}: ${last}`));
    });
  });
}

function results(times: Times): BenchResult[] {
  const rounds = (name: Program['name'], one: Case): readonly number[] =>
    times.get(`${name} ${one}`) ?? [];
  // The difference of two medians. The median of differences would add the noise of two whole commands.
  const added = (name: Program['name'], one: Case): number =>
    median(rounds(name, one)) - median(rounds(name, 'one'));
  const comparison = times.has('skaffold one');
  const result = (name: string, of: (program: Program['name']) => number): BenchResult => ({
    name,
    value: of('lifehook'),
    unit: 'ms',
    goal: comparison ? of('skaffold') : NO_GOAL,
    against: comparison
      ? `Skaffold (${of('skaffold').toFixed(2)} ms)`
      : 'nothing: no Skaffold here',
    samples: ROUNDS,
  });
  return [
    result('host-hook', (program) => added(program, 'many') / (MANY - 1)),
    result('host-hook-300000-lines', (program) => added(program, 'lines')),
    result('host-hook-build-of-one', (program) => median(rounds(program, 'one'))),
  ];
}
