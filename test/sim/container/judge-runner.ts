/** OCI-O6: a runner starts no hook if its command died before the runner reported itself. */
import type { HostProcess } from '../host/host-process.ts';
import type { Account } from './account.ts';

export interface Runner {
  /** The process that started the runner and waits for the hook. */
  readonly command: HostProcess;
  /**
   * True if the command was alive when the report got its final name. False before that, or if the command was dead.
   */
  reportedInTime: boolean;
}

/**
 * Records the command of a runner that starts: at that time, its parent is its command. When the command dies, the
 * parent changes.
 */
export function followRunner({ runners }: Account, process: HostProcess): void {
  const { parent } = process;
  if (parent !== null) runners.set(process, { command: parent, reportedInTime: false });
}

/** Records that a runner has replaced its report, the only file that it replaces. */
export function onReplaced({ runners }: Account, process: HostProcess): void {
  const runner = runners.get(process);
  if (runner?.command.alive === true) runner.reportedInTime = true;
}

/**
 * Call when a hook starts. If the command dies after the report, the runner may not notice. A deletion then ends the
 * hook.
 */
export function judgeRunner(account: Account, name: string, { parent }: HostProcess): void {
  const runner = parent === null ? undefined : account.runners.get(parent);
  if (runner === undefined) return;
  const { command, reportedInTime } = runner;
  account.require(command.alive || reportedInTime, 'OCI-O6', () => {
    return `${name} began, and its command ${command.pid} died before the runner reported itself`;
  });
}
