/**
 * Judges the handler of a hook or a probe:
 *
 *  POD-K1 A command runs with exactly its arguments.
 *  POD-K16, POD-K17, POD-K18 A request goes to the port and host of its handler; default host: the pod's address.
 *  POD-V9 A tcpSocket probe connects to the host of its handler; default: the pod's address.
 *  POD-K2, POD-K4 An event reports a hook that failed.
 *  POD-V6 Liveness and readiness probes begin only after the startup probe has passed. No probe begins in a container
 *     that is being stopped. Each probe ends by its timeout.
 *  ENG-E1 A hook runs only after its intent is recorded.
 */
import type { Call, PodAccount, RunAccount } from './account.ts';

/** Milliseconds within which the node must act. */
const DECISION_MS = 300;
const POD_ADDRESS = '127.10.0.1';
const EVENTS = { postStart: 'FailedPostStartHook', preStop: 'FailedPreStopHook' } as const;

type Point = keyof typeof EVENTS;
type ProbeKind = 'startup' | 'liveness' | 'readiness';

export function judgeCommand(account: PodAccount, run: RunAccount, argv: readonly string[]): void {
  const { lifecycle, startupProbe, livenessProbe, readinessProbe } = run.spec;
  const handlers = [lifecycle?.postStart, lifecycle?.preStop];
  const wanted = [...handlers, startupProbe, livenessProbe, readinessProbe].map(
    (handler) => handler?.exec?.command ?? [],
  );
  if (wanted.some((command) => JSON.stringify(command) === JSON.stringify(argv))) return;
  account.world.violate('POD-K1', `${argv.join(' ')} is no command of ${run.id}`);
}

export function judgeRequest(account: PodAccount, run: RunAccount, called: CalledUrl): void {
  const { world } = account;
  const { point, url } = called;
  const { host = POD_ADDRESS, port = '' } = run.spec.lifecycle?.[point]?.httpGet ?? {};
  const { hostname, port: given } = new URL(url);
  if (hostname !== host) {
    const code = host === POD_ADDRESS ? 'POD-K16' : 'POD-K17';
    world.violate(code, `${point} of ${run.id} is sent to ${hostname} instead of ${host}`);
  }
  const isRight = Number(given === '' ? HTTP_PORT : given) === portOf(run, port);
  if (!isRight)
    world.violate('POD-K18', `${point} of ${run.id} is sent to port ${given} for ${port}`);
}

/**
 * Judges a connection of a probe, and returns the run whose probe it is. Each probe has a port of its own. null: no
 * such run is alive.
 */
export function judgeConnection(
  account: PodAccount,
  { host, port }: { readonly host: string; readonly port: number },
): { readonly run: RunAccount; readonly kind: ProbeKind } | null {
  for (const run of account.alive()) {
    const kind = PROBES.find((one) => run.spec[`${one}Probe`]?.tcpSocket?.port === port);
    if (kind === undefined) continue;
    const wanted = run.spec[`${kind}Probe`]?.tcpSocket?.host ?? POD_ADDRESS;
    if (host !== wanted)
      account.world.violate('POD-V9', `${kind} of ${run.id} connects to ${host} for ${wanted}`);
    return { run, kind };
  }
  return null;
}

const PROBES = ['startup', 'liveness', 'readiness'] as const;
const HTTP_PORT = 80;

function portOf({ spec }: RunAccount, port: number | string): number {
  const named = spec.ports?.find(({ name }) => name === port);
  return named?.containerPort ?? Number(port);
}

interface CalledUrl {
  readonly point: Point;
  readonly url: string;
}

export function judgeRecorded(account: PodAccount, run: RunAccount, point: string): void {
  if (account.intents.has(`${run.id}/${point}`)) return;
  account.world.violate('ENG-E1', `${point} of ${run.id} begins, and has no record`);
}

/**
 * Expects an event for the failed hook in this life of the node. A failed postStart request is retried, and a cancelled
 * hook is not reported, so neither needs an event.
 */
export function expectFailureEvent(account: PodAccount, run: RunAccount, call: Call): void {
  const { world, life } = account;
  const point = call.point as Point;
  const isRetried = point === 'postStart' && run.spec.lifecycle?.postStart?.httpGet !== undefined;
  const isSeen = call.life === life.pid && life.alive && run.endedMs === null;
  if (call.ok || call.cut || isRetried || !isSeen) return;
  const sinceMs = world.elapsedMs;
  world.after(DECISION_MS, () => {
    const isCalledOff = point === 'postStart' && life.reported.length > 0;
    if (!life.alive || isCalledOff || wasReported(account, run, { point, sinceMs })) return;
    const code = point === 'postStart' ? 'POD-K2' : 'POD-K4';
    world.violate(code, `no event reports that ${point} of ${run.id} has failed`);
  });
}

function wasReported(
  { events }: PodAccount,
  { container }: RunAccount,
  { point, sinceMs }: { readonly point: Point; readonly sinceMs: number },
): boolean {
  return events.some(
    (event) =>
      event.reason === EVENTS[point] && event.container === container && event.atMs >= sinceMs,
  );
}

/** Returns the function to call when the probe ends. */
export function judgeProbeBegins(
  account: PodAccount,
  run: RunAccount,
  kind: ProbeKind,
): () => void {
  const { world, life } = account;
  const isStarted =
    run.spec.startupProbe === undefined || run.rows.get(`${life.pid}/startup`)?.verdict === true;
  if (kind !== 'startup' && !isStarted) {
    world.violate('POD-V6', `${kind} of ${run.id} is probed before it has started`);
  }
  if (run.stops.some((stop) => stop.life === life.pid)) {
    world.violate('POD-V6', `${kind} of ${run.id} is probed while it stops`);
  }
  let isOver = false;
  const timeoutMs = (run.spec[`${kind}Probe`]?.timeoutSeconds ?? 1) * 1_000;
  world.after(timeoutMs + DECISION_MS, () => {
    if (isOver || !life.alive || run.endedMs !== null) return;
    world.violate('POD-V6', `${kind} of ${run.id} continues after its timeout`);
  });
  return () => {
    isOver = true;
  };
}
