/** Plan of one simulated `create`: hooks at every point, and the behaviour of the program. */
import { stages } from '../../../src/lifecycles/container/points.ts';
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Random } from '../random.ts';

/** All points in the order of the specification. A postexit hook may run in parallel with poststart hooks. */
export const POINTS: readonly Point[] = [
  'precreate',
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'postexit',
  'poststop',
];

export interface HookPlan {
  /** Deadline in seconds; null if there is none. */
  readonly timeout: number | null;
  readonly hasSecret: boolean;
  /** The hook never exits by itself. */
  readonly hangs?: true;
}

export interface ContainerPlan {
  readonly hooks: Readonly<Record<Point, readonly HookPlan[]>>;
  readonly poststartFailure: 'destroy' | 'warn';
  /** Time until the program exits, in milliseconds; null: it runs until it gets a signal. */
  readonly programMs: number | null;
  readonly programCode: number;
}

/** A plan with only these hooks, whose program runs until it gets a signal. */
export function planOf(hooks: Partial<ContainerPlan['hooks']>): ContainerPlan {
  const none = Object.fromEntries(
    POINTS.map((point) => [point, []]),
  ) as unknown as ContainerPlan['hooks'];
  return {
    hooks: { ...none, ...hooks },
    poststartFailure: 'destroy',
    programMs: null,
    programCode: 0,
  };
}

export const SECRET = 's3cr3t-of-the-sample';

export function randomPlan(random: Random): ContainerPlan {
  const count = (): number => random.pick([0, 0, 1, 1, 2]);
  const hook = (): HookPlan => ({
    timeout: random.pick([null, 1, 1, 2]),
    hasSecret: random.chance(0.3),
  });
  const list = (length: number = count()): HookPlan[] => Array.from({ length }, hook);
  const hooks = {
    precreate: list(random.pick([0, 0, 1])),
    prestart: list(),
    createRuntime: list(),
    createContainer: list(),
    startContainer: list(),
    poststart: list(),
    postexit: list(),
    poststop: list(),
  };
  return {
    hooks,
    poststartFailure: random.pick(['destroy', 'destroy', 'warn']),
    programMs: random.pick([null, null, random.between(0, 300)]),
    programCode: random.pick([0, 0, 7]),
  };
}

export const bundleOf = (n: number): string => `/bundles/${n}`;

function ociHook(
  n: number,
  point: Point,
  { index, plan }: { index: number; plan: HookPlan },
): object {
  return {
    path: '/hooks/hook',
    args: ['hook', String(n), point, String(index)],
    env: plan.hasSecret ? [`API_TOKEN=${SECRET}`] : [],
    ...(plan.timeout === null ? {} : { timeout: plan.timeout }),
  };
}

/** Contents of the files of a bundle, keyed by path. */
export function bundleFiles(n: number, { hooks }: ContainerPlan): ReadonlyMap<string, string> {
  const listOf = (point: Point): object[] =>
    hooks[point].map((plan, index) => ociHook(n, point, { index, plan }));
  const config = {
    ociVersion: '1.0.2',
    root: { path: 'rootfs' },
    process: { cwd: '/', args: ['/bin/app'], env: ['PATH=/bin'] },
    annotations: { n: String(n) },
    hooks: Object.fromEntries(stages.map((stage) => [stage, listOf(stage)])),
  };
  const files = new Map([[`${bundleOf(n)}/config.json`, JSON.stringify(config)]]);
  for (const point of ['precreate', 'postexit'] as const) {
    for (const [index, hook] of listOf(point).entries()) {
      const file = { version: '1.0.0', hook, when: { always: true }, stages: [point] };
      files.set(`${bundleOf(n)}/hooks.d/${point}-${index}.json`, JSON.stringify(file));
    }
  }
  return files;
}
