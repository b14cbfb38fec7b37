/**
 * The model of a hook and of its handler. Every lifecycle converts its own schema to
 * these types once, when it reads its input.
 */

/** The handler of a hook: exactly one of these kinds. */
export type Handler =
  | CommandHandler
  | ExecHandler
  | HttpGetHandler
  | TcpSocketHandler
  | SleepHandler;

/** A process on the host: exact argv, no shell. */
export interface CommandHandler {
  readonly kind: 'command';
  /** argv, argv[0] included. */
  readonly command: readonly string[];
  /** The program to start if it is not argv[0] (OCI hooks name both). */
  readonly path?: string;
  readonly cwd?: string;
  /** The whole environment of the process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A command in a running container: exact argv, no shell. */
export interface ExecHandler {
  readonly kind: 'exec';
  /** argv, argv[0] included. */
  readonly command: readonly string[];
  /** Absent: the pod's only container. */
  readonly container?: string;
  /** The pod, by namespace and name. The lifecycle of the hook sets both; the definition of the hook does not. */
  readonly namespace?: string;
  readonly pod?: string;
}

export interface HttpGetHandler {
  readonly kind: 'httpGet';
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly httpHeaders: readonly { readonly name: string; readonly value: string }[];
  /** The status codes that count as success: "2xx", "204", "200-299", "any". Absent: Kubernetes' rule, 200 to 399. */
  readonly expect?: string;
}

export interface TcpSocketHandler {
  readonly kind: 'tcpSocket';
  readonly host: string;
  readonly port: number;
}

export interface SleepHandler {
  readonly kind: 'sleep';
  readonly seconds: number;
}

/**
 * The effect of a failed hook on its run. Abort: the run fails and no later main hook starts. Ignore: the failure is
 * recorded, and the run continues. Retry: attempts until the run's own deadline, then Abort.
 */
export type FailurePolicy = 'Abort' | 'Ignore' | 'Retry';

/** The settings of a hook for the engine. The hook's name and handler are not among them. */
export interface HookPolicy {
  /** The timeout of one attempt; null: it has none. */
  readonly timeoutSeconds: number | null;
  /**
   * Number of retries, and the pause before the first retry. Each pause is twice the one before, up to
   * `maxBackoffSeconds` (absent: the engine's own limit).
   */
  readonly retry: {
    readonly limit: number;
    readonly backoffSeconds: number;
    readonly maxBackoffSeconds?: number;
  };
  readonly failurePolicy: FailurePolicy;
}

export interface Hook {
  /** Unique within its stage. */
  readonly name: string;
  readonly handler: Handler;
  readonly policy: HookPolicy;
  readonly source: Source;
}

/** The definition of a hook: a position in a file, or an object of an API. */
export type Source =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'object'; readonly object: string };
