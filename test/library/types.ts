/**
 * The types of the library in a user's program: the compiler checks it, and it never runs. Each `@ts-expect-error` is
 * an assertion: the compiler fails if the line below it has no error.
 */
import { type HookPlan, matchHooks, recipeActions, runHooks, type RunResult } from 'lifehook';

const command = { command: ['true'] };

export const plan: HookPlan = {
  title: 'types',
  hooks: [
    { name: 'one', handler: { httpGet: { port: 80, expect: '2xx' } }, failurePolicy: 'Ignore' },
  ],
  cleanup: [{ name: 'two', handler: command, undoes: 'one' }],
};
export const result: Promise<RunResult> = runHooks(plan, { signal: new AbortController().signal });
export const outcome = async (): Promise<
  'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Unknown'
> => (await result).outcome;

// @ts-expect-error the title of a plan is required
export const untitled: HookPlan = { hooks: [] };
// @ts-expect-error a failure policy is Abort, Retry or Ignore
export const policy: HookPlan['hooks'][number]['failurePolicy'] = 'Continue';
// @ts-expect-error only a cleanup hook has `undoes`
export const undoing: HookPlan['hooks'][number] = { name: 'a', handler: command, undoes: 'b' };
// @ts-expect-error the library cannot exec in a container; only a lifecycle can
export const exec: HookPlan['hooks'][number]['handler'] = { exec: { command: ['true'] } };
// @ts-expect-error directories are an array
export const folders: unknown = matchHooks('hooks.d', {});
// @ts-expect-error parameter values are strings
export const parameters: unknown = recipeActions('redis-rdb', { port: 6379 });
