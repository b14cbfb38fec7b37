/** The state of a container, as the OCI runtime specification (runtime.md, "State") defines it. */
import { OCI_VERSION, type Container, type ExitRecord } from './container.ts';

export type OciStatus = 'creating' | 'created' | 'running' | 'stopped';

export interface OciState {
  readonly ociVersion: string;
  readonly id: string;
  readonly status: OciStatus;
  /** Absent if there is no process. */
  readonly pid?: number;
  readonly bundle: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Our extension: the exit code of the process, for postexit hooks and `lifehook oci state`. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** The part of the state that changes during a life. */
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
