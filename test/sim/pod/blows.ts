/** Faults that strike a pod and its node at random moments. */
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { NodeDisk } from './node-disk.ts';
import type { References } from './references.ts';

export interface Blow {
  readonly kind: string;
  /** Possible numbers of strikes in one seed. */
  readonly times: readonly [number, ...number[]];
  readonly strike: (random: Random) => void;
}

export interface BlowsOptions {
  readonly world: World;
  readonly deletePod: (random: Random) => void;
  readonly killNode: (downSeconds: number) => void;
  readonly disk: NodeDisk;
  readonly references: References;
  readonly endNamespace: (random: Random) => void;
}

export function blowsOf(options: BlowsOptions): readonly Blow[] {
  const { world, deletePod, killNode, disk, references, endNamespace } = options;
  return [
    { kind: 'pod deleted', times: [0, 1, 1, 2, 3], strike: deletePod },
    {
      kind: 'node program killed',
      times: [0, 0, 1, 2, 3],
      strike: (random) => {
        killNode(random.pick([0, 0.1, 3, 20]) * random.fraction());
      },
    },
    {
      kind: 'clock set',
      times: [0, 0, 0, 1, 2],
      strike: (random) => {
        world.setClock(random.pick([300, 5_000, 3_600_000]) * random.pick([-1, 1]));
      },
    },
    {
      kind: 'disk full',
      times: [0, 0, 0, 1, 2],
      strike: (random) => {
        disk.fillFor(random.pick([500, 5_000, 30_000]));
      },
    },
    {
      kind: 'reference missing',
      times: [0, 0, 0, 1, 2],
      strike: (random) => {
        references.missFor(random.pick([1_000, 10_000, 60_000]), random);
      },
    },
    { kind: 'namespace terminates', times: [0, 0, 0, 0, 1], strike: endNamespace },
  ];
}
