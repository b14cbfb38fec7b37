/**
 * The supervisor of one container: it owns the container's standard streams and log, records its exit, and serves the
 * container's socket. It outlives the node that started it.
 * Runs natively (QuickJS) or under Node: uses nothing that QuickJS lacks.
 *
 * - The process that created the socket owns the container; there is never a second one.
 * - The end is reported after every process was killed, its output is in the log, and the record is durable. A process
 *   that is stuck in the kernel is waited for at most 10 s (`process-tree.ts`).
 */
import type { ContainerEnd } from '../platform/container-runtime.ts';
import type { Channel, SupervisorHost } from '../platform/supervisor-host.ts';
import type { Exit, Files, Platform } from '../platform/platform.ts';
import { errorText } from '../platform/error-text.ts';
import { codeOf } from '../platform/posix-error.ts';
import { sleep } from '../platform/sleep.ts';
import { procTable, type ProcessIdentity } from '../store/process-table.ts';
import { ContainerStreams } from './container-streams.ts';
import { keepRecord } from './keep-record.ts';
import { RecordLog } from './record-log.ts';
import { endAll } from './process-tree.ts';
import { writeRecord, type ContainerOrder, type SupervisorReport } from './records.ts';

export class Supervisor {
  readonly host: SupervisorHost;
  readonly folder: string;
  readonly order: ContainerOrder;
  readonly streams: ContainerStreams;
  /** Pids of the commands that run in the container. */
  readonly visitors: Set<number> = new Set();
  /** Callbacks of the clients that wait for the end. */
  readonly watchers: Set<(end: ContainerEnd) => void> = new Set();
  readonly connections: Set<Channel> = new Set();
  /** Pid of the container's first process; null: there is none yet, or it has exited. */
  first: number | null = null;
  end: ContainerEnd | null = null;
  #memory: MemoryWatch | null = null;

  constructor(host: SupervisorHost, folder: string, order: ContainerOrder) {
    this.host = host;
    this.folder = folder;
    this.order = order;
    this.streams = new ContainerStreams(new RecordLog(host, order.log));
  }

  /** Reports a started container, and begins to watch its memory. Call it once the process runs in its own cgroup. */
  async reportContainer(pid: number): Promise<void> {
    this.#memory = await watchMemory(this.host, pid);
    await this.report(pid);
  }

  async report(pid: number): Promise<void> {
    const { files, clock } = this.host;
    const startedAtMs = clock.nowMs();
    this.first = pid;
    const process = await identify(files, pid);
    const supervisor = await procTable(files).self();
    await this.#report({ kind: 'started', supervisor, process, startedAtMs });
  }

  /** Reports a failed start. Call it when no process of that start is left. */
  async reportFailure(error: unknown): Promise<void> {
    const code = codeOf(error) ?? 'EIO';
    await this.#report({ kind: 'failed', code, reason: errorText(error) });
  }

  /**
   * Call when the first process has exited. Kills the remaining processes, then records and reports the end. `exit` is
   * null if the exit status is unknown.
   */
  async settle(exit: Exit | null): Promise<void> {
    const { host, first } = this;
    // The process was reaped, so another process may get its pid. The id of its group stays reserved while the group
    // has members.
    this.first = null;
    const endedAtMs = host.clock.nowMs();
    const oomKilled = (await this.#memory?.wasExceeded()) ?? false;
    await endAll(host, { first });
    await this.streams.close(host.timers);
    const end = endOf(exit, oomKilled, endedAtMs);
    // No other process knows the exit status.
    await keepRecord(host, () => writeRecord(host.files, this.folder, ['exit', end]));
    this.end = end;
    for (const watcher of this.watchers) watcher(end);
  }

  /** Resolves once every client has read its messages and closed its connection, or after five seconds. */
  async linger(): Promise<void> {
    for (let waitedMs = 0; waitedMs < lingerMaxMs; waitedMs += lingerPollMs) {
      if ([...this.connections].every(({ closed }) => closed)) return;
      await sleep(this.host.timers, lingerPollMs);
    }
  }

  /**
   * Writes the report. It is not synced: a power failure also ends the process, and the recorded start time shows that.
   */
  async #report(report: SupervisorReport): Promise<void> {
    await writeRecord({ replace: this.host.replaceUnsynced }, this.folder, ['report', report]);
  }
}

const lingerMaxMs = 5000;
const lingerPollMs = 5;

function endOf(exit: Exit | null, oomKilled: boolean, endedAtMs: number): ContainerEnd {
  if (exit === null) {
    return { exitCode: null, signal: null, endedAtMs, reason: 'ContainerStatusUnknown' };
  }
  const reason = exit.code === 0 ? 'Completed' : 'Error';
  return {
    exitCode: exit.code,
    signal: exit.signal,
    endedAtMs,
    reason: oomKilled ? 'OOMKilled' : reason,
  };
}

/** Reads the identity of another process as that process would read its own. */
async function identify(files: Files, pid: number): Promise<ProcessIdentity> {
  const read = (path: string): Promise<string> =>
    files.read(path.replace('/proc/self/', `/proc/${pid}/`));
  try {
    return await procTable({ ...files, read }).self();
  } catch {
    // The process has exited already. No process ever has this start value.
    return { pid, started: 'unseen' };
  }
}

/**
 * Detects that the kernel killed a process of the container for lack of memory. The cgroup counts such kills, in both
 * of its versions. Its path is found while the container runs; the count is read after the container's end.
 */
interface MemoryWatch {
  wasExceeded(): Promise<boolean>;
}

async function watchMemory({ files }: Pick<Platform, 'files'>, pid: number): Promise<MemoryWatch> {
  const path = countPath(await files.read(`/proc/${pid}/cgroup`).catch(() => ''));
  return {
    wasExceeded: async () => {
      if (path === null) return false;
      const [, count] = /^oom_kill (\d+)$/m.exec(await files.read(path).catch(() => '')) ?? [];
      return Number(count ?? 0) > 0;
    },
  };
}

/**
 * The path of the file that counts kills for lack of memory; null: none. Each line of `groups` is
 * `number:controllers:path`; in version 2 there are no controllers.
 */
function countPath(groups: string): string | null {
  const [, ofVersion1] = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(groups) ?? [];
  if (ofVersion1 !== undefined) return `/sys/fs/cgroup/memory${ofVersion1}/memory.oom_control`;
  const [, ofVersion2] = /^0::(.+)$/m.exec(groups) ?? [];
  return ofVersion2 === undefined ? null : `/sys/fs/cgroup${ofVersion2}/memory.events`;
}
