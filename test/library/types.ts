/**
 * The types of the library, checked by the compiler as a user's program; never run. Each `@ts-expect-error` is an assertion:
 * the compiler fails where the line below it has no error.
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

// @ts-expect-error a plan says what it is about
export const untitled: HookPlan = { hooks: [] };
// @ts-expect-error a policy is one of three
export const policy: HookPlan['hooks'][number]['failurePolicy'] = 'Continue';
// @ts-expect-error only a cleanup hook undoes something
export const undoing: HookPlan['hooks'][number] = { name: 'a', handler: command, undoes: 'b' };
// @ts-expect-error a hook runs in a container by its lifecycle, not by the library
export const exec: HookPlan['hooks'][number]['handler'] = { exec: { command: ['true'] } };
// @ts-expect-error folders are a list
export const folders: unknown = matchHooks('hooks.d', {});
// @ts-expect-error parameters are texts
export const parameters: unknown = recipeActions('redis-rdb', { port: 6379 });
