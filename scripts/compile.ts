/**
 * `compile.ts FOLDER`: runs the program that was built there on a cluster and on an image with hooks, and writes next
 * to each part the code that V8 compiled for that.
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
 * Two hooks that print: most of the code that a short pipeline command runs. Its image is a directory, which needs no
 * tool, and is loaded into the running cluster.
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
// The built program looks there for its parts, and starts them with the same arguments of Node: without the
// TypeScript loader.
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
    // Also after a failed build: the cluster is a separate process.
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

/** Runs in this process, since compiled code of another process is not visible. */
async function compileCluster(): Promise<void> {
  const part = loadCompiled<typeof main>(folder, 'cluster');
  const options = {
    cluster: 'local',
    runner: 'auto',
    controllers: true,
    port: 0,
    endpointDelay: 0,
  } as const;
  // A new state directory: the first start compiles most.
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
