/** The plan of one simulated session: stages of build, deploy and sync, with their hooks and policies. */
import {
  DEFAULT_POLICY,
  type HookPolicy,
  type PipelineHook,
  type StageHooks,
  type When,
} from '../../../src/lifecycles/pipeline/hooks/model.ts';
import type { Random } from '../random.ts';

export const SECRET = 's3cr3t-of-the-sample';
export const WHENS: readonly When[] = ['before', 'after', 'onError', 'finally'];

export interface StagePlan {
  /** Name such as "build/web", unique in the session. */
  readonly name: string;
  readonly phase: 'build' | 'deploy' | 'sync';
  readonly hooks: StageHooks;
  readonly workMs: number;
  readonly workFails: boolean;
}

/** Groups run one after the other. The stages of one group run in parallel. */
export type SessionPlan = readonly (readonly StagePlan[])[];

export function randomPlan(random: Random): SessionPlan {
  const build = (name: string): StagePlan => randomStage(random, `build/${name}`, 'build');
  const builds = random.chance(0.4) ? [build('web'), build('app')] : [build('web')];
  const rest = [
    [randomStage(random, 'deploy/kubectl', 'deploy')],
    [randomStage(random, 'sync/web', 'sync')],
  ];
  return [builds, ...rest.slice(0, random.between(0, 2))];
}

function randomStage(random: Random, name: string, phase: StagePlan['phase']): StagePlan {
  const list = (when: When, counts: readonly [number, ...number[]]): PipelineHook[] =>
    Array.from({ length: random.pick(counts) }, (_, index) =>
      hookOf({ address: `${name}/${when}/${index}`, phase, when, policy: randomPolicy(random) }),
    );
  return {
    name,
    phase,
    hooks: {
      before: list('before', [0, 1, 2, 3]),
      after: list('after', [0, 1, 2]),
      onError: list('onError', [0, 0, 1, 2]),
      finally: list('finally', [0, 0, 1, 2]),
    },
    workMs: random.between(0, 60),
    workFails: random.chance(0.1),
  };
}

export function hookOf(
  hook: Pick<PipelineHook, 'address' | 'phase' | 'when'> & { readonly policy: Partial<HookPolicy> },
): PipelineHook {
  const { address, policy } = hook;
  return {
    ...hook,
    name: address,
    at: { file: '/p/skaffold.yaml', line: 12, column: 9 },
    action: { kind: 'host', command: ['/bin/hook', address] },
    policy: { ...DEFAULT_POLICY, ...policy },
  };
}

function randomPolicy(random: Random): Partial<HookPolicy> {
  return {
    timeoutSeconds: random.pick([null, 1, 1]),
    retries: random.pick([0, 0, 1, 2]),
    backoffSeconds: 0,
    onFailure: random.pick<HookPolicy['onFailure']>(['fail', 'fail', 'warn', 'ignore']),
    run: random.pick<HookPolicy['run']>(['as-phase', 'always', 'changed', 'changed']),
    ...(random.chance(0.3) ? { lock: 'shared' } : {}),
    ...(random.chance(0.2) ? { onLeftover: 'terminate' as const } : {}),
    stdoutCommands: random.chance(0.2),
    secrets: random.chance(0.3) ? ['LICENCE'] : [],
  };
}
