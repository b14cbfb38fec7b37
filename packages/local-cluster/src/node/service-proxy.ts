/**
 * Serves Services as loopback TCP proxies to their ready endpoints, as kube-proxy does.
 *
 * - A new connection uses the endpoints of `endpointDelayMs` ago: in a large cluster every node learns a change that
 *   late. With 0 it uses the current ones.
 * - Open connections are never closed because of a change of endpoints.
 * - An address that cannot be listened on is reported as an Event of its Service, and retried.
 */
import type { Endpoints, Service, EndpointSubset, ServicePort } from 'kubernetes-types/core/v1.js';

import { aboutObject, type EventRecorder } from '../../../../src/controller/event-recorder.ts';
import type { Informer } from '../../../../src/controller/informer.ts';
import { keyOf } from '../../../../src/controller/object-key.ts';
import { services } from '../../../../src/kube/resources.ts';
import type { Timers } from '../../../../src/platform/platform.ts';
import type {
  TcpAddress,
  TcpForwarder,
  TcpForwarding,
} from '../../../../src/platform/tcp-listener.ts';

interface Listen extends TcpAddress {
  /** Name of the service port; '' if it has none. */
  readonly portName: string;
}

/** Addresses to listen on: the cluster IP with each TCP port, and the node ports on this host. */
export function listensOf({ spec }: Service, nodeHost: string): readonly Listen[] {
  const { clusterIP: ip = 'None', ports = [] } = spec ?? {};
  if (ip === 'None' || ip === '') return [];
  return ports
    .filter(isTcp)
    .flatMap(({ name: portName = '', port, nodePort }) => [
      { host: ip, port, portName },
      ...(nodePort === undefined ? [] : [{ host: nodeHost, port: nodePort, portName }]),
    ]);
}

function isTcp({ protocol = 'TCP' }: ServicePort): boolean {
  return protocol === 'TCP';
}

/** The ready addresses of a port, in the order of the Endpoints object. */
export function targetsOf(
  endpoints: Endpoints | undefined,
  portName: string,
): readonly TcpAddress[] {
  return (endpoints?.subsets ?? []).flatMap((subset) => targetsIn(subset, portName));
}

function targetsIn({ addresses = [], ports = [] }: EndpointSubset, portName: string): TcpAddress[] {
  const port = ports.find(({ name = '' }) => name === portName)?.port;
  return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
}

export interface ProxyOptions {
  readonly services: Informer<Service>;
  readonly endpoints: Informer<Endpoints>;
  readonly forwarding: TcpForwarding;
  readonly timers: Timers;
  readonly recorder: EventRecorder;
  /** The address on which node ports listen. */
  readonly nodeHost: string;
  readonly endpointDelayMs: number;
}

/** Milliseconds until an address that could not be listened on is retried. */
const RETRY_MS = 5_000;

interface Listener {
  readonly listen: Listen;
  readonly opening: Promise<TcpForwarder | null>;
}

export class ServiceProxy {
  readonly #options: ProxyOptions;
  readonly #listeners = new Map<string, Map<string, Listener>>();
  /** Endpoints as the node knows them, `endpointDelayMs` late; by the key of the Service. */
  readonly #endpoints = new Map<string, Endpoints>();
  readonly #callOffs = new Set<() => void>();
  #stopListening: (() => void)[] = [];
  #stopped = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopListening = [
      this.#options.endpoints.listen(({ key, after }) => {
        this.#learnLater(key, after);
      }),
      this.#options.services.listen(({ key, after }) => {
        this.#follow(key, after);
      }),
    ];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const stop of this.#stopListening) stop();
    for (const callOff of this.#callOffs) callOff();
    const keys = [...this.#listeners.keys()];
    await Promise.all(keys.map((key) => this.#closeAll(key, [])));
  }

  #learnLater(key: string, endpoints: Endpoints | null): void {
    const learn = (): void => {
      if (endpoints === null) this.#endpoints.delete(key);
      else this.#endpoints.set(key, endpoints);
    };
    if (this.#options.endpointDelayMs === 0) learn();
    else this.#later(this.#options.endpointDelayMs, learn);
  }

  #follow(key: string, service: Service | null): void {
    const wanted = service === null ? [] : listensOf(service, this.#options.nodeHost);
    void this.#closeAll(key, wanted);
    if (service === null) return;
    for (const listen of wanted) this.#open(key, listen, service);
  }

  #open(key: string, listen: Listen, service: Service): void {
    const of = this.#listeners.get(key) ?? new Map<string, Listener>();
    this.#listeners.set(key, of);
    const id = idOf(listen);
    if (of.has(id)) return;
    const { forwarding } = this.#options;
    let turn = 0;
    const pick = (): TcpAddress | null => {
      turn += 1;
      return this.#pick(key, listen, turn);
    };
    const opening = forwarding.forward(listen, pick).catch((error: unknown) => {
      // Another attempt for the same address may have begun meanwhile.
      if (of.get(id) === listener) of.delete(id);
      this.#retryLater(key, listen, { service, error });
      return null;
    });
    const listener: Listener = { listen, opening };
    of.set(id, listener);
  }

  #retryLater(
    key: string,
    listen: Listen,
    { service, error }: { readonly service: Service; readonly error: unknown },
  ): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#options.recorder.record({
      about: aboutObject(services, service),
      type: 'Warning',
      reason: 'FailedToListen',
      message: `cannot listen on ${listen.host}:${listen.port}: ${why}`,
    });
    this.#later(RETRY_MS, () => {
      const now = this.#options.services.get(key);
      if (now !== undefined && keyOf(now) === key) this.#follow(key, now);
    });
  }

  /** Picks an endpoint, round robin; null if none is ready. */
  #pick(key: string, { portName }: Listen, turn: number): TcpAddress | null {
    const targets = targetsOf(this.#endpoints.get(key), portName);
    return targets[turn % targets.length] ?? null;
  }

  async #closeAll(key: string, but: readonly Listen[]): Promise<void> {
    const kept = new Set(but.map(idOf));
    const all = [...(this.#listeners.get(key) ?? [])];
    const surplus = all.filter(([id]) => !kept.has(id));
    // All are forgotten before the first wait: listeners that are opened meanwhile stay open.
    for (const [id] of surplus) this.#listeners.get(key)?.delete(id);
    for (const [, { opening }] of surplus) {
      const forwarder = await opening;
      await forwarder?.stopListening();
      if (this.#stopped) forwarder?.closeConnections();
    }
  }

  #later(ms: number, callback: () => void): void {
    if (this.#stopped) return;
    const callOff = this.#options.timers.after(ms, () => {
      this.#callOffs.delete(callOff);
      callback();
    });
    this.#callOffs.add(callOff);
  }
}

function idOf({ host, port, portName }: Listen): string {
  return `${host}:${port}/${portName}`;
}
