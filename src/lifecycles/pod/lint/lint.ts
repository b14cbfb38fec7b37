/** Lints the lifecycle hooks of one object. Pure. */
import type { Finding, LintSettings } from './hooks-in.ts';
import { handlerRules } from './handler-rules.ts';
import { hooksIn } from './hooks-in.ts';
import { sleepRules } from './sleep-rules.ts';

export interface LintResult {
  readonly findings: readonly Finding[];
  readonly hooks: number;
}

export function lintPodHooks(value: unknown, settings: LintSettings): LintResult {
  const hooks = hooksIn(value);
  const findings = hooks.flatMap((hook) => [
    ...handlerRules(hook, settings),
    ...sleepRules(hook, settings),
  ]);
  return { findings, hooks: hooks.length };
}
