/** The node's side of supervisors: starting one, and speaking with one that runs. */
import type { ByteText, Exit } from './platform.ts';

export interface Supervisors {
  /**
   * Starts a supervisor that outlives us, in its folder, and resolves with the first line that it says.
   * What it complains of goes to supervisor.log. Rejects when it ends without a word.
   */
  launch(call: SupervisorCall): Promise<string>;
  /** As `launch`, without waiting: it is told of by other means. */
  launchSilently(call: SupervisorCall): { readonly pid: number; readonly exited: Promise<Exit> };
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
