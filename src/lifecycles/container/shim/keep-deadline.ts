/**
 * The runner for one hook of a Lifehook command. It enforces the deadline, so that no hook outlives its deadline when
 * the command is killed. The hook has the streams, the environment and the working directory of the runner. At the
 * deadline, or on TERM, every process that the hook has started is killed. While the processes cannot be listed, for
 * lack of file descriptors or memory, the runner retries without a limit: no other process finds all of them.
 */
import { type End, runToEnd } from '../../../handlers/command.ts';
import type { Limits } from '../../../handlers/limits.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import type { RunningProcess } from '../../../platform/platform.ts';
import { isSystemFailure, unlessMissing } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { sleep } from '../../../platform/sleep.ts';
import { procTable } from '../../../store/process-table.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import type { HookOrder, RunnerReport } from '../hook-runs/hook-order.ts';
import { treeOf } from '../hook-runs/whole-tree.ts';

export async function keepDeadline(host: ShimHost, order: HookOrder): Promise<void> {
  const cancelling = new LinkedSignal();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    host.supervision.onSignal(signal, () => {
      cancelling.abortWith(signal);
    });
  }
  host.supervision.becomeSubreaper();
  const report = (value: RunnerReport): Promise<boolean> => writeReport(host, order, value);
  const processes = procTable(host.files);
  // A deletion of the container reads this report, to find and kill a hook that an interrupted command has left.
  if (!(await report({ kind: 'running', runner: await processes.self() }))) return;
  // OCI-O6: if the command was killed before this report, a deletion did not find this runner. The container may be
  // deleted already.
  if (!(await processes.isAlive(order.by))) return;
  const limits = { timeoutMs: order.timeoutMs, signal: cancelling };
  const end = await runHook(host, order, limits);
  await reportEnd(host, () => report({ kind: 'ended', end }));
}

/** Runs the hook to its end. After a kill, no process of it is left. */
async function runHook(host: ShimHost, order: HookOrder, limits: Limits): Promise<End> {
  const started: RunningProcess[] = [];
  const end = await runToEnd(limits, host, () => {
    const running = start(host, order);
    started.push(running);
    return running;
  });
  const [running] = started;
  if (running?.finishKill?.() !== false) return end;
  while (!running.finishKill()) await sleep(host.timers, POLL_MS);
  const failure = 'it was killed late, for lack of file descriptors or memory';
  return { ...end, failure, alsoEnded: running.reached?.() ?? [] };
}

/** Milliseconds between two attempts while the system lacks file descriptors or memory. */
const POLL_MS = 50;
/** Milliseconds for which the end is written again: the command that waits for it says then that it is unknown. */
const REPORT_MAX_MS = 10_000;

async function reportEnd(
  { clock, timers }: ShimHost,
  report: () => Promise<boolean>,
): Promise<void> {
  const giveUpAtMs = clock.monotonicMs() + REPORT_MAX_MS;
  for (;;) {
    try {
      await report();
      return;
    } catch (error) {
      if (!isSystemFailure(error) || clock.monotonicMs() >= giveUpAtMs) throw error;
    }
    await sleep(timers, POLL_MS);
  }
}

const reportMode = 0o600;

/** False: the container was deleted meanwhile, so no command waits for this runner any more. */
async function writeReport(
  host: ShimHost,
  { endFile }: HookOrder,
  value: RunnerReport,
): Promise<boolean> {
  const text = encodeUtf8(JSON.stringify(value));
  const writing = host.replaceUnsynced(endFile, text, { mode: reportMode });
  return (await unlessMissing(writing.then(() => true))) ?? false;
}

function start({ supervision, env }: ShimHost, { file, argv }: HookOrder): RunningProcess {
  const inherit = { kind: 'inherit' as const };
  const streams = { stdinFile: '/dev/stdin', stdout: inherit, stderr: inherit };
  const hook = supervision.spawnDetached({ file, argv, env, ...streams, endsWithUs: true });
  const running: RunningProcess = {
    ...hook,
    signalGroup: (signal) => {
      supervision.signalProcess(-hook.pid, signal);
    },
    // Needs no check: every member of the group is a descendant of the hook or of this process, and so is found.
    groupAlive: () => false,
  };
  return treeOf(running, supervision);
}
