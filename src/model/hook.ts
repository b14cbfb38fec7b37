/**
 * The words of the product: one hook, and how it acts. Every lifecycle converts its own schema to
 * these types once, at the door.
 */

/** How one hook acts. Exactly one kind. */
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
  /** The program to start when it is not argv[0] (OCI hooks name both). */
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
  /** Which pod it is: not the hook says so, but the lifecycle that it belongs to. */
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
  /** Which answers are a success: "2xx", "204", "200-299". Absent: Kubernetes' rule, 200 to 399. */
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
 * What a failed hook means for its run.
 * Abort: the run fails and no later main hook starts. Ignore: recorded, and the run goes on.
 * Retry: attempts until the run's own deadline, then Abort.
 */
export type FailurePolicy = 'Abort' | 'Ignore' | 'Retry';

/** What the engine needs to know of a hook besides its name: everything but how it acts. */
export interface HookPolicy {
  /** Of one attempt; null: no deadline of its own. */
  readonly timeoutSeconds: number | null;
  /**
   * Further attempts after the first, and the pause before the first of them: doubled each time, up to
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

/** Where a hook is defined: a position in a file, or an object of an API. */
export type Source =
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly column: number }
  | { readonly kind: 'object'; readonly object: string };
