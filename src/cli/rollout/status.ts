/**
 * `lifehook rollout status DEPLOYMENT` and `lifehook rollout check DEPLOYMENT`: the state of a rollout, and the proofs
 * of its gate.
 */
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { textTable } from '../terminal-text.ts';
import { type Proof, proofsOf } from './gate-proofs.ts';
import { readRollout } from './read-rollout.ts';
import { exitCodeOf, viewOf } from './rollout-view.ts';
import { statusText } from './status-text.ts';

export interface StatusOptions extends KubeOptions {
  readonly output: OutputFormat;
}

export async function runStatus(name: string, options: StatusOptions): Promise<number> {
  using cluster = await connectToKube(options, 'rollout status');
  const view = viewOf(await readRollout(cluster, name));
  process.stdout.write(printed(view, options.output, () => statusText(view, Date.now())));
  return exitCodeOf(view);
}

/** `lifehook rollout check DEPLOYMENT`: prints the result of each proof that its gate works now. */
export async function runRolloutCheck(name: string, options: StatusOptions): Promise<number> {
  using cluster = await connectToKube(options, 'rollout check');
  const proofs = await proofsOf(cluster.client, await readRollout(cluster, name));
  const isArmed = proofs.every(({ result }) => result !== 'failed');
  const report = { namespace: cluster.namespace, deployment: name, isArmed, proofs };
  process.stdout.write(printed(report, options.output, () => checkText(proofs, isArmed)));
  return isArmed ? exitCodes.done : exitCodes.failed;
}

function checkText(proofs: readonly Proof[], isArmed: boolean): string {
  const rows = proofs.map(({ what, result, reported }) => [what, result, reported]);
  const next = proofs.flatMap((proof) => (proof.next === undefined ? [] : [`Next: ${proof.next}`]));
  const verdict = isArmed
    ? 'The gate is armed: a changed template does not run before its hook.'
    : 'The gate is NOT armed: a changed template may run without its hook.';
  return `${textTable(['PROOF', 'RESULT', 'FOUND'], rows)}\n${[verdict, ...next].join('\n')}\n`;
}
