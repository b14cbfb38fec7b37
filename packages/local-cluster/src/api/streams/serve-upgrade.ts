/** Serves the requests that upgrade their connection to a web socket: exec, attach and portforward of pods. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { MessageSocket } from '../../../../../src/platform/http-transport.ts';
import type { CancelSignal, Clock } from '../../../../../src/platform/platform.ts';
import { admitConnection } from '../admission/admit-subresource.ts';
import type { RequestScope } from '../context.ts';
import type { ServerRequest, UpgradeAnswer } from '../http.ts';
import type { TcpConnection } from '../../../../../src/platform/tcp-listener.ts';
import type { PodStreams } from '../pod-streams.ts';
import { isTrue } from '../request-info.ts';
import { badRequest, StatusError, unknownResource } from '../status.ts';
import { containerOf, requireNode } from '../subresources/pod-log.ts';
import { getObject } from '../read-object.ts';
import { serveRemoteCommand } from './remote-command.ts';
import { servePorts } from './serve-ports.ts';
import { serveSpdyPorts } from './spdy/serve-spdy-ports.ts';

/** Maximum number of ports of one port-forward request. */
const MAX_PORTS = 100;

const COMMAND_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const PORT_PROTOCOL = 'v4.channel.k8s.io';
const SPDY_PORT_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

type Server = (streams: Streams) => Promise<UpgradeAnswer>;

interface Streams {
  readonly scope: RequestScope;
  readonly pod: JsonObject;
  readonly node: PodStreams;
}

export async function serveUpgrade(
  scope: RequestScope,
  refusals: RecentRefusals,
): Promise<UpgradeAnswer> {
  const { definition, info, request } = scope;
  const serve = SERVERS[`${definition.storageName}/${info.subresource}`];
  if (serve === undefined) throw unknownResource();
  requireWebSocket(request, refusals);
  try {
    return await open(scope, serve);
  } catch (error) {
    if (error instanceof StatusError) refusals.remember(request, error);
    throw error;
  }
}

async function open(scope: RequestScope, serve: Server): Promise<UpgradeAnswer> {
  const { definition, info, api, request } = scope;
  await admitConnection(scope);
  const pod = getObject({ ...scope, request: { ...request, query: new URLSearchParams() } });
  return serve({ scope, pod, node: requireNode(api.podStreams, definition, info.name) });
}

const SERVERS: Readonly<Record<string, Server>> = {
  'pods/exec': serveExec,
  'pods/attach': serveAttach,
  'pods/portforward': servePortForward,
};

/** True if the request is only served after an upgrade to a web socket. */
export function needsUpgrade({ definition, info }: RequestScope): boolean {
  return SERVERS[`${definition.storageName}/${info.subresource}`] !== undefined;
}

function requireWebSocket(request: ServerRequest, refusals: RecentRefusals): void {
  if ((request.headers['upgrade'] ?? '').toLowerCase() === 'websocket') return;
  const before = refusals.find(request);
  if (before !== undefined) throw before;
  throw badRequest(
    'SPDY is not supported for this request, only web sockets: use kubectl 1.31 or later, or ' +
      'set KUBECTL_REMOTE_COMMAND_WEBSOCKETS=true for kubectl 1.29 or 1.30',
  );
}

async function serveExec({ scope, pod, node }: Streams): Promise<UpgradeAnswer> {
  const { query, signal } = scope.request;
  const argv = query.getAll('command');
  if (argv.length === 0)
    throw badRequest('you must specify at least one command for the container');
  const protocol = chooseProtocol(scope.request, COMMAND_PROTOCOLS);
  const container = containerOf(pod, query.get('container') ?? '');
  const asked = streamsOf(query);
  const session = await node.exec({ pod, container, argv, ...asked, signal });
  return {
    kind: 'accepted',
    protocol,
    serve: (socket) => serveRemoteCommand({ socket, session, argv, ...asked }),
  };
}

async function serveAttach({ scope, pod, node }: Streams): Promise<UpgradeAnswer> {
  const { query, signal } = scope.request;
  const protocol = chooseProtocol(scope.request, COMMAND_PROTOCOLS);
  const container = containerOf(pod, query.get('container') ?? '');
  const asked = streamsOf(query);
  const session = await node.attach({ pod, container, ...asked, signal });
  return {
    kind: 'accepted',
    protocol,
    serve: (socket) => serveRemoteCommand({ socket, session, argv: null, ...asked }),
  };
}

interface AskedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

function streamsOf(query: URLSearchParams): AskedStreams {
  const [stdin, stdout, stderr, tty] = ['stdin', 'stdout', 'stderr', 'tty'].map((name) =>
    isTrue(query.get(name)),
  );
  const asked = {
    stdin: stdin === true,
    stdout: stdout === true,
    stderr: stderr === true && tty !== true,
    tty: tty === true,
  };
  if (asked.stdin || asked.stdout || asked.stderr) return asked;
  throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
}

async function servePortForward({ scope, pod, node }: Streams): Promise<UpgradeAnswer> {
  const { query, signal } = scope.request;
  const { inflating } = scope.api;
  const known = inflating === null ? [PORT_PROTOCOL] : [SPDY_PORT_PROTOCOL, PORT_PROTOCOL];
  const protocol = chooseProtocol(scope.request, known);
  if (inflating !== null && protocol === SPDY_PORT_PROTOCOL) {
    const connect = (port: number, ended: CancelSignal): Promise<TcpConnection> =>
      node.connect({ pod, port, signal: ended });
    return {
      kind: 'accepted',
      protocol,
      serve: (socket) => serveSpdyPorts({ socket, inflating, connect }),
    };
  }
  const ports = query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map(portOf);
  if (ports.length === 0) throw badRequest('query parameter "ports" is required');
  if (ports.length > MAX_PORTS) throw badRequest(`at most ${MAX_PORTS} ports at a time`);
  return {
    kind: 'accepted',
    protocol,
    serve: (socket: MessageSocket) =>
      servePorts({ socket, ports, connect: (port) => node.connect({ pod, port, signal }) }),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`query parameter "ports" has the port "${text}"`);
  return port;
}

/** The first of our protocols that the client offers. */
function chooseProtocol({ headers }: ServerRequest, known: readonly string[]): string {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const protocol = known.find((name) => offered.includes(name));
  if (protocol !== undefined) return protocol;
  const message = `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}], server accepts [${known.join(' ')}]`;
  throw new StatusError({ code: 403, reason: 'Forbidden', message });
}

/** Maximum number of refusals that are remembered. */
const MAX_REFUSALS = 100;
const MAX_AGE_MS = 5_000;

/**
 * Remembers why web sockets were refused in the last seconds.
 *
 * After any refusal kubectl retries with SPDY and shows only the error of that second request. So the second error must
 * be the first one again.
 */
export class RecentRefusals {
  readonly #clock: Clock;
  readonly #refusals = new Map<string, { readonly error: StatusError; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  remember(request: ServerRequest, error: StatusError): void {
    const key = keyOf(request);
    this.#refusals.delete(key);
    this.#refusals.set(key, { error, atMs: this.#clock.monotonicMs() });
    for (const oldest of this.#refusals.keys()) {
      if (this.#refusals.size <= MAX_REFUSALS) break;
      this.#refusals.delete(oldest);
    }
  }

  find(request: ServerRequest): StatusError | undefined {
    const found = this.#refusals.get(keyOf(request));
    if (found === undefined || this.#clock.monotonicMs() - found.atMs > MAX_AGE_MS)
      return undefined;
    return found.error;
  }
}

function keyOf({ path, query, user }: ServerRequest): string {
  return `${user.username} ${path}?${query.toString()}`;
}
