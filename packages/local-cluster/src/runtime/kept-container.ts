/**
 * A container with a supervisor, as the node sees it. The supervisor and the files in the container's directory have
 * its state.
 */
import type {
  ContainerEnd,
  ExecSession,
  ExecSpec,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import type { SupervisorConnection } from '../../../../src/platform/supervision.ts';
import { LinkedSignal, whenAborted } from '../../../../src/platform/linked-signal.ts';
import type { CancelSignal, Signal } from '../../../../src/platform/platform.ts';
import { backoffMs, sleep } from '../../../../src/platform/sleep.ts';
import { fromLabels } from '../../../../src/platform/container-labels.ts';
import { errorText } from '../../../../src/platform/error-text.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import {
  frameReader,
  purposeFrame,
  type Purpose,
  type Word,
} from '../../../../src/supervisor/frames.ts';
import {
  readRecord,
  writeRecord,
  type ContainerOrder,
  type StartedReport,
} from '../../../../src/supervisor/records.ts';
import { openSession } from './session.ts';
import { connectForSession, connectTo, showsNoSupervisor } from './supervisor-link.ts';
import { unmountRoot } from './overlay.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** The operations in which the runners differ. */
export interface Runner {
  readonly name: string;
  /** Prepares the command of an exec. Rejects with `StartError` if it cannot run. */
  execProgram(container: KeptContainer, spec: ExecSpec): Promise<ExecCall>;
  /** True if its program has not started and never will, because the process that would start it is lost. */
  neverBegan(place: KeptPlace): Promise<boolean>;
  /** Kills the remaining processes of a container whose supervisor was killed. */
  destroy(place: KeptPlace): Promise<void>;
  /** Removes everything outside of the directory of an exited container. */
  remove(place: KeptPlace): Promise<void>;
  /** Called once for each removed container, even for an adopted one. */
  onRemoved(id: string): void;
}

export interface ExecCall {
  readonly purpose: Extract<Purpose, { kind: 'exec' }>;
  /** Call after the command has exited. Rejects with `StartError` if the command was never started. */
  readonly settle?: () => Promise<void>;
}

export interface KeptPlace {
  readonly world: RuntimeWorld;
  readonly folder: string;
  readonly order: ContainerOrder;
  readonly report: StartedReport | null;
}

const BURY_RETRY = { firstMs: 100, maxMs: 10_000 };
/** Milliseconds to wait for an answer to a signal. A supervisor that is paused, or whose disk hangs, gives none. */
const SIGNAL_WAIT_MS = 10_000;
const BUSY_RETRY = { firstMs: 10, maxMs: 1_000 };
/** Number of failures in a row to record an end, after which the node's log gets a warning; they take 1.5 s. */
const WARNED_FAILURES = 5;
/** The same for failed connections to a supervisor; they take 3.3 s. */
const UNREACHED_FAILURES = 10;

export class KeptContainer implements RunningContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly imageId: string;
  readonly startedAtMs: number;
  readonly logPath: string;
  readonly ended: Promise<ContainerEnd>;
  readonly place: KeptPlace;
  readonly #runner: Runner;
  #end: ContainerEnd | null;

  /** `end`: the recorded end; null for a container that may still run. */
  constructor(runner: Runner, place: KeptPlace, end: ContainerEnd | null) {
    const { order, report } = place;
    this.id = order.id;
    this.labels = order.labels;
    this.imageId = order.imageId;
    this.pid = report?.process.pid ?? 0;
    this.startedAtMs = report?.startedAtMs ?? end?.endedAtMs ?? 0;
    this.logPath = order.log.path;
    this.place = place;
    this.#runner = runner;
    this.#end = end;
    this.ended = end === null ? this.#watch() : Promise.resolve(end);
  }

  get end(): ContainerEnd | null {
    return this.#end;
  }

  async signal(signal: Signal): Promise<void> {
    await this.#send(signal, new LinkedSignal());
  }

  /** Waits without a limit: after a kill that was given up, a paused supervisor that is continued would run on. */
  async kill(): Promise<void> {
    await this.#send('SIGKILL');
    await this.ended;
  }

  /** Sends a signal, and warns if it takes SIGNAL_WAIT_MS. Gives it up then if a limit is given, which aborts. */
  async #send(signal: Signal, limit?: LinkedSignal): Promise<void> {
    if (this.#end !== null) return;
    const cancelTimer = this.place.world.platform.timers.after(SIGNAL_WAIT_MS, () => {
      this.#warnOfSilence(signal);
      limit?.abort();
    });
    try {
      const connection = await this.#connectOrNothing(limit);
      if (connection === null) return;
      const close = (): void => {
        connection.close();
      };
      if (limit !== undefined) void whenAborted(limit).then(close);
      await hear(connection, { kind: 'signal', signal }, ({ kind }) => kind === 'done' || null);
    } finally {
      cancelTimer();
    }
  }

  exec(spec: ExecSpec): ExecSession {
    return openSession({
      open: async () => {
        const call = await this.#runner.execProgram(this, spec);
        return { connection: await connectForSession(this.place), ...call };
      },
      signal: spec.signal,
    });
  }

  attach(): ExecSession {
    return openSession({
      open: async () => ({
        connection: await connectForSession(this.place),
        purpose: { kind: 'attach' },
      }),
    });
  }

  async remove(): Promise<void> {
    if (this.#end === null) {
      throw new Error(`container ${this.id} is running: call kill() before remove()`);
    }
    await this.#runner.remove(this.place);
    await removeFolder(this.place);
    this.#runner.onRemoved(this.id);
  }

  async #watch(): Promise<ContainerEnd> {
    const end = (await this.#watchSupervisor()) ?? (await this.#bury());
    this.#end = end;
    return end;
  }

  /**
   * Records the end of the container. Retries until it succeeds: until then a process of the container may still run.
   */
  async #bury(): Promise<ContainerEnd> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await bury(this.#runner, this.place);
      } catch (error) {
        const what = "was killed, and the container's end cannot be recorded";
        if (failures === WARNED_FAILURES) this.#warn(what, error);
        await sleep(this.place.world.platform.timers, backoffMs(failures, BURY_RETRY, 1));
      }
    }
  }

  #warnOfSilence(signal: Signal): void {
    const pid = this.place.report?.supervisor.pid ?? 0;
    this.place.world.warn(
      `the supervisor of the container ${this.#what()} (process ${pid}) has not answered for ${SIGNAL_WAIT_MS / 1_000} s, so ${signal} may not have reached the container. If the supervisor is paused, continue it with kill -CONT ${pid}`,
    );
  }

  #what(): string {
    const { namespace, pod, container } = fromLabels(this.labels) ?? {};
    if (container === undefined) return this.id;
    return `${container} of pod ${namespace ?? ''}/${pod ?? ''}`;
  }

  #warn(what: string, error: unknown): void {
    this.place.world.warn(
      `the supervisor of the container ${this.#what()} ${what}: ${errorText(error)}. The pod keeps its state until a retry succeeds`,
    );
  }

  async #watchSupervisor(): Promise<ContainerEnd | null> {
    const connection = await this.#connectOrNothing();
    if (connection === null) return null;
    return hear(connection, { kind: 'watch' }, (word) => (word.kind === 'ended' ? word.end : null));
  }

  /** null: the supervisor has exited or was killed, as its record shows; or the limit was reached. */
  async #connectOrNothing(limit?: CancelSignal): Promise<SupervisorConnection | null> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await connectTo(this.place);
      } catch (error) {
        if (showsNoSupervisor(error) || limit?.aborted === true) return null;
        // EAGAIN: the queue of the socket is full, as that of a paused supervisor, whose silence gets a warning.
        const isFull = codeOf(error) === 'EAGAIN';
        if (failures === UNREACHED_FAILURES && !isFull) this.#warn('cannot be reached', error);
        await sleep(this.place.world.platform.timers, backoffMs(failures, BUSY_RETRY, 1), limit);
      }
    }
  }
}

/** Sends a request and reads until the wanted message arrives; null if the supervisor has exited. */
async function hear<T>(
  connection: SupervisorConnection,
  purpose: Purpose,
  wanted: (word: Word) => T | null,
): Promise<T | null> {
  const received: T[] = [];
  const read = frameReader((frame) => {
    const found = frame.kind === 'w' ? wanted(frame.word) : null;
    if (found !== null) received.push(found);
  });
  try {
    connection.write(purposeFrame(purpose));
    for await (const bytes of connection.incoming) {
      read(bytes);
      const [first] = received;
      if (first !== undefined) return first;
    }
    return null;
  } finally {
    connection.close();
  }
}

/**
 * Returns the end of a container whose supervisor has exited: the recorded one, else unknown. Without a record its
 * processes are killed first, because their exit can no longer be observed.
 */
export async function bury(runner: Runner, place: KeptPlace): Promise<ContainerEnd> {
  const { world, folder } = place;
  const { files, clock } = world.platform;
  const recorded = await readRecord(files, folder, 'exit');
  if (recorded !== null) return recorded;
  await runner.destroy(place);
  const endedAtMs = clock.nowMs();
  const end = { exitCode: null, signal: null, endedAtMs, reason: 'ContainerStatusUnknown' };
  await writeRecord(files, folder, ['exit', end]);
  return end;
}

/** Prefix of directories that are being removed. No container id begins with a dot. */
export const REMOVED_PREFIX = '.removed-';

/** Removes a container's directory. It is renamed first, so that no node adopts an incomplete one. */
export async function removeFolder({
  world,
  folder,
}: Pick<KeptPlace, 'world' | 'folder'>): Promise<void> {
  const { files, clock } = world.platform;
  const slash = folder.lastIndexOf('/') + 1;
  const doomed = `${folder.slice(0, slash)}${REMOVED_PREFIX}${clock.nowMs()}-${folder.slice(slash)}`;
  try {
    await files.rename(folder, doomed);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await removeDoomed(world, doomed);
}

const REMOVE_TRIES = 3;

/**
 * Removes a renamed directory. The `mount` program of a killed node keeps running, and may mount the root just before
 * the rename. So the root is unmounted first, and again if the removal fails.
 */
export async function removeDoomed(world: RuntimeWorld, folder: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await unmountRoot(world, folder);
    try {
      await world.platform.files.remove(folder);
      return;
    } catch (error) {
      if (tries === REMOVE_TRIES) throw error;
    }
  }
}
