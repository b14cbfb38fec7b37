/** OCI-O6: a runner starts no hook if its command died before the runner reported itself. */
import type { HostProcess } from '../host/host-process.ts';
import type { Account } from './account.ts';

export interface Runner {
  /** The process that started the runner and waits for the hook. */
  readonly command: HostProcess;
  /** The command lived when the report got its name. False: there is no report yet, or the command was dead. */
  reportedInTime: boolean;
}

/** Called when a runner starts. Its parent is its command; after the death of the command it has another parent. */
export function followRunner({ runners }: Account, process: HostProcess): void {
  const { parent } = process;
  if (parent !== null) runners.set(process, { command: parent, reportedInTime: false });
}

/** Called when a process has replaced a file. A runner replaces only its report. */
export function onReplaced({ runners }: Account, process: HostProcess): void {
  const runner = runners.get(process);
  if (runner?.command.alive === true) runner.reportedInTime = true;
}

/** Called when a hook starts. A command that dies after the report may die unseen: a deletion ends that hook. */
export function judgeRunner(account: Account, name: string, { parent }: HostProcess): void {
  const runner = parent === null ? undefined : account.runners.get(parent);
  if (runner === undefined) return;
  const { command, reportedInTime } = runner;
  account.require(command.alive || reportedInTime, 'OCI-O6', () => {
    return `${name} began, and its command ${command.pid} died before the runner reported itself`;
  });
}
