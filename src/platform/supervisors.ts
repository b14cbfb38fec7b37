/** The node's side of supervisors: starts one, and connects to a running one. */
import type { ByteText } from './platform.ts';
import type { DetachedProcess } from './supervision.ts';

export interface Supervisors {
  /** Starts a supervisor that outlives us, in its directory. Its errors are written to supervisor.log there. */
  start(call: SupervisorCall): DetachedProcess;
  /** Rejects with ECONNREFUSED if its process has exited, and with ENOENT if it never listened. */
  connect(socketPath: string): Promise<SupervisorConnection>;
}

export interface SupervisorCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

export interface SupervisorConnection {
  /** All received bytes; not reading blocks the peer. Ends when the connection has ended for any reason. */
  readonly incoming: AsyncIterable<ByteText>;
  write(bytes: ByteText): void;
  close(): void;
}
