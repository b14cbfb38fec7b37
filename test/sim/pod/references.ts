/**
 * The objects that the containers of a pod refer to: ConfigMaps, Secrets, volumes and images. They may be created after
 * the pod, or be missing for a while. With their namespace, they are deleted for good.
 */
import { StartError } from '../../../src/platform/container-runtime.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

type Missing = readonly [reason: StartError['reason'], message: string];

const MISSING: readonly [Missing, ...Missing[]] = [
  ['CreateContainerConfigError', 'configmap "settings" not found'],
  ['CreateContainerConfigError', 'secret "password" not found'],
  ['FailedMount', 'MountVolume.SetUp failed for volume "data"'],
  ['ErrImageNeverPull', 'Container image "web" is not present with pull policy of Never'],
];

export class References {
  readonly #world: World;
  /** The node's error for a container with a missing object; null if no object is missing. */
  missing: StartError | null = null;

  constructor(world: World, random: Random) {
    this.#world = world;
    const fault = world.faults.of('reference created late');
    if (!fault.chance(random, 0.1, () => ['pending'])) return;
    this.missFor(random.pick([1_000, 10_000, 60_000]), random);
  }

  missFor(ms: number, random: Random): void {
    const [reason, message] = random.pick(MISSING);
    const error = new StartError(reason, message);
    this.#world.note(`reference: ${message}`);
    this.missing = error;
    this.#world.after(ms, () => {
      if (this.missing === error) this.create();
    });
  }

  create(): void {
    if (this.missing === null) return;
    this.#world.note('reference: created');
    this.missing = null;
  }
}
