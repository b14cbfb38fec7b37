/** Troubles that are more frequent in the phase of the focus: chance alone meets it in few of many seeds. */
import { pods } from '../../../src/kube/resources.ts';
import { strikeInFocus } from '../in-focus.ts';
import type { Account, Run } from './account.ts';
import type { Trouble } from './faults.ts';
import type { SimNodes } from './nodes.ts';
import { doSomething, freeHookPod, hasHookPod, meet, type People } from './people.ts';
import { hookPhases } from './phases.ts';
import { KEY_OF_WEB } from './scene.ts';

export interface FocusOptions {
  readonly people: (name: string) => People;
  readonly account: Account;
  readonly nodes: SimNodes;
  readonly withinMs: number;
  /** Now. */
  readonly has: (trouble: Trouble) => boolean;
}

export function scheduleInFocus(options: FocusOptions): void {
  doMoreInFocus(options);
  tidyInFocus(options);
  const people = options.people('evictions');
  options.account.onStart((run) => {
    if (options.has('nodes')) evictInFocus({ ...options, people }, run);
  });
}

/** Users do more than one thing while a phase lasts. */
function doMoreInFocus({ people: peopleOf, withinMs, has }: FocusOptions): void {
  const people = peopleOf('more deeds');
  const { world, random } = people;
  strikeInFocus({
    world,
    kind: 'more deeds',
    random,
    withinMs,
    strike: (dice) => {
      if (has('users')) doSomething({ ...people, random: dice });
    },
  });
}

/**
 * A hook pod whose request arrives after the deletion of its lifecycle exists for a second, while it is being
 * deleted.
 */
function tidyInFocus({ people: peopleOf, withinMs, has }: FocusOptions): void {
  const people = peopleOf('outlived hook pods');
  const { world, api, random } = people;
  if (!world.faults.isFocusedOn('no lifecycle')) return;
  strikeInFocus({
    world,
    kind: 'outlived hook pods',
    random,
    withinMs,
    isDue: () => hasHookPod(api),
    strike: (dice) => {
      if (!has('users') && !has('tidyings')) return;
      meet({ ...people, random: dice }, 'hook pod deleted', freeHookPod);
    },
  });
}

/** Chance at each start of a hook in the focus. */
const EVICTED = 0.7;
/** Earlier than most hooks end. */
const SOON_MS = 2_000;

interface EvictionOptions extends Pick<FocusOptions, 'nodes' | 'has'> {
  readonly people: People;
}

/** A node that evicts a random pod seldom evicts that of a running hook. */
function evictInFocus(options: EvictionOptions, { hook, podName }: Run): void {
  const { people, nodes, has } = options;
  const { world, api, random } = people;
  const { faults } = world;
  if (hook === null) return;
  const phases = (): readonly string[] => hookPhases(hook.stage, faults.phases());
  const dice = random.fork(podName);
  const isThrown = dice.chance(EVICTED) && phases().some((phase) => faults.isFocusedOn(phase));
  if (!faults.of('evictions', podName).decides(isThrown, dice, phases)) return;
  world.after(dice.between(1, SOON_MS), () => {
    const pod = api.find(pods, { ...KEY_OF_WEB, name: podName });
    if (pod !== undefined && has('nodes')) nodes.evict(pod);
  });
}
