/** The kinds of one action of a hook, and of the lifetime of its freeze: parts of `kinds.ts`. */

/** Exactly one of `exec`, `httpGet`, `tcpSocket`, `session`. The proposal's `action: {exec}` is also read (SNAP-G3). */
export interface HookAction {
  exec?: { command: string[] };
  httpGet?: {
    path?: string;
    port: number | string;
    host?: string;
    scheme?: 'HTTP' | 'HTTPS';
    httpHeaders?: { name: string; value: string }[];
  };
  /** A check only: it freezes nothing (SNAP-G27). */
  tcpSocket?: { port: number | string; host?: string };
  /** Only in a preAction: the freeze is held by a helper in the container, which thaws by itself. */
  session?: SessionAction;
  /** The spelling of the proposal's Go type. */
  action?: Pick<HookAction, 'exec' | 'httpGet' | 'tcpSocket'>;
  /** Seconds from the first start to the last end, for all attempts together; 1 to 86400, default 30 (SNAP-G16). */
  actionTimeoutSeconds?: number;
  /** Whether the action may be retried after an attempt with an unknown outcome (SNAP-G17). */
  idempotent?: boolean;
}

/**
 * With `client`: a program that stays running and reads statements, so that freeze and thaw share one session
 * (SNAP-R36). Without: `freeze` and `thaw` are commands that the session helper in the container runs.
 */
export interface SessionAction {
  /** argv of the program that reads statements: `["mariadb", "--batch"]`. */
  client?: string[];
  /** With a client: lines of input for it. Without: argv. */
  freeze: string[];
  thaw: string[];
  /** With a client: the line of its output that means frozen. */
  ready?: string;
  /** Seconds without a message from us after which the helper thaws; 2 to 300, default 15. */
  windowSeconds?: number;
}

/**
 * The event that ends a freeze, besides its thaw. Process: the end of the container's processes; for example, a lock of
 * a database session or a setting in a server's memory. Kernel: none; the lock stays in the kernel of the node after
 * the container has ended and the pod is deleted. Example: a frozen file system.
 */
export type LockScope = 'Process' | 'Kernel';

/**
 * For a Kernel lock: a pod on the same node with the same volumes. It runs the thaw when the container no longer can.
 */
export interface Rescue {
  /** Default: the image of the container. */
  image?: string;
}

/** The parts of a pod's spec that a rescue pod copies: fields of a PodSpec, and one `container`. */
export type RescueSource = Record<string, unknown>;

export interface ResolvedAction extends Omit<HookAction, 'action'> {
  actionTimeoutSeconds: number;
}
