/** Troubles that are more frequent in the phase of the focus, because chance meets it only in few seeds. */
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
  /** True if the seed has this trouble and its faults have not ended. */
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

/** Lets users act more than once while the phase lasts. */
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
 * Deletes hook pods while there is no lifecycle. If the request for a pod arrives after the deletion of its lifecycle,
 * the pod is soon deleted too, within about a second.
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

/** Probability that the pod of a hook that starts in the focus is evicted. */
const EVICTED = 0.7;
/** Milliseconds; less than most hooks run. */
const SOON_MS = 2_000;

interface EvictionOptions extends Pick<FocusOptions, 'nodes' | 'has'> {
  readonly people: People;
}

/** Evicts the pod of a hook that has just started. Random evictions seldom meet a running hook. */
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
