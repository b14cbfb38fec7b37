/** `lifehook status`: reports whether the local cluster runs, and its addresses. */
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { type ClusterChoice, choiceText } from './up-command.ts';
import { timelineLink } from '../ui/timeline-link.ts';
import { readRunning, stateFolderOf } from './cluster-state.ts';

export async function runClusterStatus(
  options: ClusterChoice & { readonly kubeconfig?: boolean },
): Promise<number> {
  const folder = stateFolderOf(options);
  const running = await readRunning(folder);
  if (running === null || running.isStopping === true) {
    const start = `lifehook up${choiceText(options)}`;
    const state = running === null ? 'not up. Start it' : 'stopping. Start it again';
    process.stderr.write(`The cluster "${options.cluster}" is ${state} with: ${start}\n`);
    return exitCodes.failed;
  }
  if (options.kubeconfig === true) {
    process.stdout.write(`${running.kubeconfig}\n`);
    return exitCodes.done;
  }
  const timeline = await timelineLink(folder, running);
  process.stdout.write(`The cluster "${options.cluster}" is up since ${running.startedAt}.
  API server  ${running.server}
  kubeconfig  ${running.kubeconfig}
  process     ${running.process.pid}
  state       ${folder}
${timeline === null ? '' : `  timeline    ${timeline}\n`}`);
  return exitCodes.done;
}
