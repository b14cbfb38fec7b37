/** `lifehook up`: starts the cluster in a separate process, waits until it is ready, and prints the next steps. */
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import type { FeatureGates } from '../../model/feature-gates.ts';
import { shellWords } from '../../model/shell-words.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable } from '../../store/process-table.ts';
import { isLocked } from '../../store/writer-lock.ts';
import { exitCodes } from '../exit-codes.ts';
import type { QuietOptions } from '../shared-options.ts';
import { loadCompiled, programFolder } from '../program-files.ts';
import type * as main from './cluster-main.ts';
import { type ClusterChoice, choiceText } from './up-command.ts';
import { timelineLink } from '../ui/timeline-link.ts';
import { waitUntilExited } from './await-exit.ts';
import { readRunning, type RunningCluster, stateFolderOf } from './cluster-state.ts';
import { holdState, makeStateFolder } from './hold-state.ts';
import { notStarted, startInBackground } from './start-in-background.ts';

const { files } = nodePlatform;

export interface UpOptions extends ClusterChoice, QuietOptions {
  readonly foreground?: boolean;
  /** True: install Lifehook's kinds and run its controllers. */
  readonly controllers: boolean;
  readonly runner: 'auto' | 'process' | 'runc' | 'crun';
  readonly port: number;
  /** Milliseconds. */
  readonly endpointDelay: number;
  readonly apiserverFeatureGates?: FeatureGates;
  readonly nodeFeatureGates?: FeatureGates;
}

export async function runUp(options: UpOptions): Promise<number> {
  const folder = stateFolderOf(options);
  const running = await readRunning(folder);
  if (running?.isStopping === true) await waitUntilExited(running.process);
  else if (running !== null) return reportUpAlready(running, options);
  await makeStateFolder(folder);
  if (options.foreground === true) {
    return loadCompiled<typeof main>(programFolder(), 'cluster').exports.serve(folder, options);
  }
  return start(folder, options);
}

async function start(folder: string, options: UpOptions): Promise<number> {
  const startedMs = process.hrtime.bigint();
  while ((await startInBackground(folder, options)) === 'inUse') {
    const other = await waitForOther(folder);
    if (other !== null) return reportUpAlready(other, options);
    // The other process may have been `lifehook down --delete`, which removes the directory.
    await makeStateFolder(folder);
  }
  const started = await readRunning(folder);
  if (started === null) {
    throw notStarted(join(folder, 'up.log'), 'its process exited right after it was ready');
  }
  const seconds = Number(process.hrtime.bigint() - startedMs) / 1e9;
  const text = `The cluster "${options.cluster}" is up (${seconds.toFixed(2)} s).\n`;
  return reportUp(text, started, options);
}

/** Milliseconds; the longest wait for the process that has locked the state directory. */
const PATIENCE_MS = 15_000;
const POLL_MS = 50;

/**
 * Waits for another process that has locked the state directory. Resolves with the cluster that it has started; null:
 * it has released the lock without a running cluster. Rejects with LHA105 if it does neither.
 */
export async function waitForOther(folder: string): Promise<RunningCluster | null> {
  const lock = { files, folder, processes: procTable(files) };
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const running = await readRunning(folder);
    if (running !== null && running.isStopping !== true) return running;
    if (!(await isLocked(lock))) return null;
    await wait(POLL_MS);
  }
  // If the directory is still locked, this rejects with the name of the lock's owner.
  await (await holdState(folder)).release();
  return null;
}

async function reportUpAlready(running: RunningCluster, options: UpOptions): Promise<number> {
  const { pid } = running.process;
  return reportUp(
    `The cluster "${options.cluster}" is up already (process ${pid}).\n`,
    running,
    options,
  );
}

async function reportUp(
  text: string,
  running: RunningCluster,
  options: UpOptions,
): Promise<number> {
  if (options.quiet === true) return exitCodes.done;
  process.stdout.write(text);
  await reportNext(running, options);
  return exitCodes.done;
}

async function reportNext(running: RunningCluster, choice: ClusterChoice): Promise<void> {
  const timeline = await timelineLink(stateFolderOf(choice), running);
  process.stdout.write(nextText(running, timeline, choice));
}

/** The addresses of the cluster, and commands to copy. `timeline`: the link of the timeline; null: there is none. Pure. */
export function nextText(
  { server, kubeconfig }: Pick<RunningCluster, 'server' | 'kubeconfig'>,
  timeline: string | null,
  choice: ClusterChoice,
): string {
  return `
  API server  ${server}
  kubeconfig  ${kubeconfig}
${timeline === null ? '' : `  timeline    ${timeline}\n`}
Try next:
  export KUBECONFIG=${shellWords([kubeconfig])}
  kubectl run web --image=none --command -- sh -c 'while :; do date; sleep 1; done'
  kubectl logs -f web
  lifehook down${choiceText(choice)}
`;
}
