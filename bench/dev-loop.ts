/**
 * The development loop: from the save of a file to the end of the hook after its sync, in a container of the local
 * cluster. It is measured with few watched files and with 10 000.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';

import type { PipelineEvent } from '../src/lifecycles/pipeline/events/pipeline-event.ts';
import { type ClusterStand, openWholeCluster } from '../test/e2e/cluster-stand.ts';
import { openProject, type Project, SERVE, type Started } from '../test/e2e/pipeline-stand.ts';
import { type BenchResult, median } from './measure.ts';

const ROUNDS = 25;
const FILES = 10_000;
const PER_FOLDER = 100;
const BYTES = 1_000;
const GOAL_MS = 250;
const POLL_MS = 5;

const SKAFFOLD = `apiVersion: skaffold/v4beta13
kind: Config
build:
  tagPolicy: { inputDigest: {} }
  artifacts:
    - image: web
      context: web
      sync:
        manual: [{ src: 'src/**', dest: . }]
        hooks:
          after:
            - container: { command: [cat, src/page.html] }
manifests: { rawYaml: [web.yaml] }
deploy: { kubectl: {} }
`;

const LIFEHOOK = `folderBuilders:
  web: { path: ., command: [sh, -c, '${SERVE}'] }
`;

const MANIFEST = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { terminationGracePeriodSeconds: 1, containers: [{ name: web, image: web }] }
`;

export async function devLoop(): Promise<readonly BenchResult[]> {
  await using cluster = await openWholeCluster('--runner', 'process');
  return [...(await measure(cluster, 0)), ...(await measure(cluster, FILES))];
}

async function measure(cluster: ClusterStand, files: number): Promise<readonly BenchResult[]> {
  using project = openProject(cluster.kubeconfig, {
    'skaffold.yaml': SKAFFOLD,
    'lifehook.yaml': LIFEHOOK,
    'web.yaml': MANIFEST,
    'web/src/page.html': 'first',
  });
  fill(join(project.folder, 'web/many'), files);
  const begunMs = performance.now();
  const dev = project.start(['dev', '--tail=false']);
  await until(dev, () => /^deploy .*: done in/mu.test(dev.out()));
  await synced(project, dev, 'warm');
  const readySeconds = (performance.now() - begunMs) / 1_000;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await synced(project, dev, `round ${round}`));
  }
  const megabytes = await residentMegabytes(dev);
  dev.child.kill('SIGINT');
  await dev.ended;
  const [load = 0] = loadavg();
  const name = files === 0 ? 'dev-loop' : `dev-loop-${files}-files`;
  const against = `nothing: from the save to the end of the hook after sync (load ${load.toFixed(1)})`;
  return [
    { name, value: median(times), unit: 'ms', goal: GOAL_MS, against, samples: ROUNDS },
    figure(`${name}-first`, readySeconds, {
      unit: 's',
      against: 'nothing: from the start of dev to the end of its first sync',
    }),
    figure(`${name}-memory`, megabytes, { unit: 'MB', against: 'nothing: resident, of dev' }),
  ];
}

function figure(
  name: string,
  value: number,
  { unit, against }: Pick<BenchResult, 'unit' | 'against'>,
): BenchResult {
  return { name, value, unit, goal: null, against, samples: 1 };
}

function fill(folder: string, files: number): void {
  for (let index = 0; index < files; index += 1) {
    const below = join(folder, String(Math.floor(index / PER_FOLDER)));
    if (index % PER_FOLDER === 0) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `f${index}`), `${index}`.padEnd(BYTES, 'x'));
  }
}

/** Milliseconds from the save to the time in the hook's end event. POLL_MS adds nothing to it. */
async function synced(project: Project, dev: Started, content: string): Promise<number> {
  const before = hooksDone(project).length;
  const savedMs = Date.now();
  project.write('web/src/page.html', content);
  await until(dev, () => hooksDone(project).length > before);
  return (hooksDone(project)[before]?.atMs ?? Number.NaN) - savedMs;
}

async function until(dev: Started, holds: () => boolean): Promise<void> {
  while (!holds()) {
    if (dev.child.exitCode !== null) throw new Error(`dev has ended:\n${dev.out()}`);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

function hooksDone(project: Project): readonly PipelineEvent[] {
  const lines = project.read(join(project.sessions()[0] ?? '', 'events.ndjson')).split('\n');
  // Drops the last line, which may be incomplete.
  return lines
    .slice(0, -1)
    .filter((line) => line.includes('"post-sync"') && line.includes('"Completed"'))
    .map((line) => JSON.parse(line) as PipelineEvent);
}

async function residentMegabytes({ child }: Started): Promise<number> {
  const status = await readFile(`/proc/${child.pid ?? 0}/status`, 'utf8');
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return Number(kilobytes) / 1_024;
}
