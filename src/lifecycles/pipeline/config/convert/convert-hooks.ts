/** Converts a `hooks` block into the lists of the stage, each hook with its address. Pure. */
import type { Located } from '../../../../model/located-tree.ts';
import {
  DEFAULT_POLICY,
  NO_HOOKS,
  type PipelineHook,
  type PipelinePhase,
  type StageHooks,
} from '../../hooks/model.ts';
import { readHookItem, type HookPlace } from '../hook-item.ts';
import { listAt } from '../tree-edit.ts';

export interface HookSpot {
  /** The place in the file, such as "build/web", without the list and the index. */
  readonly address: string;
  readonly phase: PipelinePhase;
  readonly place: HookPlace;
  /** The directory of the module. */
  readonly folder: string;
}

/** Converts the hooks of one block. Omits invalid items: they were reported before. */
export function convertHooks(block: Located | undefined, spot: HookSpot): StageHooks {
  const list = (when: 'before' | 'after'): readonly PipelineHook[] =>
    listAt(block, when).flatMap((item, index) => convertHook(item, { ...spot, when, index }));
  return { ...NO_HOOKS, before: list('before'), after: list('after') };
}

export function convertHook(
  item: Located,
  {
    address,
    phase,
    place,
    folder,
    when,
    index,
  }: HookSpot & { when: PipelineHook['when']; index: number },
): readonly PipelineHook[] {
  const afterRender = place === 'render' && when === 'after' ? 'postRender' : place;
  const { action } = readHookItem(item, { place: afterRender, folder });
  if (action === null) return [];
  const own = `${address}/${when}/${index}`;
  return [{ address: own, name: own, phase, when, action, policy: DEFAULT_POLICY, at: item.at }];
}
