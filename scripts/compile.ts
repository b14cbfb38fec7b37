/**
 * `compile.ts FOLDER`: writes V8's compiled code next to each part of the program in FOLDER. To get that code it runs
 * commands of the program: it starts a local cluster, and builds an image with hooks.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import type * as main from '../src/cli/cluster/cluster-main.ts';
import { readRunning } from '../src/cli/cluster/cluster-state.ts';
import { type Compiled, compiledName, loadCompiled } from '../src/cli/program-files.ts';
import type * as program from '../src/cli/program.ts';
import type * as upProgram from '../src/cli/up-program.ts';

const PATIENCE_MS = 30_000;
const POLL_MS = 20;

/**
 * A pipeline with two hooks that print, which runs most of the code of a short pipeline command. Its image is built
 * from a directory, which needs no tool, and is loaded into the running cluster.
 */
const PIPELINE = `apiVersion: skaffold/v4beta11
kind: Config
build:
  local: { push: false }
  tagPolicy: { sha256: {} }
  artifacts:
    - image: web
      custom: { buildCommand: "true", dependencies: { paths: [skaffold.yaml] } }
      hooks:
        before: [{ command: ["echo", "one"] }]
        after: [{ command: ["echo", "two"] }]
`;

const folder = resolve(process.argv[2] ?? 'dist');
// The built program looks for its parts next to argv[1]. It starts them with the arguments of this Node, so the
// TypeScript loader is removed.
process.argv[1] = join(folder, 'lifehook.js');
process.execArgv.splice(0);
const state = await mkdtemp(join(tmpdir(), 'lifehook-compile-'));
try {
  await compileProgram();
  await compileCluster();
} finally {
  await rm(state, { recursive: true, force: true });
}

async function compileProgram(): Promise<void> {
  const up = loadCompiled<typeof upProgram>(folder, 'up');
  const part = loadCompiled<typeof program>(folder, 'program');
  await call(up.exports.runUpProgram, 'up');
  try {
    await keep('up', up);
    await call(part.exports.runProgram, 'status');
    await compilePipeline(part);
  } finally {
    // Also after a failed build, because the cluster is a separate process.
    await call(part.exports.runProgram, 'down');
  }
  await keep('program', part);
}

async function call(
  run: (args: readonly string[]) => Promise<number>,
  command: string,
): Promise<void> {
  const code = await run([command, '--state-dir', state]);
  if (code !== 0) throw new Error(`lifehook ${command} ends with code ${code}`);
}

async function compilePipeline({ exports }: Compiled<typeof program>): Promise<void> {
  const project = join(state, 'project');
  const file = join(project, 'skaffold.yaml');
  await mkdir(join(project, 'root'), { recursive: true });
  await writeFile(file, PIPELINE);
  await writeFile(join(project, 'lifehook.yaml'), '{ folderBuilders: { web: { path: root } } }\n');
  process.env['KUBECONFIG'] = join(state, 'kubeconfig');
  const code = await exports.runProgram(['build', '--filename', file]);
  if (code !== 0) throw new Error(`lifehook build ends with code ${code}`);
}

/** Runs the cluster in this process, because the compiled code of another process cannot be read. */
async function compileCluster(): Promise<void> {
  const part = loadCompiled<typeof main>(folder, 'cluster');
  const options = {
    cluster: 'local',
    runner: 'auto',
    controllers: true,
    port: 0,
    endpointDelay: 0,
  } as const;
  // A new state directory, because the first start runs the most code.
  const fresh = join(state, 'fresh');
  await mkdir(fresh);
  const serving = part.exports.serve(fresh, options);
  await Promise.race([ready(fresh), serving]);
  process.emit('SIGTERM');
  const code = await serving;
  if (code !== 0) throw new Error(`the cluster ends with code ${code}`);
  await keep('cluster', part);
}

async function ready(folderOfState: string): Promise<void> {
  for (let waitedMs = 0; (await readRunning(folderOfState)) === null; waitedMs += POLL_MS) {
    if (waitedMs > PATIENCE_MS) throw new Error(`the cluster is not ready after ${waitedMs} ms`);
    await wait(POLL_MS);
  }
}

async function keep(name: string, { script, required }: Compiled<object>): Promise<void> {
  await writeFile(join(folder, compiledName(name)), script.createCachedData());
  for (const each of required) await keep(...each);
}
