/**
 * `lifehook rollout retry|abort DEPLOYMENT`: records a user's request, which the controller executes. The request
 * applies only to the rollout that the user has seen.
 */
import process from 'node:process';

import { isReason } from '../../kube/api-error.ts';
import { deployments } from '../../kube/resources.ts';
import { ABORT, RETRY } from '../../lifecycles/rollout/names.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import type { QuietOptions } from '../shared-options.ts';
import { command } from './status-text.ts';
import { readRollout, type RolloutFacts } from './read-rollout.ts';
import { hasEnded, type RolloutView, viewOf } from './rollout-view.ts';
import { followToEnd } from './watch.ts';

export interface AskOptions extends KubeOptions, QuietOptions {
  readonly wait?: boolean;
  /** Seconds until the command stops waiting; absent: no limit. */
  readonly timeout?: number;
}

type Verb = 'retry' | 'abort';

/** Maximum number of tries: another process may update the Deployment between the read and the write. */
const TRIES = 10;

export async function runRolloutAsk(
  verb: Verb,
  name: string,
  options: AskOptions,
): Promise<number> {
  using cluster = await connectToKube(options, `rollout ${verb}`);
  const { facts, number } = await ask(cluster, verb, name);
  if (options.quiet !== true) process.stdout.write(SAID[verb](number));
  if (options.wait !== true) return exitCodes.done;
  const isOver = (view: RolloutView): boolean =>
    hasEnded(view) && (verb === 'abort' || view.number > number);
  return await followToEnd(cluster, { ...options, facts, hasEnded: isOver });
}

const SAID: Readonly<Record<Verb, (number: number) => string>> = {
  retry: (number) => `Rollout ${number} will be retried with a new number.\n`,
  abort: (number) => `Rollout ${number} will be aborted.\n`,
};

async function ask(
  cluster: CliCluster,
  verb: Verb,
  name: string,
): Promise<{ readonly facts: RolloutFacts; readonly number: number }> {
  for (let tries = 1; ; tries += 1) {
    const facts = await readRollout(cluster, name);
    const view = viewOf(facts);
    const refused = verb === 'retry' ? whyNoRetry(view) : whyNoAbort(view);
    if (refused !== null) throw refused;
    try {
      await annotate(cluster, facts, verb === 'retry' ? RETRY : ABORT);
      return { facts, number: view.number };
    } catch (error) {
      if (!isReason(error, 'Conflict', 'Invalid') || tries === TRIES) throw error;
    }
  }
}

/**
 * Writes only to the object that was read, because the rollout number in the request is of the rollout that the user
 * has seen.
 */
async function annotate(
  { client, namespace }: CliCluster,
  facts: RolloutFacts,
  annotation: string,
): Promise<void> {
  const { metadata = {} } = facts.deployment;
  const { name = '', resourceVersion = '' } = metadata;
  const annotations = { [annotation]: `${viewOf(facts).number}` };
  const body = { metadata: { resourceVersion, annotations } };
  await client.patch(deployments, { namespace, name }, { type: 'merge', body });
}

function whyNoRetry(view: RolloutView): LifehookError | null {
  const { phase, number, deployment } = view;
  if (phase === 'Held' || phase === 'Failed' || phase === 'RolledBack') return null;
  const continues = `Rollout ${number} of "${deployment}" is in progress (${phase}): retry it after it has ended.`;
  const nothing = `No rollout of "${deployment}" has failed: there is nothing to retry.`;
  return hasEnded(view)
    ? refusal(
        'LHR405',
        nothing,
        'To run the hooks nevertheless, change the template, for example by `kubectl rollout restart`.',
      )
    : refusal(
        'LHR406',
        continues,
        `Wait until it ends (${command(view, 'watch')}), or abort it: ${command(view, 'abort')}`,
      );
}

function whyNoAbort(view: RolloutView): LifehookError | null {
  const { phase, number, deployment } = view;
  if (phase === 'Restoring' || phase === 'RollingBack') {
    const message = `Rollout ${number} of "${deployment}" is being aborted already (${phase}).`;
    return refusal('LHR407', message, `Wait until it ends: ${command(view, 'watch')}`);
  }
  if (!hasEnded(view)) return null;
  const message = `No rollout of "${deployment}" is in progress (${phase}): there is nothing to abort.`;
  return refusal('LHR408', message, 'To go back, apply the old template.');
}

function refusal(code: string, message: string, next: string): LifehookError {
  return new LifehookError({ code, message, next });
}
