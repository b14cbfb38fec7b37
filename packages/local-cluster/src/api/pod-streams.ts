import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ExecSession } from '../../../../src/platform/container-runtime.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

/**
 * The API server's requests to the node: logs, exec, attach and port-forward of a pod's containers. Each method
 * rejects with a `StatusError` if that is not possible (the container is unknown, does not run, has no log
 * yet), which becomes the answer.
 */
export interface PodStreams {
  /** Ends with the log, or with `signal` if it is followed. */
  log(request: LogRequest): Promise<AsyncIterable<Uint8Array>>;
  exec(request: ExecRequest): Promise<ExecSession>;
  attach(request: AttachRequest): Promise<ExecSession>;
  /** A connection to the port at the pod's own address. */
  connect(request: PortRequest): Promise<PortConnection>;
}

export interface ContainerRequest {
  readonly pod: JsonObject;
  readonly container: string;
  /** Aborts when the client has disconnected. */
  readonly signal: CancelSignal;
}

export interface LogRequest extends ContainerRequest {
  readonly follow: boolean;
  /** The log of the container that ran before this one. */
  readonly previous: boolean;
  /** Each line begins with its time. */
  readonly timestamps: boolean;
  /** Milliseconds since the epoch; null: from the beginning. */
  readonly sinceMs: number | null;
  /** Lines from the end; null: all. */
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

export interface PortConnection {
  /** Ends when the program at the port has closed its side. Without a reader it is paused. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves once the bytes are accepted. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the sending side; the program's answer is still received. */
  endWriting(): void;
  close(): void;
}
