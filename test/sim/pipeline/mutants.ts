import type { Mutant } from '../kept-mutants.ts';

const HOOKS = 'src/lifecycles/pipeline/hooks';

/** Each mutant breaks one promise to users of pipelines. The first two are defects that the simulation found. */
export const pipelineMutants: readonly Mutant[] = [
  {
    name: 'the digest of an earlier success stays while the hook runs',
    file: `${HOOKS}/run-hooks.ts`,
    text: `  await context.history.begins(hook.address);`,
    by: ``,
    breaks: ['PIPE-P5'],
  },
  {
    name: 'a phase begins its work after a signal at the end of its last before hook',
    file: `${HOOKS}/run-stage.ts`,
    text: `  if (session.hooks.signal.aborted) return interrupted;`,
    by: ``,
    breaks: ['PIPE-P3'],
  },
  {
    name: 'a list does not hear what another one was refused',
    file: `${HOOKS}/list-intents.ts`,
    text: `const refusal = refusals.get(ledger);`,
    by: `const refusal = undefined;`,
    breaks: ['PIPE-I3'],
  },
  {
    name: 'a hook does not wait for the opening of its run',
    file: `${HOOKS}/list-intents.ts`,
    text: `    await Promise.all(group.map((record) => appendTo(this.#context.ledger, record)));`,
    by: `    void Promise.allSettled(group.map((record) => appendTo(this.#context.ledger, record)));`,
    breaks: ['PIPE-I1'],
  },
  {
    name: 'a second attempt does not wait for its record',
    file: `${HOOKS}/list-intents.ts`,
    text: `      if (!starts || record.attempt === 1) {`,
    by: `      if (starts || record.type === 'AttemptSettled' || record.type === 'RunSettled') {`,
    breaks: ['PIPE-I1'],
  },
  {
    name: 'runs that a list never reached get no end',
    file: `${HOOKS}/list-intents.ts`,
    text: `    for (const runId of this.#opened.values()) {`,
    by: `    for (const runId of []) {`,
    breaks: ['PIPE-R2'],
  },
  {
    name: 'a failed before hook does not end its list',
    file: `${HOOKS}/run-hooks.ts`,
    text: `return isCleanup(hook) ? hurry.aborted : failure !== null || cancelled;`,
    by: `return isCleanup(hook) ? hurry.aborted : cancelled;`,
    breaks: ['PIPE-P1'],
  },
  {
    name: 'a cancellation does not reach the attempts of a hook',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    platform: context.platform,
    signal: context.signal,`,
    by: `    platform: context.platform,`,
    breaks: ['PIPE-P3'],
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
  },
  {
    name: 'onError hooks run after a success',
    file: `${HOOKS}/run-stage.ts`,
    text: `  if (result.outcome !== 'Succeeded') await runList(session, onError, facts);`,
    by: `  await runList(session, onError, facts);`,
    breaks: ['PIPE-P1'],
  },
  {
    name: 'finally hooks run only after a success',
    file: `${HOOKS}/run-stage.ts`,
    text: `  const lastEnd = await runList(session, last, facts);`,
    by: `  const lastEnd = await runList(session, result.outcome === 'Succeeded' ? last : [], facts);`,
    breaks: ['PIPE-P7'],
  },
  {
    name: 'a second signal does not stop a list of cleanup hooks',
    file: `${HOOKS}/run-hooks.ts`,
    text: `return isCleanup(hook) ? hurry.aborted :`,
    by: `return isCleanup(hook) ? hurry.aborted && false :`,
    breaks: ['PIPE-P3'],
  },
  {
    name: 'a first signal does not stop a list',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    state.cancelled ||= endOf(hook, context).aborted;`,
    by: ``,
    breaks: ['PIPE-P3', 'PIPE-R4'],
  },
  {
    name: 'the exit code of a cancelled list is 0',
    file: `${HOOKS}/run-hooks.ts`,
    text: `const INTERRUPTED = 130;`,
    by: `const INTERRUPTED = 0;`,
    breaks: ['PIPE-R4'],
  },
  {
    name: 'onFailure: warn and ignore count as a failure',
    file: `${HOOKS}/run-hooks.ts`,
    text: `  if (failure.outcome === 'Cancelled' || hook.policy.onFailure === 'fail') return failure;`,
    by: `  return failure;`,
    breaks: ['PIPE-R4', 'PIPE-P7', 'PIPE-P1'],
  },
  {
    name: 'the last failure is reported, not the first',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    failure: state.failure ?? failed,`,
    by: `    failure: failed,`,
    breaks: ['PIPE-R4'],
  },
  {
    name: 'a cleanup hook without a timeout may hang for good',
    file: `${HOOKS}/run-hooks.ts`,
    text: `(isCleanup(hook) ? CLEANUP_TIMEOUT_SECONDS : null)`,
    by: `null`,
    breaks: ['PIPE-P9'],
  },
  {
    name: 'a failed run counts as a success for run: changed',
    file: `${HOOKS}/run-hooks.ts`,
    text: `  const end = isHurried(hook, result)`,
    by: `  await context.history.succeeded(hook.address, one.list.facts.digests.get(hook.address) ?? null);
  const end = isHurried(hook, result)`,
    breaks: ['PIPE-P5'],
  },
  {
    name: 'what ignores TERM outlives a hook with onLeftover: terminate',
    file: `${HOOKS}/leftovers.ts`,
    text: `  running.signalGroup('SIGKILL');`,
    by: ``,
    breaks: ['PIPE-P8'],
  },
  {
    name: 'a lock keeps nobody out',
    file: `${HOOKS}/run-context.ts`,
    text: `      if (queue[0] === waiter) waiter.take();`,
    by: `      waiter.take();`,
    breaks: ['PIPE-P4'],
  },
  {
    name: 'a hook is tried once more than its policy says',
    file: `${HOOKS}/run-hooks.ts`,
    text: `    retry: { limit, backoffSeconds },`,
    by: `    retry: { limit: limit + 1, backoffSeconds },`,
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
