/** The state of a container as the OCI runtime specification (runtime.md, "State") words it. */
import { OCI_VERSION, type Container, type ExitRecord } from './container.ts';

export type OciStatus = 'creating' | 'created' | 'running' | 'stopped';

export interface OciState {
  readonly ociVersion: string;
  readonly id: string;
  readonly status: OciStatus;
  /** Absent when there is no process. */
  readonly pid?: number;
  readonly bundle: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Ours: how the process ended, for postexit hooks and `lifehook oci state`. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** What of the state changes in a life. */
export interface Moment {
  readonly status: OciStatus;
  readonly pid: number | null;
  readonly exit?: ExitRecord | null;
}

export function ociState(
  { id, bundle, annotations }: Pick<Container, 'id' | 'bundle' | 'annotations'>,
  { status, pid, exit }: Moment,
): OciState {
  return {
    ociVersion: OCI_VERSION,
    id,
    status,
    ...(pid === null ? {} : { pid }),
    bundle,
    annotations,
    ...(exit === undefined || exit === null
      ? {}
      : { exitCode: exit.exitCode, signal: exit.signal }),
  };
}
