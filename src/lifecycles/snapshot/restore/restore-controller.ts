/** The controller of restores: new claims from a snapshot, with hooks before and after, and a check of the copy. */
import { type Controller, makeController } from '../../../controller/controller.ts';
import type { Source } from '../../../controller/source.ts';
import type { SnapshotContext } from '../context.ts';
import { RestoreCaches } from './caches.ts';
import { RestoreDriver } from './drive.ts';

/** Restores in parallel: reconciles wait for requests only. */
const WORKERS = 4;
const NAME = 'snapshot-restores';

export function makeRestoreController(context: SnapshotContext): Controller {
  const caches = new RestoreCaches(context);
  return {
    name: NAME,
    run: async (term) => {
      const ends = new EndedCommands();
      const driver = new RestoreDriver(context, caches, ends.report);
      const controller = makeController({
        name: NAME,
        sources: [...caches.sources(), ends],
        reconcile: (key, pass) => driver.pass(key, pass),
        platform: context.platform,
        random: context.random,
        workers: WORKERS,
        observe: context.observeController,
      });
      try {
        await controller.run(term);
      } finally {
        driver.close();
      }
    },
  };
}

/** The restores whose commands have ended: their keys are reconciled. */
class EndedCommands implements Source {
  #enqueue: (key: string) => void = () => {};

  readonly report = (key: string): void => {
    this.#enqueue(key);
  };

  synced(): Promise<void> {
    return Promise.resolve();
  }

  listen(enqueue: (key: string) => void): () => void {
    this.#enqueue = enqueue;
    return () => {
      this.#enqueue = () => {};
    };
  }
}
