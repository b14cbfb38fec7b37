import type { Mutant } from '../kept-mutants.ts';

const HOOKS = 'src/lifecycles/pipeline/hooks';

/** Each breaks one promise to whoever runs a pipeline; the first two are what the simulation found. */
export const pipelineMutants: readonly Mutant[] = [
  {
    name: 'the digest of an earlier success stays while the hook runs',
    file: `${HOOKS}/run-hooks.ts`,
    text: `  await context.history.begins(hook.address);`,
    by: ``,
    breaks: ['PIPE-P5'],
    seeds: 1_000,
  },
  {
    name: 'a list does not hear what another one was refused',
    file: `${HOOKS}/list-intents.ts`,
    text: `const refusal = refusals.get(ledger);`,
    by: `const refusal = undefined;`,
    breaks: ['PIPE-I3'],
    seeds: 1_000,
  },
  {
    name: 'a hook does not wait for the opening of its run',
    file: `${HOOKS}/list-intents.ts`,
    text: `    await Promise.all(group.map((record) => this.#context.ledger.append(record)));`,
    by: `    void Promise.allSettled(group.map((record) => this.#context.ledger.append(record)));`,
    breaks: ['PIPE-I1'],
  },
  {
    name: 'a second attempt does not wait for its record',
    file: `${HOOKS}/list-intents.ts`,
    text: `      if (!starts || record.attempt === 1) {`,
    by: `      if (starts || record.type === 'AttemptSettled' || record.type === 'RunSettled') {`,
    breaks: ['PIPE-I1'],
    seeds: 1_000,
  },
  {
    name: 'runs that a list never reached get no end',
    file: `${HOOKS}/list-intents.ts`,
    text: `    for (const runId of this.#opened.values()) {`,
    by: `    for (const runId of []) {`,
    breaks: ['PIPE-R2'],
    seeds: 1_000,
  },
  {
    name: 'a failed before hook does not end its list',
    file: `${HOOKS}/run-hooks.ts`,
    text: `return isCleanup(hook) ? hurry.aborted : failure !== null || cancelled;`,
    by: `return isCleanup(hook) ? hurry.aborted : cancelled;`,
    breaks: ['PIPE-P1'],
    seeds: 1_000,
  },
  {
    name: 'a cancellation does not reach the attempts of a hook',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    platform: context.platform,
    signal: context.signal,`,
    by: `    platform: context.platform,`,
    breaks: ['PIPE-P3'],
    seeds: 1_000,
  },
  {
    name: 'after hooks run although the work has failed',
    file: `${HOOKS}/run-stage.ts`,
    text: `  if (result.outcome !== 'Succeeded') return result;
  const after`,
    by: `  if (result.outcome !== 'Succeeded') await runList(session, hooks.after, facts(null));
  if (result.outcome !== 'Succeeded') return result;
  const after`,
    breaks: ['PIPE-P1'],
    seeds: 1_000,
  },
  {
    name: 'onError hooks run after a success',
    file: `${HOOKS}/run-stage.ts`,
    text: `  if (result.outcome !== 'Succeeded') await runList(session, onError, facts);`,
    by: `  await runList(session, onError, facts);`,
    breaks: ['PIPE-P1'],
  },
  {
    name: 'a lock keeps nobody out',
    file: `${HOOKS}/locks.ts`,
    text: `      if (queue[0] === waiter) waiter.take();`,
    by: `      waiter.take();`,
    breaks: ['PIPE-P4'],
    seeds: 1_000,
  },
  {
    name: 'a hook is tried once more than its policy says',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    retry: { limit: policy.retries, backoffSeconds: policy.backoffSeconds },`,
    by: `    retry: { limit: policy.retries + 1, backoffSeconds: policy.backoffSeconds },`,
    breaks: ['PIPE-P2'],
  },
  {
    name: 'a secret is not masked that a hook makes known while it runs',
    file: `${HOOKS}/attempt-host.ts`,
    text: `      lateSecrets: () => late.list(),`,
    by: `      lateSecrets: () => [],`,
    breaks: ['PIPE-P6'],
  },
  {
    name: 'the end of a session is not recorded',
    file: 'src/cli/pipeline/session-folder.ts',
    text: `      await writeRecord(files, path, { ...known, exitCode });`,
    by: ``,
    breaks: ['PIPE-R2'],
  },
];
