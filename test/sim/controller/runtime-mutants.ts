import type { Mutant } from '../kept-mutants.ts';

/** Each mutant breaks a promise of the controller runtime to a cluster that has other writers. */
export const runtimeMutants: readonly Mutant[] = [
  {
    name: 'a patch is not asked whether its process still leads',
    file: 'src/controller/fenced-client.ts',
    text: `    patch: async (resource, key, options) => {
      check(mayAct);`,
    by: `    patch: async (resource, key, options) => {`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a deletion is not asked whether its process still leads',
    file: 'src/controller/fenced-client.ts',
    text: `    delete: async (resource, key, options) => {
      check(mayAct);`,
    by: `    delete: async (resource, key, options) => {`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a term does not end while its machine sleeps',
    file: 'src/controller/lease-term.ts',
    text: `Math.max(passedMs, wallPassedMs)`,
    by: `passedMs`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'of two delays of a key the later one counts',
    file: 'src/controller/work-queue.ts',
    text: `before.atMs <= atMs`,
    by: `before.atMs > atMs`,
    breaks: ['CTRL-Q4'],
  },
  {
    name: 'a reconcile has no timeout',
    file: 'src/controller/controller.ts',
    text: `    scope.abort();
`,
    by: ``,
    breaks: ['CTRL-R6'],
  },
  {
    name: 'an Event that cannot be written is not sent again',
    file: 'src/controller/event-recorder.ts',
    text: `const MAX_TRIES = 4;`,
    by: `const MAX_TRIES = 1;`,
    breaks: ['CTRL-N3'],
  },
  {
    name: 'a pass that failed is made again without a pause',
    file: 'src/controller/work-queue.ts',
    text: `const pauseMs = Math.max(atLeastMs, backoffMs(failures, backoff, random()));`,
    by: `const pauseMs = Math.max(atLeastMs, 1);`,
    breaks: ['CTRL-R4'],
  },
  {
    name: 'the pause that a server asks for is not kept',
    file: 'src/controller/work-queue.ts',
    text: `const pauseMs = Math.max(atLeastMs, backoffMs(failures, backoff, random()));`,
    by: `const pauseMs = backoffMs(failures, backoff, random());`,
    breaks: ['CTRL-R5'],
  },
  {
    name: 'the pauses do not grow',
    file: 'src/controller/work-queue.ts',
    text: `    this.#failures.set(key, failures);
`,
    by: ``,
    breaks: ['CTRL-R4'],
  },
  {
    name: 'a pass that ends well forgets no failures',
    file: 'src/controller/controller.ts',
    text: `    case 'done':
      queue.forget(key);`,
    by: `    case 'done':`,
    breaks: ['CTRL-R4'],
  },
  {
    name: 'a pass that waits forgets no failures',
    file: 'src/controller/controller.ts',
    text: `    case 'requeueAfter':
      queue.forget(key);`,
    by: `    case 'requeueAfter':`,
    breaks: ['CTRL-R4'],
  },
  {
    name: 'finalizers are written over whatever version is there',
    file: 'src/controller/finalizers.ts',
    text: `const body = { metadata: { uid, resourceVersion, ...change } };`,
    by: `const body = { metadata: { uid, ...change } };
  void resourceVersion;`,
    breaks: ['CTRL-F2'],
  },
  {
    name: 'every finalizer is taken off',
    file: 'src/controller/finalizers.ts',
    text: `finalizers: present.filter((other) => other !== finalizer),`,
    by: `finalizers: [],`,
    breaks: ['CTRL-F2'],
  },
  {
    name: 'our finalizer replaces those of others',
    file: 'src/controller/finalizers.ts',
    text: `present.includes(finalizer) ? present : [...present, finalizer]`,
    by: `[finalizer]`,
    breaks: ['CTRL-F2'],
  },
  {
    name: 'the time of a condition moves with every write',
    file: 'src/controller/conditions.ts',
    text: `const lastTransitionTime = flipped ? timeText(nowMs) : before.lastTransitionTime;`,
    by: `const lastTransitionTime = timeText(nowMs);
  void flipped;`,
    breaks: ['CTRL-K1'],
  },
  {
    name: 'a status is written over one that was not seen',
    file: 'src/controller/write-status.ts',
    text: `{ ...object, status }`,
    by: `{ ...object, metadata: { ...object.metadata, resourceVersion: undefined }, status }`,
    breaks: ['CTRL-W5'],
  },
];
