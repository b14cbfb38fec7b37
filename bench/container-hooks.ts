/** The hooks and hook files of the container benchmark. Every hook runs /bin/true. */
import type { OciHook, Stage } from '../src/lifecycles/container/points.ts';

/** The fields in which the hook files of this benchmark differ; all other fields are equal. */
export interface HookFileText {
  readonly hook: OciHook;
  readonly when: object;
  readonly stages: readonly Stage[];
}

const hookedStages = ['createRuntime', 'poststart', 'poststop'] as const satisfies readonly Stage[];
export const STAGES: number = hookedStages.length;

/** The hooks object of a config.json. */
export type Hooks = Readonly<Record<string, readonly OciHook[]>>;

export function bareHooks(perStage: number): Hooks {
  return Object.fromEntries(hookedStages.map((stage) => [stage, hooksOfStage(perStage)]));
}

/** One file per hook, for containers that run this command. */
export function hookFilesFor(command: string, perStage: number): HookFileText[] {
  const when = { commands: [`^${command}$`] };
  return hookedStages.flatMap((stage) =>
    hooksOfStage(perStage).map((hook) => ({ hook, when, stages: [stage] })),
  );
}

function hooksOfStage(perStage: number): OciHook[] {
  return Array.from({ length: perStage }, (_, number) => ({
    path: '/bin/true',
    args: ['true', String(number)],
  }));
}

/** A hook file that does not match. Its regular expression must be evaluated: comparing texts is not enough. */
export const nearMiss: HookFileText = {
  hook: { path: '/bin/true' },
  when: { annotations: { '^com\\.example\\.tier$': '^(db|cache)-[0-9]+$' } },
  stages: ['createRuntime'],
};

const MANY = 1000;

/**
 * 1000 hook files that do not match the container. No two have the same conditions. A third of them need the pattern
 * engine.
 */
export const manyHookFiles: readonly HookFileText[] = Array.from({ length: MANY }, (_, number) => ({
  hook: { path: '/bin/true', args: ['true', String(number)] },
  when: conditions(number),
  stages: ['createRuntime', 'poststop'],
}));

/** Files that match one annotation of the container, each by another value. `pattern` is appended to each value. */
export function filesOfOneKey(pattern: '' | '(-[a-z0-9]+)*'): readonly HookFileText[] {
  return Array.from({ length: MANY }, (_, number) => ({
    hook: { path: '/bin/true', args: ['true', String(number)] },
    when: { annotations: { '^com\\.example\\.tier$': `^tier-${number}${pattern}$` } },
    stages: ['createRuntime'],
  }));
}

function conditions(number: number): object {
  switch (number % 3) {
    case 0:
      return { commands: [`^/usr/(local/)?s?bin/tool-${number}(-[a-z0-9]+)*$`] };
    case 1:
      return { commands: [`^/usr/bin/tool-${number}$`] };
    default:
      return { annotations: { [`^com\\.example\\.feature-${number}$`]: '^on$' } };
  }
}
