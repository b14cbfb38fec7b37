/**
 * Record of what really happened, kept by the simulated world, not by the code under test: every command that was
 * sent to a container, and every cut of a volume with its content.
 */
import type { World } from '../world.ts';
import type { Application, Freeze } from './application.ts';

export type Verb = 'freeze' | 'thaw' | 'probe';

/** A command that a controller has sent, or that a session helper has started in its container. */
export interface Command {
  readonly verb: Verb;
  /** Tag of the actions: every hook of a seed has its own. */
  readonly tag: string;
  /** The command as it was sent; for a session helper, its arguments. */
  readonly words: readonly string[];
  /** The controller's process; null: a session helper. */
  readonly host: string | null;
  readonly pod: string;
  readonly container: string;
  /** The application that it reached; undefined: none. */
  readonly application: Application | undefined;
  readonly atMs: number;
  /** True: the controller has received its exit code 0. */
  succeeded: boolean;
  /** True: the controller no longer waits for its end. */
  abandoned: boolean;
  /** True: the controller has received its result, or that it never began. */
  isKnown: boolean;
  /** True: the controller has received that nothing was started. */
  notStarted: boolean;
}

/** Fields that are known only later. */
type Fate = 'atMs' | 'succeeded' | 'abandoned' | 'isKnown' | 'notStarted';

/** State of one application on a volume when it was cut. */
export interface Witness {
  readonly application: Application;
  readonly atBegin: Freeze | null;
  readonly writtenAtBegin: number;
  atEnd: Freeze | null;
  writtenAtEnd: number;
}

export interface Cut {
  readonly claim: string;
  /** UID of the VolumeSnapshot or the VolumeGroupSnapshot. */
  readonly snapshotUid: string;
  readonly beganMs: number;
  endedMs: number;
  /** false: copied file by file, as the storage itself reports. */
  readonly isAtomic: boolean;
  readonly witnesses: readonly Witness[];
}

/** A session helper in a container. */
export interface Holder {
  readonly tag: string;
  readonly application: Application;
  /** True if it has begun, and has not thawed yet. */
  readonly mayThaw: () => boolean;
}

/** A request to the storage to cut. */
interface Asked {
  readonly claim: string;
  readonly snapshotUid: string;
  readonly isAtomic: boolean;
}

export class Account {
  readonly commands: Command[] = [];
  readonly cuts: Cut[] = [];
  readonly holders: Holder[] = [];
  /** Called when a cut of the VolumeSnapshot or the VolumeGroupSnapshot with this UID begins. */
  onCut: (snapshotUid: string) => void = () => {};
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  command(command: Omit<Command, Fate>): Command {
    const { verb, tag, host, pod, container } = command;
    this.#world.note(`${host ?? 'the session helper'}: ${verb} ${tag} in ${pod}/${container}`);
    const fate = { succeeded: false, abandoned: false, isKnown: false, notStarted: false };
    const kept = { ...command, atMs: this.#world.elapsedMs, ...fate };
    this.commands.push(kept);
    return kept;
  }

  /** Returns the function to call when it is over. */
  beginCut(asked: Asked, applications: readonly Application[]): () => void {
    const { claim, snapshotUid } = asked;
    const witnesses = applications.map((application) => ({
      application,
      atBegin: application.freeze,
      writtenAtBegin: application.written,
      atEnd: application.freeze,
      writtenAtEnd: application.written,
    }));
    const beganMs = this.#world.elapsedMs;
    const cut: Cut = { ...asked, beganMs, endedMs: Number.POSITIVE_INFINITY, witnesses };
    this.cuts.push(cut);
    this.#world.note(`the cut of ${claim} for ${snapshotUid} begins`);
    this.onCut(snapshotUid);
    return () => {
      cut.endedMs = this.#world.elapsedMs;
      for (const witness of witnesses) {
        witness.atEnd = witness.application.freeze;
        witness.writtenAtEnd = witness.application.written;
      }
      this.#world.note(`the cut of ${claim} for ${snapshotUid} ends`);
      this.#world.faults.look();
    };
  }
}
