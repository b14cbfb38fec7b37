/** `lifehook rollout check DEPLOYMENT`: each proof that its gate works now, with what came of it. */
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { connectToKube } from '../kube-connection.ts';
import { textTable } from '../text-table.ts';
import { proofsOf, type Proof } from './gate-proofs.ts';
import { printed } from '../listing.ts';
import { readRollout } from './read-rollout.ts';
import type { StatusOptions } from './status.ts';

export async function runRolloutCheck(name: string, options: StatusOptions): Promise<number> {
  const cluster = await connectToKube(options, 'rollout check');
  try {
    const proofs = await proofsOf(cluster.client, await readRollout(cluster, name));
    const isArmed = proofs.every(({ result }) => result !== 'failed');
    const report = { namespace: cluster.namespace, deployment: name, isArmed, proofs };
    process.stdout.write(printed(report, options.output, () => checkText(proofs, isArmed)));
    return isArmed ? exitCodes.done : exitCodes.failed;
  } finally {
    cluster.close();
  }
}

function checkText(proofs: readonly Proof[], isArmed: boolean): string {
  const rows = proofs.map(({ what, result, told }) => [what, result, told]);
  const next = proofs.flatMap((proof) => (proof.next === undefined ? [] : [`Next: ${proof.next}`]));
  const verdict = isArmed
    ? 'The gate is armed: a changed template does not run before its hook.'
    : 'The gate is NOT armed: a changed template may run without its hook.';
  return `${textTable(['PROOF', 'RESULT', 'FOUND'], rows)}\n${[verdict, ...next].join('\n')}\n`;
}
