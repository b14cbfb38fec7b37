/** Runs the development loop: waits for edits, and starts an iteration after each. Its guarantees are in dev.ts. */
import { formatProblem, LifehookError } from '../../../model/problem.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { PathWatching } from '../../../platform/path-watching.ts';
import type { PhaseFailure, PipelineSession } from '../session.ts';
import { HookWindows } from '../watch/hook-windows.ts';
import { allChanges, changesOf, isEmpty, type Snapshot, withFilesOf } from '../watch/snapshot.ts';
import { SourceWatch } from '../watch/source-watch.ts';
import { artifactKey } from '../watch/watched-groups.ts';
import { weighChanges } from '../watch/weigh-changes.ts';
import { changedFiles } from './dev-changes.ts';
import { DevState, runIteration } from './dev-iteration.ts';
import { DevResources } from './dev-resources.ts';

export interface DevPorts {
  /** Reads the configuration again. Rejects as the first read does. */
  readonly reload: () => Promise<PipelineSession>;
  readonly watching: PathWatching;
  readonly forwardPorts: boolean;
  readonly tailLogs: boolean;
  /** Whether a failed first iteration leaves the loop running. */
  readonly keepsRunning: boolean;
}

export class DevLoop {
  session: PipelineSession;
  readonly #ports: DevPorts;
  readonly #windows: HookWindows;
  readonly #state = new DevState();
  readonly #reported = new Set<string>();
  #known: ReadonlySet<string> = new Set();
  /** The addresses of the hooks whose writes alone started the last iteration. */
  #starters: ReadonlySet<string> = new Set();
  #watch: SourceWatch | null = null;
  readonly #resources: DevResources;
  #number = 0;
  /**
   * The content at the start of the last iteration, with the configuration as it was read. The same content starts no
   * further iteration.
   */
  #attempted: Snapshot = NOTHING_YET;
  /**
   * The watched content just before the last reading of the configuration. For the first reading, and for files that
   * only the new configuration names: the content just after it.
   */
  #read: Snapshot = NOTHING_YET;
  #edited: ReadonlySet<string> = new Set();
  #hasFailed = false;

  constructor(session: PipelineSession, ports: DevPorts) {
    this.#ports = ports;
    this.#resources = new DevResources({
      ...ports,
      onPods: () => {
        if (this.#state.syncedFiles.lost(this.#resources.pods).length > 0) this.#watch?.wake();
      },
    });
    this.#windows = new HookWindows(session.platform.clock);
    this.session = this.#seen(session, session);
  }

  /**
   * Runs until the signal aborts, then returns null. Returns a failure if the first iteration failed and ends the loop.
   */
  async run(): Promise<PhaseFailure | null> {
    const { signal } = this.session.hooks;
    this.#watch = await SourceWatch.open(this.session, this.#ports.watching);
    this.#read = this.#watch.snapshot;
    let changed: readonly string[] = [];
    while (!signal.aborted) {
      const failure = await this.#iterate(changed);
      if (failure !== null && this.#number === 1 && !this.#ports.keepsRunning) return failure;
      const next = await this.#nextEdits();
      if (next === null) return null;
      changed = next;
    }
    return null;
  }

  async close(): Promise<void> {
    await this.#resources[Symbol.asyncDispose]();
    await this.#watch?.[Symbol.asyncDispose]();
  }

  /**
   * Adapts a session to this loop: the loop observes the session's events. Values, history, locks, signal and the
   * number of the iteration stay.
   */
  #seen(fresh: PipelineSession, before: PipelineSession): PipelineSession {
    const { emit } = fresh.hooks;
    const { values, history, locks, signal, iteration } = before.hooks;
    const hooks = {
      ...fresh.hooks,
      values,
      history,
      locks,
      signal,
      iteration,
      emit: (event: Parameters<typeof emit>[0]) => {
        this.#windows.see(event);
        emit(event);
      },
    };
    return { ...fresh, hooks };
  }

  /** null: the loop has ended. */
  async #nextEdits(): Promise<readonly string[] | null> {
    let edits: readonly string[] = [];
    for (;;) {
      const due = [...new Set([...edits, ...this.#takeLost()])];
      if (due.length > 0) return due;
      const hinted = (await this.#watch?.next(this.session.hooks.signal)) ?? null;
      if (hinted === null || this.#watch === null) return null;
      edits = await this.#weigh(hinted, this.#watch.snapshot);
    }
  }

  /** PIPE-D5: files that containers have lost are returned as pending once the containers are ready. */
  #takeLost(): readonly string[] {
    const lost = this.#state.syncedFiles.lost(this.#resources.pods);
    return lost.flatMap(({ image, paths, containers, areReady }) => {
      const text = lostText(image, containers);
      this.#warnOnce(text, 'LHL501');
      if (!areReady) return [];
      this.#reported.delete(text);
      this.#state.syncedFiles.forget(image);
      this.#state.doubt(artifactKey(image), paths);
      return [...paths];
    });
  }

  async #weigh(hinted: readonly string[], now: Snapshot): Promise<readonly string[]> {
    const differing = allChanges(this.#attempted, now);
    const files = await changedFiles(
      {
        hinted,
        differing,
        edited: this.#edited,
        now,
        windows: this.#windows,
        lastBuilt: this.#state.lastBuilt,
      },
      this.session,
    );
    const weighed = weighChanges(files, this.#known, this.#starters);
    const { edits, absorbed, warnings } = weighed;
    this.#known = weighed.known;
    if (edits.length > 0) this.#starters = weighed.starters;
    for (const message of warnings) this.#warnOnce(message);
    const own = new Set(absorbed);
    this.#attempted = withFilesOf(this.#attempted, own, now);
    if (!this.#hasFailed) this.#state.absorb(own, now);
    return edits;
  }

  #warnOnce(message: string, code = 'LHL504'): void {
    if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(message);
    this.session.hooks.emit({ type: 'Warning', code, message });
  }

  async #iterate(changed: readonly string[]): Promise<PhaseFailure | null> {
    this.#number += 1;
    this.#edited = new Set(changed);
    this.#windows.begin();
    this.session = { ...this.session, hooks: { ...this.session.hooks, iteration: this.#number } };
    const { workDir, emit } = this.session.hooks;
    const names = changed.map((path) =>
      path.startsWith(`${workDir}/`) ? path.slice(workDir.length + 1) : path,
    );
    emit({ type: 'Iteration', number: this.#number, changed: names.slice(0, MAX_NAMES) });
    const failure = await this.#attempt();
    this.#hasFailed = failure !== null;
    if (failure === null || failure.outcome === 'Cancelled') return null;
    if (!this.#ports.keepsRunning && this.#number === 1) return failure;
    const message = `Iteration ${this.#number} failed; the next change starts another iteration.\n${failure.message}`;
    this.session.hooks.emit({ type: 'Warning', code: 'LHL502', message });
    return failure;
  }

  /** Tries one iteration; null: it succeeded. */
  async #attempt(): Promise<PhaseFailure | null> {
    try {
      await this.#reloadIfChanged();
      const began = this.#watch?.snapshot ?? NOTHING_YET;
      this.#attempted = withConfigOf(began, this.#read);
      const result = await runIteration(this.session, this.#state, began);
      if (result.outcome !== 'Succeeded') return result;
      const { deployed } = this.#state;
      if (deployed === null) return null;
      return await this.#resources.open(this.session, deployed);
    } catch (error) {
      // A cluster that does not answer is an error like others: the loop continues.
      return { outcome: 'Failed', exitCode: 1, message: textOf(error) };
    }
  }

  async #reloadIfChanged(): Promise<void> {
    if (this.#watch === null) return;
    this.#attempted = this.#watch.snapshot;
    if (isEmpty(changesOf('config', this.#read, this.#watch.snapshot))) return;
    const read = this.#watch.snapshot;
    const fresh = this.#seen(await this.#ports.reload(), this.session);
    const watch = await SourceWatch.open(fresh, this.#ports.watching);
    await this.#watch[Symbol.asyncDispose]();
    await this.#resources[Symbol.asyncDispose]();
    this.session = fresh;
    this.#watch = watch;
    this.#read = withConfigOf(watch.snapshot, read);
    this.#state.forget();
    // A change between the reading of the configuration and the start of the new watch is reported by neither watch. It
    // must start the next iteration.
    if (!isEmpty(changesOf('config', this.#read, watch.snapshot))) watch.wake();
  }
}

/**
 * `snapshot`, with the content that the files of the configuration had when it was read. A file that `read` lacks keeps
 * its content.
 */
function withConfigOf(snapshot: Snapshot, read: Snapshot): Snapshot {
  const digests = new Map(snapshot.digests);
  for (const path of read.groups.get('config') ?? []) {
    const digest = read.digests.get(path);
    if (digests.has(path) && digest !== undefined) digests.set(path, digest);
  }
  return { ...snapshot, digests };
}

const NOTHING_YET: Snapshot = { groups: new Map(), digests: new Map() };

/** Maximum number of remembered warnings; below: of names in an event. */
const MAX_REPORTED = 1_000;
const MAX_NAMES = 100;

function lostText(image: string, containers: readonly string[]): string {
  return `${containers.join(', ')} restarted without the files that were synced into ${image}: the files are sent again.`;
}

function textOf(error: unknown): string {
  if (error instanceof LifehookError) return error.problems.map(formatProblem).join('\n');
  return errorText(error);
}
