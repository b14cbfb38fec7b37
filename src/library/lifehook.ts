/**
 * `import { … } from 'lifehook'`: the engine, the matching of hook files and the recipes, for other programs.
 * docs/library.md is its guide. Everything that is not exported here is private, and may change at any time.
 */
export type { AttemptResult, Outcome, RunOutcome, RunRecord, Tail } from '../model/attempt.ts';
export type { RunEvent } from '../model/event.ts';
export type { RunResult, StepResult } from '../engine/run.ts';
export { LifehookError, type Position, type Problem } from '../model/problem.ts';

export {
  type CleanupHook,
  type HookHandler,
  type HookPlan,
  type PlannedHook,
  runHooks,
  type RunHooksOptions,
} from './run-hooks.ts';
export { type HookLedger, openLedger, type RunSummary } from './run-hooks.ts';
export * from './pipeline/pipeline-events.ts';
export * from './container/match-hooks.ts';
export * from './snapshot/recipes.ts';
