import type { CancelSignal, Signal } from './platform.ts';

/**
 * What the pod lifecycle needs of whoever runs containers: plain processes, or an OCI runtime. Both keep
 * one supervisor per container, which owns its standard streams, its log file and the record of its end,
 * so that the death of everything else (also of this program, by `kill -9`) loses nothing of them.
 *
 *  POD-R1 A container is identified by `id`; `start` with an id that exists does not start it again: it
 *     returns what is there. So a repeat after a crash is harmless.
 *  POD-R2 What `list` tells is true after a restart of this program: running ones are re-adopted by pid and
 *     start time, ended ones keep exit code, signal and times until they are removed.
 *  POD-R3 `signal` is for the first process, as on a real node; `kill` reaches every one, and so does the
 *     end of the first.
 */
export interface ContainerRuntime {
  /** "process", "runc", "crun": also the scheme of container ids ("process://…"). */
  readonly name: string;
  /** Its containers have limits, which are set when they start; else limits mean nothing. */
  readonly setsLimits: boolean;
  /** Resolves when the program runs. Rejects with `StartError` when it cannot. */
  start(spec: ContainerSpec): Promise<RunningContainer>;
  list(): Promise<readonly RunningContainer[]>;
  get(id: string): RunningContainer | undefined;
}

/** One container, running or ended. */
export interface RunningContainer {
  readonly id: string;
  /** Free text of the caller, kept with it: which pod, which container, which attempt. */
  readonly labels: Readonly<Record<string, string>>;
  readonly pid: number;
  /** Of the image that it was started from: `LocalImage.id`. */
  readonly imageId: string;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** The file its output goes to, one line per record: `<RFC3339 nano time> <stdout|stderr> <F|P> <text>`. */
  readonly logPath: string;
  /** Resolves when it has ended and all of its output is in the log; never rejects. */
  readonly ended: Promise<ContainerEnd>;
  /** Set once `ended` has resolved. */
  readonly end: ContainerEnd | null;
  /** To its first process. One that has ended is no error. */
  signal(signal: Signal): Promise<void>;
  /** KILL, to all; resolves when it is gone. */
  kill(): Promise<void>;
  /** Another process in it: same root, environment, working directory, limits. */
  exec(spec: ExecSpec): ExecSession;
  /** Its own standard streams, from now on; stdin only if it was started with one. */
  attach(): ExecSession;
  /** Its record, log and folders; it must have ended. */
  remove(): Promise<void>;
}

export interface ContainerEnd {
  /** null: killed by `signal`, or nobody knows. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly endedAtMs: number;
  /** Of a pod's container "Completed", "Error", "OOMKilled" or "ContainerStatusUnknown"; of `lifehook oci` a clause for people. */
  readonly reason: string;
  /** For people: why it could not be started, or what it left as its termination message. */
  readonly message?: string;
}

export interface ContainerSpec {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** From `ImageStore`: its root folder and its defaults. */
  readonly image: LocalImage;
  /** argv: command and args already combined with the image's own. Not empty. */
  readonly argv: readonly string[];
  /** The whole environment, the image's included. */
  readonly env: Readonly<Record<string, string>>;
  /** null: the image's working folder, else its root. */
  readonly workingDir: string | null;
  readonly mounts: readonly Mount[];
  /** What on the host a plain process is told of by variables, besides its mounts. Absent: nothing. */
  readonly places?: readonly string[];
  readonly stdin: boolean;
  /** Its stdin ends with that of the first attach. Absent: false. */
  readonly stdinOnce?: boolean;
  readonly tty: boolean;
  readonly user: {
    readonly uid: number;
    readonly gid: number;
    readonly groups: readonly number[];
  } | null;
  readonly readOnlyRoot: boolean;
  readonly privileged: boolean;
  readonly hostname: string;
  /** Bytes and thousandths of a core; null: no limit. */
  readonly limits: { readonly memoryBytes: number | null; readonly cpuMillis: number | null };
  /** Bytes of log kept, in two files; null: the default. */
  readonly logLimitBytes: number | null;
  /** Annotations that container hooks (`hooks.d`) see. */
  readonly annotations: Readonly<Record<string, string>>;
}

export interface Mount {
  readonly name: string;
  /** On the host. */
  readonly source: string;
  /** In the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

export interface LocalImage {
  /** As in the pod: "nginx:1.16.1". */
  readonly reference: string;
  /** Digest or other identity of its content: "sha256:…". */
  readonly id: string;
  /** null: an unknown image; the process runner then runs in an empty folder, others refuse. */
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

/** Streams with back-pressure: not reading an output stops its writer. */
export interface ExecSession {
  readonly stdout: AsyncIterable<Uint8Array>;
  /** Empty with a tty: it is all stdout. */
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves when it was taken. */
  write(bytes: Uint8Array): Promise<void>;
  endStdin(): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  /** Rejects with `StartError` when the program could not be started. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** Ends it: KILL to its group (exec), or lets go of it (attach). */
  close(): void;
}

/** Why a container or a command could not be started, in Kubernetes' words. */
export class StartError extends Error {
  readonly reason:
    /** A volume is not there: it is waited for, and the container is still being made. */
    | 'FailedMount'
    | 'ErrImageNeverPull'
    | 'CreateContainerConfigError'
    | 'CreateContainerError'
    | 'RunContainerError'
    | 'StartError';
  /** 126 (cannot run), 127 or 128 (not found), as shells and container engines have it. */
  readonly exitCode: number;

  constructor(reason: StartError['reason'], message: string, exitCode: number = 128) {
    super(message);
    this.name = 'StartError';
    this.reason = reason;
    this.exitCode = exitCode;
  }
}
