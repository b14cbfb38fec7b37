import type { Files } from '../../src/platform/platform.ts';
import type { ProcessTable } from '../../src/store/process-table.ts';
import { type DiskFaults, noDiskFaults, SimDisk } from './disk.ts';
import { Random } from './random.ts';
import { type SimProcess, World } from './world.ts';

/** A machine with a disk for hand-written tests. Processes start, run and die on it. */
export class Machine {
  readonly world: World;
  readonly disk: SimDisk;
  readonly #random: Random;
  readonly #alive = new Set<number>();

  constructor(seed: number = 1) {
    this.world = new World();
    this.#random = new Random(seed);
    this.disk = new SimDisk({ world: this.world, random: this.#random, faults: noDiskFaults });
  }

  set faults(faults: DiskFaults) {
    this.disk.faults = faults;
  }

  start(): MachineProcess {
    const process = this.world.spawn();
    this.#alive.add(process.pid);
    const identity = { pid: process.pid, started: `boot/${process.pid}` };
    return {
      process,
      files: this.disk.filesOf(process),
      processes: {
        self: () => Promise.resolve(identity),
        isAlive: ({ pid }) => Promise.resolve(this.#alive.has(pid)),
      },
    };
  }

  kill({ process }: MachineProcess, power: 'power stays' | 'power is lost'): void {
    process.alive = false;
    this.#alive.delete(process.pid);
    if (power === 'power stays') this.disk.kill(process);
    else this.disk.losePower(process);
  }

  /** Lets simulated time pass until the promise settles. */
  async until<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const watch = (): void => {
      over = true;
    };
    work.then(watch, watch);
    if (!(await this.world.runUntil(() => over, MAX_EVENTS))) throw new Error('it never ends');
    return work;
  }

  /** Lets at most `events` events happen. */
  async pass(events: number): Promise<void> {
    await this.world.runUntil(() => false, events);
  }
}

const MAX_EVENTS = 100_000;

export interface MachineProcess {
  readonly process: SimProcess;
  readonly files: Files;
  readonly processes: ProcessTable;
}
