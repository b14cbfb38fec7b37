/** The node's side of supervisors: starting one, and speaking with one that runs. */
import type { ByteText } from './platform.ts';
import type { DetachedProcess } from './supervision.ts';

export interface Supervisors {
  /** Starts a supervisor that outlives us, in its folder. What it complains of goes to supervisor.log there. */
  start(call: SupervisorCall): DetachedProcess;
  /** Rejects with ECONNREFUSED when nobody listens any more, and with ENOENT when nobody ever did. */
  connect(socketPath: string): Promise<SupervisorConnection>;
}

export interface SupervisorCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

export interface SupervisorConnection {
  /** Everything that comes; not reading stops the other side. Ends when it is gone, however. */
  readonly incoming: AsyncIterable<ByteText>;
  write(bytes: ByteText): void;
  close(): void;
}
