/**
 * Simulates the session helper in a container (`session/holder-script.ts` has the real one). It uses the same protocol,
 * and thaws for the same causes. It survives the death of a controller, and exits when its container exits.
 */
import type { ThawCause } from '../../../src/lifecycles/snapshot/session/holder-report.ts';
import type { World } from '../world.ts';
import type { SimStream } from './sim-stream.ts';

/** The actions that the session helper does in its container. */
export interface HolderWork {
  /**
   * Freezes after a while, unless `isWanted` is false by then. Resolves with the exit code of the command; never if the
   * command hangs or is no longer wanted.
   */
  freeze(isWanted: () => boolean): Promise<number>;
  /** Thaws at once, and returns the exit code. */
  thaw(): number;
  isAlive(): boolean;
}

export interface HolderOptions {
  readonly world: World;
  readonly stream: SimStream;
  readonly work: HolderWork;
  readonly command: readonly string[];
  readonly timing: 'read' | 'sleep' | 'eof';
}

/** `sh -c SCRIPT lifehook-holder KIND WINDOW LONGEST …`, as built by `holderArguments`. */
interface HolderArguments {
  readonly kind: 'commands' | 'client';
  readonly windowMs: number;
  readonly longestMs: number;
  /**
   * `commands`: number of freeze arguments, freeze, thaw. `client`: lines that freeze, lines that thaw, argv of the
   * client.
   */
  readonly rest: readonly string[];
}

export function readHolderArguments(command: readonly string[]): HolderArguments {
  const [, , , , kind, window, longest, ...rest] = command;
  return {
    kind: kind === 'client' ? 'client' : 'commands',
    windowMs: Number(window) * 1_000,
    longestMs: Number(longest) * 1_000,
    rest,
  };
}

/** Tag in the freeze command: for a client in the line "freeze TAG", for commands in an argument of its own. */
export function tagOfHolder(command: readonly string[]): string {
  const { kind, rest } = readHolderArguments(command);
  return (kind === 'client' ? rest[0]?.split(' ')[1] : rest[2]) ?? '';
}

/** The line of a client's output that confirms the freeze. */
export const READY = 'FROZEN';
/** Milliseconds until a thaw takes effect. */
const THAW_MS = 20;
/** Milliseconds until a hanging freeze is killed after the thaw was requested. */
const HANG_MS = 4_000;

export interface RunningHolder {
  /** True if the helper has started and has not thawed yet. */
  readonly mayThaw: boolean;
}

export function runHolder(options: HolderOptions): RunningHolder {
  const holder = new SimHolder(options);
  holder.begin();
  return holder;
}

class SimHolder implements RunningHolder {
  readonly #options: HolderOptions;
  readonly #arguments: HolderArguments;
  #nonce: string | null = null;
  #scriptIsRead = false;
  #begun = false;
  #frozen: 'not yet' | 'frozen' | 'failed' = 'not yet';
  #cause: ThawCause | null = null;
  #over = false;
  #callOffSilence: () => void = () => {};
  #callOffExpiry: () => void = () => {};

  constructor(options: HolderOptions) {
    this.#options = options;
    this.#arguments = readHolderArguments(options.command);
  }

  get mayThaw(): boolean {
    return this.#begun && this.#isAlive();
  }

  begin(): void {
    const { stream, timing } = this.#options;
    stream.command.hasNoClock = timing === 'eof';
    stream.command.onLine = (line): void => {
      if (this.#isAlive()) this.#read(line);
    };
    stream.command.onEof = (): void => {
      if (this.#isAlive()) this.#hear('eof');
    };
  }

  #isAlive(): boolean {
    if (!this.#options.work.isAlive()) this.#end();
    return !this.#over;
  }

  #read(line: string): void {
    if (this.#nonce === null) {
      this.#nonce = line;
      return;
    }
    if (!this.#scriptIsRead) {
      if (line === this.#nonce) this.#start();
      return;
    }
    if (line.startsWith('renew ')) {
      this.#renewed();
      this.#say('alive');
    }
    if (line === 'thaw') this.#hear('asked');
    if (line === 'abort') this.#hear('aborted');
  }

  #start(): void {
    this.#scriptIsRead = true;
    this.#begun = true;
    const { timing, world } = this.#options;
    this.#say(`timing ${timing}`);
    this.#renewed();
    const { longestMs } = this.#arguments;
    if (longestMs > 0 && timing !== 'eof') {
      this.#callOffExpiry = world.after(longestMs, () => {
        this.#hear('expiry');
      });
    }
    void this.#freeze();
  }

  async #freeze(): Promise<void> {
    const code = await this.#options.work.freeze(() => !this.#over);
    if (!this.#isAlive()) return;
    this.#frozen = code === 0 ? 'frozen' : 'failed';
    if (this.#arguments.kind === 'client') {
      if (code === 0) this.#options.stream.report('stderr', READY);
      else this.#endClient(code);
      return;
    }
    if (code === 0) {
      if (this.#cause === null) this.#say('frozen');
      else this.#thaw();
      return;
    }
    this.#say(`failed ${code}`);
    if (this.#cause === null) this.#hear('failed');
    else this.#thaw();
  }

  #endClient(code: number): void {
    this.#options.work.thaw();
    this.#sayLast(`ended ${code}`);
  }

  #renewed(): void {
    this.#callOffSilence();
    const { timing, world } = this.#options;
    if (timing === 'eof') return;
    this.#callOffSilence = world.after(this.#arguments.windowMs, () => {
      this.#hear('silence');
    });
  }

  #hear(cause: ThawCause): void {
    if (!this.#isAlive() || this.#cause !== null) return;
    if (!this.#begun) {
      this.#end();
      return;
    }
    this.#cause = cause;
    this.#callOffSilence();
    this.#callOffExpiry();
    this.#options.world.note(`the session helper thaws: ${cause}`);
    this.#say(`thawing ${cause}`);
    // A freeze command that hangs is killed first (SNAP-H5).
    const waitMs = this.#frozen === 'not yet' ? HANG_MS : THAW_MS;
    this.#options.world.after(waitMs, () => {
      this.#thaw();
    });
  }

  #thaw(): void {
    if (!this.#isAlive()) return;
    const code = this.#options.work.thaw();
    this.#sayLast(this.#arguments.kind === 'client' ? `ended ${code}` : `thawed ${code}`);
  }

  #say(words: string): void {
    this.#options.stream.report('stdout', `${this.#nonce ?? ''} ${words}`);
  }

  #sayLast(words: string): void {
    this.#say(words);
    this.#options.stream.report('stderr', `\n${this.#nonce ?? ''}`);
    this.#options.stream.exit(0);
    this.#end();
  }

  /** Stops the helper. After this, it does nothing. */
  #end(): void {
    this.#over = true;
    this.#callOffSilence();
    this.#callOffExpiry();
  }
}
