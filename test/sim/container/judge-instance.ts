/** OCI-V3: a supervisor acts only for the instance that it was started for, never for a later one with the same id. */
import type { HostProcess } from '../host/host-process.ts';
import type { Account, Creation } from './account.ts';
import { SUPERVISOR } from './own-programs.ts';

/** Judges the supervisor of a container whose shell starts. It is the parent of the shell. */
export function judgeSupervised(
  account: Account,
  creation: Creation,
  { parent }: HostProcess,
): void {
  judgeInstance(account, creation, { supervisor: parent, does: 'starts' });
}

/** Judges a supervisor that has written a report under the id of this container: it must be the container's own. */
export function judgeReport(account: Account, creation: Creation, supervisor: HostProcess): void {
  judgeInstance(account, creation, { supervisor, does: 'reports to' });
}

interface Act {
  readonly supervisor: HostProcess | null;
  readonly does: string;
}

function judgeInstance(
  account: Account,
  { id, n, instance }: Creation,
  { supervisor, does }: Act,
): void {
  const [name, , own = ''] = supervisor?.argv ?? [];
  account.require(name !== SUPERVISOR || own === instance, 'OCI-V3', () => {
    return `the supervisor of instance ${own} ${does} ${id} (${n}), which is instance ${instance}`;
  });
}
