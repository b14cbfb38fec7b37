/**
 * Orders in a file, one line of JSON each. Several servers may append to it: each write has whole lines. An order is
 * accepted when it is on the disk. While the store is frozen, nothing is written, and new orders wait.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- plain JavaScript, that runs without a build */
import { appendFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

const folder = process.env.LIFEHOOK_VOLUME_DATA ?? 'data';
export const ordersPath = join(folder, 'orders.ndjson');
export const pricesPath = join(folder, 'prices.json');
export const historyPath = join(folder, 'history.ndjson');

/** Records an event of this process in the history, with its time and pod. */
export function note(what) {
  const who = { at: Date.now(), pod: process.env.HOSTNAME, ...what };
  appendFileSync(historyPath, `${JSON.stringify(who)}\n`);
}

export class Store {
  #file;
  #waiting = [];
  #writing = Promise.resolve();
  #frozen = false;

  static async open() {
    const store = new Store();
    store.#file = await open(ordersPath, 'a');
    return store;
  }

  get frozen() {
    return this.#frozen;
  }

  /** Resolves when the order is on the disk. */
  add(order) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(order)}\n`, resolve, reject });
      this.#writing = this.#writing.then(() => this.#write());
    });
  }

  /** Resolves when all writes in progress are on the disk. */
  async freeze() {
    this.#frozen = true;
    await this.#writing;
    await this.#file.sync();
  }

  thaw() {
    this.#frozen = false;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write() {
    if (this.#frozen || this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#file.write(batch.map(({ line }) => line).join(''));
      await this.#file.datasync();
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
