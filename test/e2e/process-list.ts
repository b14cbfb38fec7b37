/** The current processes of this machine: from /proc, or from ps(1) if there is no /proc. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  /** Process group id. */
  readonly group: number;
  /** Arguments, joined with spaces; empty for a zombie. */
  readonly line: string;
}

export function processList(): ListedProcess[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): ListedProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      // proc_pid_stat(5): the name, in parentheses, may contain anything; the group is the third field after it.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /su, '')
        .split(' ');
      return [{ pid: Number(pid), group: Number(fields[2]), line }];
    } catch {
      return []; // The process has exited since.
    }
  });
}

function fromPs(): ListedProcess[] {
  const table = execFileSync('ps', ['-eo', 'pid=,pgid=,args='], { encoding: 'utf8' });
  return table.split('\n').flatMap((row) => {
    const [, pid, group, line = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(row) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), group: Number(group), line: line.trim() }];
  });
}

/** Kills each process that is in the group and has `words` in its command line; returns the number of kills. */
export function killOf(group: number | undefined, words: string): number {
  const pids = processList()
    .filter((one) => one.group === group && one.line.includes(words))
    .map(({ pid }) => pid);
  // Stops all processes first. Otherwise a process that sees another one die would thaw, and report the thaw, before it
  // is killed.
  for (const pid of pids) isSent(pid, 'SIGSTOP');
  return pids.filter((pid) => isSent(pid, 'SIGKILL')).length;
}

/** False: the process has exited meanwhile. */
function isSent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
