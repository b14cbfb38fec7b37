import type { Mutant } from '../kept-mutants.ts';

/** Each mutant breaks one promise of the controller module by the smallest possible change. */
export const controllerMutants: readonly Mutant[] = [
  {
    name: 'a key that is in hand is handed out again',
    file: 'src/controller/work-queue.ts',
    text: `    if (this.#inHand.has(key)) this.#again.add(key);
    else this.#makeReady(key);`,
    by: `    this.#makeReady(key);`,
    breaks: ['CTRL-S1'],
  },
  {
    name: 'what is added while its key is in hand is lost',
    file: 'src/controller/work-queue.ts',
    text: `if (this.#again.delete(key)) this.#makeReady(key);`,
    by: `this.#again.delete(key);`,
    breaks: ['CTRL-S5'],
  },
  {
    name: 'a pass that failed is not made again',
    file: 'src/controller/controller.ts',
    text: `return queue.retry(key, askedPauseMs(outcome.error));`,
    by: `return askedPauseMs(outcome.error);`,
    breaks: ['CTRL-S5', 'CTRL-R4'],
  },
  {
    name: 'a leader goes on for as long as others wait',
    file: 'src/controller/lease-term.ts',
    text: `return this.#options.times.renewDeadlineMs - Math.max(passedMs, wallPassedMs);`,
    by: `return 2 * this.#options.times.durationMs - Math.max(passedMs, wallPassedMs);`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a renewal without an answer counts as one',
    file: 'src/controller/lease-term.ts',
    text: `    writes.last = spec;
    this.#lease = await`,
    by: `    writes.last = spec;
    this.#proof = proof;
    this.#lease = await`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a process that was stopped is not asked whether it still leads',
    file: 'src/controller/fenced-client.ts',
    text: `if (mayAct()) return;`,
    by: `if (mayAct() || true) return;`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a candidate waits half as long as the holder asks for',
    file: 'src/controller/lease-record.ts',
    text: `return Math.max(0, seenMs + durationMs - nowMs);`,
    by: `return Math.max(0, seenMs + durationMs / 2 - nowMs);`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'a renewal that a candidate sees does not count',
    file: 'src/controller/lease-record.ts',
    text: `const same = before !== null && versionOf(before.lease) === versionOf(lease);`,
    by: `const same = before !== null;`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'two terms have one token',
    file: 'src/controller/lease-record.ts',
    text: `(before.leaseTransitions ?? 0) + 1,`,
    by: `(before.leaseTransitions ?? 0),`,
    breaks: ['CTRL-S2'],
  },
  {
    name: 'the lease is given away while passes are under way',
    file: 'src/controller/manager.ts',
    text: `      await runTerm(controllers, { stop, leadership });
    } finally`,
    by: `      await Promise.race([runTerm(controllers, { stop, leadership }), whenAborted(stop)]);
    } finally`,
    breaks: ['CTRL-S2', 'CTRL-M3'],
  },
  {
    name: 'what was created and not seen is not waited for',
    file: 'src/controller/expectations.ts',
    text: `if (ms <= 0) {`,
    by: `if (ms <= 1e9) {`,
    breaks: ['CTRL-S3'],
  },
  {
    name: 'what a relist no longer names stays in the cache',
    file: 'src/controller/informer.ts',
    text: `if (named !== null) this.#removeUnnamed(named);`,
    by: ``,
    breaks: ['CTRL-S5'],
  },
  {
    name: 'an object that is going is worked on as if it stayed',
    file: 'src/controller/finalizers.ts',
    text: `  if (!isTerminating(object)) return ours ? 'work' : 'add';`,
    by: `  if (object.metadata !== undefined) return ours ? 'work' : 'add';`,
    breaks: ['CTRL-S5'],
  },
  {
    name: 'a status is written whether it has changed or not',
    file: 'src/controller/write-status.ts',
    text: `if (sameJson(object.status ?? {}, status)) return object;`,
    by: `Object.assign(status, { writtenAs: object.metadata?.resourceVersion });`,
    breaks: ['CTRL-S5'],
  },
];
