import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ExecSession } from '../../../../src/platform/container-runtime.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { TcpConnection } from '../../../../src/platform/tcp-listener.ts';

/**
 * The API server's requests to the node: logs, exec, attach and port-forward of a pod's containers.
 *
 * A method rejects with a `StatusError` if the request is not possible: the container is unknown, does not run or has
 * no log yet. That error is sent to the client.
 */
export interface PodStreams {
  /** Yields a log up to its current end; with `follow`, until the container has exited or `signal` aborts. */
  log(request: LogRequest): Promise<AsyncIterable<Uint8Array>>;
  exec(request: ExecRequest): Promise<ExecSession>;
  attach(request: AttachRequest): Promise<ExecSession>;
  /** Connects to a port at the pod's own address. */
  connect(request: PortRequest): Promise<TcpConnection>;
}

export interface ContainerRequest {
  readonly pod: JsonObject;
  readonly container: string;
  /** Aborts when the client has disconnected. */
  readonly signal: CancelSignal;
}

export interface LogRequest extends ContainerRequest {
  readonly follow: boolean;
  /** True for the log of the container's previous run. */
  readonly previous: boolean;
  /** True if each line begins with its time. */
  readonly timestamps: boolean;
  /** Time of the first line, in milliseconds since the epoch; null for all lines. */
  readonly sinceMs: number | null;
  /** Number of lines from the end; null for all lines. */
  readonly tailLines: number | null;
  readonly limitBytes: number | null;
}

export interface ExecRequest extends ContainerRequest {
  readonly argv: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
}

export interface AttachRequest extends ContainerRequest {
  readonly stdin: boolean;
  readonly tty: boolean;
}

export interface PortRequest {
  readonly pod: JsonObject;
  readonly port: number;
  readonly signal: CancelSignal;
}
