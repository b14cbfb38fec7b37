/** `lifehook up`: starts the cluster in a separate process, waits until it is ready, and prints the next steps. */
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import type { FeatureGates } from '../../model/feature-gates.ts';
import { exitCodes } from '../exit-codes.ts';
import type { QuietOptions } from '../shared-options.ts';
import { loadCompiled, programFolder } from '../program-files.ts';
import type * as main from './cluster-main.ts';
import { type ClusterChoice, choiceText } from './up-command.ts';
import { timelineLink } from '../ui/timeline-link.ts';
import { readRunning, type RunningCluster, stateFolderOf } from './cluster-state.ts';
import { holdState, makeStateFolder } from './hold-state.ts';
import { notStarted, startInBackground } from './start-in-background.ts';

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
  if (running !== null) return reportUpAlready(running, options);
  await makeStateFolder(folder);
  if (options.foreground === true) {
    return loadCompiled<typeof main>(programFolder(), 'cluster').exports.serve(folder, options);
  }
  const startedMs = process.hrtime.bigint();
  if ((await startInBackground(folder, options)) === 'inUse') return waitForOther(folder, options);
  const started = await readRunning(folder);
  if (started === null) {
    throw notStarted(join(folder, 'up.log'), 'its process exited right after it was ready');
  }
  const seconds = Number(process.hrtime.bigint() - startedMs) / 1e9;
  const text = `The cluster "${options.cluster}" is up (${seconds.toFixed(2)} s).\n`;
  return reportUp(text, started, options);
}

/** Milliseconds; the longest wait until another process has started the cluster. */
const PATIENCE_MS = 15_000;
const POLL_MS = 50;

async function waitForOther(folder: string, options: UpOptions): Promise<number> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const running = await readRunning(folder);
    if (running !== null) return reportUpAlready(running, options);
    await wait(POLL_MS);
  }
  // If the directory is still locked, this rejects with the name of the lock's owner. Otherwise the user can retry.
  await (await holdState(folder)).release();
  throw notStarted(join(folder, 'up.log'), 'the process that was starting it has exited');
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
  const { server, kubeconfig } = running;
  const timeline = await timelineLink(stateFolderOf(choice), running);
  process.stdout.write(`
  API server  ${server}
  kubeconfig  ${kubeconfig}
${timeline === null ? '' : `  timeline    ${timeline}\n`}
Try next:
  export KUBECONFIG=${kubeconfig}
  kubectl run web --image=none --command -- sh -c 'while :; do date; sleep 1; done'
  kubectl logs -f web
  lifehook down${choiceText(choice)}
`);
}
