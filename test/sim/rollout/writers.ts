/** Clients that write periodically while the seed has this trouble: autoscalers and a GitOps tool. */
import type { Hands } from './hands.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { type Scene, versionOf } from './scene.ts';

export interface WritersOptions {
  readonly world: World;
  readonly hands: Hands;
  readonly random: Random;
  readonly scene: Scene;
  readonly continues: () => boolean;
}

export function startWriters(options: WritersOptions): void {
  const { random, scene } = options;
  const hasWebhook = scene.gate === 'Admission';
  if (random.chance(0.5)) every(options, 'autoscaler', autoscale);
  if (hasWebhook && random.chance(0.4)) every(options, 'from zero', autoscaleFromZero);
  if (hasWebhook && random.chance(0.5)) every(options, 'GitOps', reapply);
}

function every(
  { world, random, continues, ...options }: WritersOptions,
  name: string,
  act: (options: Pick<WritersOptions, 'hands' | 'random'>) => void,
): void {
  const dice = random.fork(name);
  const writes = world.faults.of(`${name} writes`);
  const periodMs = dice.between(3_000, 20_000);
  const turn = (): void => {
    if (!continues()) return;
    world.note(`${name} looks`);
    if (writes.strikes(dice)) act({ hands: options.hands, random: dice });
    world.after(periodMs, turn);
  };
  world.after(dice.between(0, periodMs), turn);
}

type Turn = Pick<WritersOptions, 'hands' | 'random'>;

/** Like the autoscaler of Kubernetes, ignores a Deployment with 0 replicas (ROLL-E13). */
function autoscale({ hands, random }: Turn): void {
  const { stored } = hands;
  if (stored === undefined || (stored.spec?.replicas ?? 1) === 0) return;
  hands.scale(random.between(1, 4));
}

/** Like KEDA, scales up from 0. */
function autoscaleFromZero({ hands, random }: Turn): void {
  if (hands.stored?.spec?.replicas === 0) hands.scale(random.between(1, 3));
}

/** Applies the last manifest again, as a GitOps tool does. */
function reapply({ hands, random }: Turn): void {
  const { stored } = hands;
  const [last = 'v1'] = hands.versions.slice(-1);
  if (stored === undefined || versionOf(stored.spec?.template) === '') return;
  const replicas = random.chance(0.5) ? { replicas: random.between(1, 4) } : {};
  hands.setTemplate(last, { paused: false, ...replicas });
}
