import type { CancelSignal, Signal } from './platform.ts';

/**
 * The interface between the pod lifecycle and the runtime of containers: plain processes, or an OCI runtime. Both have
 * one supervisor per container. It owns the container's standard streams, log file and exit record. So none of them is
 * lost when another process dies, even this program by `kill -9`.
 *
 *  POD-R1 A container is identified by `id`; `start` with an existing id does not start it again, but returns the
 *     existing container. So a retry after a crash is harmless.
 *  POD-R2 `list` is correct after a restart of this program. Running containers are adopted again by the sockets of
 *     their supervisors; ended ones keep their exit code, signal and times until they are removed.
 *  POD-R3 `signal` reaches the first process, as on a real node; `kill` reaches every process. When the first process
 *     ends, all others are killed.
 */
export interface ContainerRuntime {
  /** "process", "runc", "crun": also the scheme of container ids ("process://…"). */
  readonly name: string;
  /** Whether the runtime sets the limits of a container at its start; false: limits are ignored. */
  readonly setsLimits: boolean;
  /** Resolves when the program runs. Rejects with `StartError` if it cannot be started. */
  start(spec: ContainerSpec): Promise<RunningContainer>;
  list(): Promise<readonly RunningContainer[]>;
  get(id: string): RunningContainer | undefined;
}

export interface RunningContainer {
  readonly id: string;
  /** Free text of the caller, stored with the container: its pod, its name, its attempt. */
  readonly labels: Readonly<Record<string, string>>;
  readonly pid: number;
  /** Id of the image from which the container was started: `LocalImage.id`. */
  readonly imageId: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Path of the log file, one line per record: `<RFC3339 nano time> <stdout|stderr> <F|P> <text>`. */
  readonly logPath: string;
  /** Resolves when the container has ended and all of its output is in the log; never rejects. */
  readonly ended: Promise<ContainerEnd>;
  /** The end of the container; null until `ended` has resolved. */
  readonly end: ContainerEnd | null;
  /** Signals the container's first process. No error if that process has exited. Gives up after a bounded time. */
  signal(signal: Signal): Promise<void>;
  /** Sends SIGKILL to all processes of the container; resolves when they have exited. */
  kill(): Promise<void>;
  /** Starts another process in the container, with the same root, environment, working directory and limits. */
  exec(spec: ExecSpec): ExecSession;
  /**
   * Attaches to the container's own standard streams, from now on; stdin only if the container was started with one.
   */
  attach(): ExecSession;
  /** Removes the container's record, log and directories; the container must have ended. */
  remove(): Promise<void>;
}

export interface ContainerEnd {
  /** null: a signal killed the container's first process, or its exit code is not known. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAtMs: number;
  /**
   * For a container of a pod: "Completed", "Error", "OOMKilled" or "ContainerStatusUnknown". For `lifehook oci`: a
   * clause in plain words.
   */
  readonly reason: string;
  /** Text for users: the reason of a failed start, or the termination message. */
  readonly message?: string;
}

export interface ContainerSpec {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The image, from `ImageStore`: its root directory and its defaults. */
  readonly image: LocalImage;
  /** argv: command and args, already combined with those of the image. Not empty. */
  readonly argv: readonly string[];
  /** The whole environment, including that of the image. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: that of the image, or else its root. */
  readonly workingDir: string | null;
  readonly mounts: readonly Mount[];
  /** Host paths that a plain process gets in environment variables, besides its mounts. Absent: none. */
  readonly places?: readonly string[];
  readonly stdin: boolean;
  /** True: the container's stdin is closed when the first attached client closes its input. Absent: false. */
  readonly stdinOnce?: boolean;
  readonly tty: boolean;
  readonly user: {
    readonly uid: number;
    readonly gid: number;
    readonly groups: readonly number[];
  } | null;
  /**
   * Groups of the image's user, if `user` is null: `gid` replaces its main group, and `more` are added to its groups.
   * Only the OCI runner knows the image's user. Absent: none.
   */
  readonly groups?: { readonly gid: number | null; readonly more: readonly number[] };
  readonly readOnlyRoot: boolean;
  readonly privileged: boolean;
  readonly hostname: string;
  /** Maximum memory in bytes, and processor time in thousandths of a core; null: no limit. */
  readonly limits: { readonly memoryBytes: number | null; readonly cpuMillis: number | null };
  /** Maximum bytes of the stored log, in two files; null: the default. */
  readonly logLimitBytes: number | null;
  /** Annotations of the container, which the conditions of `hooks.d` match. */
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Mount {
  readonly name: string;
  /** Path on the host. */
  readonly source: string;
  /** Path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

export interface LocalImage {
  /** The name of the image in the pod: "nginx:1.16.1". */
  readonly reference: string;
  /** Digest or other identity of the image's content: "sha256:…". */
  readonly id: string;
  /**
   * null: the image is unknown. The process runner then runs in an empty directory; other runtimes refuse the
   * container.
   */
  readonly rootPath: string | null;
  readonly config: {
    readonly entrypoint: readonly string[];
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly workingDir: string | null;
    readonly user: string | null;
  };
}

export interface ExecSpec {
  readonly argv: readonly string[];
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly signal: CancelSignal;
}

/** Streams with back-pressure: an output that is not read blocks its writer. */
export interface ExecSession {
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Empty if the session has a terminal: all output is then on stdout. */
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when the bytes were accepted. */
  write(bytes: Uint8Array): Promise<void>;
  endStdin(): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Rejects with `StartError` if the program could not be started. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Ends the session. For an exec it sends SIGKILL to the process group; for an attach it only detaches. */
  close(): void;
}

/** A container or a command could not be started; `reason` is one of the reasons of Kubernetes. */
export class StartError extends Error {
  readonly reason:
    /** A volume is missing: the start is retried, and the container stays in ContainerCreating. */
    | 'FailedMount'
    | 'ErrImageNeverPull'
    | 'CreateContainerConfigError'
    | 'CreateContainerError'
    | 'RunContainerError'
    | 'StartError';
  /** 126 if the program cannot be executed, and 127 or 128 if it is not found, as in shells and container engines. */
  readonly exitCode: number;

  constructor(reason: StartError['reason'], message: string, exitCode: number = 128) {
    super(message);
    this.name = 'StartError';
    this.reason = reason;
    this.exitCode = exitCode;
  }
}
