import type { DeploymentLifecycleSpec, LifecycleHook, Stage } from '../kinds.ts';

export interface PlacedHook {
  readonly block: 'rollingUpdate' | 'recreate';
  readonly stage: Stage;
  /** The path of the hook, such as `spec.recreate.pre`. */
  readonly field: string;
  readonly hook: LifecycleHook;
}

const STAGES: readonly Stage[] = ['pre', 'mid', 'post'];

/** All hooks of both strategies. */
export function hooksOf({ rollingUpdate, recreate }: DeploymentLifecycleSpec): PlacedHook[] {
  const rolling = { pre: rollingUpdate?.pre, mid: undefined, post: rollingUpdate?.post };
  return [...inBlock('rollingUpdate', rolling), ...inBlock('recreate', recreate ?? {})];
}

function inBlock(
  block: PlacedHook['block'],
  hooks: { readonly [K in Stage]?: LifecycleHook | undefined },
): PlacedHook[] {
  return STAGES.flatMap((stage) => {
    const hook = hooks[stage];
    return hook === undefined ? [] : [{ block, stage, field: `spec.${block}.${stage}`, hook }];
  });
}
