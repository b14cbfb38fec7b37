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
  /** Tag of the hook's actions. Every hook of a seed has a tag of its own. */
  readonly tag: string;
  /** Argv of the command. For a session helper, it is what the helper starts. */
  readonly words: readonly string[];
  /** Name of the controller's process that sent it; null if a session helper started it. */
  readonly host: string | null;
  readonly pod: string;
  readonly container: string;
  /** The application that the command reached; undefined if it reached none. */
  readonly application: Application | undefined;
  readonly atMs: number;
  /** True if the controller has received exit code 0. */
  succeeded: boolean;
  /** True if the controller no longer waits for the end of the command. */
  abandoned: boolean;
  /** True if the controller has received the result, or knows that the command never began. */
  isKnown: boolean;
  /** True if the controller knows that nothing was started. */
  notStarted: boolean;
}

/** Fields that are set only after the command was sent. */
type Fate = 'atMs' | 'succeeded' | 'abandoned' | 'isKnown' | 'notStarted';

/** State of one application at the start and at the end of a cut of its volume. */
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
  /** False if the volume was copied file by file, which the storage itself reports. */
  readonly isAtomic: boolean;
  readonly witnesses: readonly Witness[];
}

/** A session helper in a container. */
export interface Holder {
  readonly tag: string;
  readonly application: Application;
  /** True while the helper is running and has not thawed. */
  readonly mayThaw: () => boolean;
}

/** A request to the storage to cut a volume. */
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

  /** Returns the function to call when the cut has ended. */
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
