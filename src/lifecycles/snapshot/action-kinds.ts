/** One action of a hook, and how long what it freezes lasts: parts of `kinds.ts`. */

/** Exactly one of `exec`, `httpGet`, `tcpSocket`, `session`. The document's `action: {exec}` is read too (SNAP-G3). */
export interface HookAction {
  exec?: { command: string[] };
  httpGet?: {
    path?: string;
    port: number | string;
    host?: string;
    scheme?: 'HTTP' | 'HTTPS';
    httpHeaders?: { name: string; value: string }[];
  };
  /** A check only (SNAP-G27). */
  tcpSocket?: { port: number | string; host?: string };
  /** Of a preAction: what freezes stays in the container, and thaws by itself. */
  session?: SessionAction;
  /** The spelling of the document's Go type. */
  action?: Pick<HookAction, 'exec' | 'httpGet' | 'tcpSocket'>;
  /** From the first start to the last end, all attempts together; 1 to 86400, 30 if not said (SNAP-G16). */
  actionTimeoutSeconds?: number;
  /** Whether it may be made again after an attempt whose end nobody saw (SNAP-G17). */
  idempotent?: boolean;
}

/**
 * With `client`: a program that is kept and fed statements, so that freeze and thaw are of one session
 * (SNAP-R36). Without: `freeze` and `thaw` are commands that the holder in the container runs.
 */
export interface SessionAction {
  /** argv of the program that reads statements: `["mariadb", "--batch"]`. */
  client?: string[];
  /** With a client: lines for it. Without: argv. */
  freeze: string[];
  thaw: string[];
  /** With a client: the line of its output that says that it is frozen. */
  ready?: string;
  /** How long it stays frozen without a sign of life from us; 2 to 300, 15 if not said. */
  windowSeconds?: number;
}

/**
 * What ends a freeze besides its thaw. Process: the end of the container's processes, as of a lock of a session or a
 * setting in a server's memory. Kernel: nothing; it stays in the kernel of the node when the container has ended and
 * the pod is deleted, as of a frozen file system.
 */
export type LockScope = 'Process' | 'Kernel';

/**
 * Of a Kernel lock: a pod on the same node with the same volumes, which runs the thaw where the container cannot any
 * more.
 */
export interface Rescue {
  /** The container's own, if not given. */
  image?: string;
}

/** The parts of a pod's spec that a rescue pod takes over; as the fields of a PodSpec, and one `container`. */
export type RescueSource = Record<string, unknown>;

export interface ResolvedAction extends Omit<HookAction, 'action'> {
  actionTimeoutSeconds: number;
}
