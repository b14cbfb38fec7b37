import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ExecSession } from '../../../../src/platform/container-runtime.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';

/**
 * What the API server asks the node for: logs, commands, attachments and ports of a pod's containers.
 * Each method rejects with a `StatusError` when there is nothing to be had (the container is not known,
 * does not run, has no log yet); the words are then the answer's.
 */
export interface PodStreams {
  /** Ends with the log, or with `signal` when it is followed. */
  log(request: LogRequest): Promise<AsyncIterable<Uint8Array>>;
  exec(request: ExecRequest): Promise<ExecSession>;
  attach(request: AttachRequest): Promise<ExecSession>;
  /** A connection to the port, on the pod's own address. */
  connect(request: PortRequest): Promise<PortConnection>;
}

export interface ContainerRequest {
  /** As it is stored. */
  readonly pod: JsonObject;
  readonly container: string;
  /** Aborts when the caller is gone. */
  readonly signal: CancelSignal;
}

export interface LogRequest extends ContainerRequest {
  readonly follow: boolean;
  /** Of the container that ran before this one. */
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
  /** Ends when the program behind the port has closed its side. Not reading stops it. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when it was taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Tells the program that nothing more comes; what it says is still received. */
  endWriting(): void;
  close(): void;
}
