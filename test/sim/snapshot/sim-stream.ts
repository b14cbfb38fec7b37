/**
 * Both ends of a simulated exec session that stays open: the controller's, and the one of the command in the container.
 */
import type { SessionEnd, StreamSession } from '../../../src/kube/stream-session.ts';
import { StreamQueue } from '../../../src/kube/stream-queue.ts';
import type { SimHost } from '../controller/sim-host.ts';

/** The command's end of the connection. */
export interface CommandEnd {
  onLine: (line: string) => void;
  onEof: () => void;
  /** True if only the kernel notices a silent connection. The command has no timer of its own. */
  hasNoClock: boolean;
}

export class SimStream implements StreamSession {
  readonly stdout: StreamQueue = new StreamQueue();
  readonly stderr: StreamQueue = new StreamQueue();
  readonly ended: Promise<SessionEnd>;
  readonly status = null;
  /** The end in the container. */
  readonly command: CommandEnd = {
    onLine: () => {},
    onEof: () => {},
    hasNoClock: false,
  };
  readonly #host: SimHost;
  readonly #delayMs: () => number;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #rest = '';
  readonly #lastMs = { there: 0, back: 0 };
  /** True if no message arrives any more, but neither end has noticed that. */
  #silent = false;
  #open = true;
  #settle: (end: SessionEnd) => void = () => {};

  constructor(host: SimHost, delayMs: () => number) {
    this.#host = host;
    this.#delayMs = delayMs;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }

  write(input: Uint8Array): Promise<boolean> {
    if (!this.#open) return Promise.resolve(false);
    const text = this.#decoder.decode(input);
    this.#travel('there', () => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.command.onLine(line);
    });
    return Promise.resolve(true);
  }

  endStdin(): Promise<boolean> {
    this.#travel('there', () => {
      this.command.onEof();
    });
    return Promise.resolve(true);
  }

  resize(): Promise<boolean> {
    return Promise.resolve(this.#open);
  }

  close(): void {
    this.#finish({ kind: 'lost', cause: 'left', why: 'this process closed the connection' });
  }

  /** Sends a line of the command's output to the controller. */
  report(channel: 'stdout' | 'stderr', line: string): void {
    this.#travel('back', () => {
      this.#host.deliver(() => {
        if (this.#open) void this[channel].add(this.#encoder.encode(`${line}\n`));
      });
    });
  }

  /** Sends the exit code of the command to the controller. */
  exit(code: number): void {
    const causes = [{ reason: 'ExitCode', message: String(code) }];
    const failure = { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } } as const;
    const status = code === 0 ? ({ status: 'Success' } as const) : failure;
    this.#travel('back', () => {
      this.#host.deliver(() => {
        this.#finish({ kind: 'status', status: { kind: 'Status', ...status } });
      });
    });
  }

  /** Breaks the connection. With reset, both ends notice at once. With silence, they notice only after `noticedMs`. */
  breakOff(how: 'reset' | 'silence', noticedMs: number): void {
    if (!this.#open || this.#silent) return;
    const why = how === 'reset' ? 'the connection was reset' : 'the peer stopped answering';
    const end = { kind: 'lost', cause: how === 'reset' ? 'closed' : 'stalled', why } as const;
    if (how === 'reset' || this.command.hasNoClock) this.#reportEof();
    this.#silent = true;
    this.#host.world.after(noticedMs, () => {
      this.#host.deliver(() => {
        this.#finish(end);
      });
    });
  }

  #reportEof(): void {
    this.#host.world.after(this.#delayMs(), () => {
      this.command.onEof();
    });
  }

  #finish(end: SessionEnd): void {
    if (!this.#open) return;
    if (!this.#silent) this.#reportEof();
    this.#open = false;
    this.stdout.end();
    this.stderr.end();
    this.#settle(end);
  }

  /** Delivers a message after a delay. Messages arrive in the order in which they were sent. */
  #travel(way: 'there' | 'back', arrive: () => void): void {
    const { world } = this.#host;
    const atMs = Math.max(this.#lastMs[way], world.elapsedMs + this.#delayMs());
    this.#lastMs[way] = atMs;
    world.after(atMs - world.elapsedMs, () => {
      if (!this.#silent) arrive();
    });
  }
}
