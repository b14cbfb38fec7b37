import { createServer, connect, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Endpoints, Service } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';

import { deferred, type Deferred } from '../../../../test/fixtures/deferred.ts';
import { HandTimers } from '../../../../test/fixtures/kube/hand-timers.ts';
import { nodeTcpForwarding, type TcpForwarder } from '../../../../src/platform/tcp-listener.ts';
import { listensOf, type ProxyOptions, ServiceProxy, targetsOf } from './service-proxy.ts';

const service = (spec: Service['spec']): Service => ({
  metadata: { name: 's', namespace: 'd' },
  ...(spec === undefined ? {} : { spec }),
});

describe('the addresses of a service', () => {
  test('are the cluster IP with each TCP port, and the node address with its node ports', () => {
    const ports = [
      { name: 'a', port: 80, nodePort: 30_080 },
      { name: 'b', port: 81 },
      { name: 'u', port: 53, protocol: 'UDP' },
    ];
    expect(listensOf(service({ clusterIP: '127.96.0.2', ports }), '127.0.0.1')).toEqual([
      { host: '127.96.0.2', port: 80, portName: 'a' },
      { host: '127.0.0.1', port: 30_080, portName: 'a' },
      { host: '127.96.0.2', port: 81, portName: 'b' },
    ]);
  });

  test.each([{ clusterIP: 'None' }, { clusterIP: '' }, {}])('are none with %j', (spec) => {
    expect(listensOf(service({ ...spec, ports: [{ port: 80 }] }), '127.0.0.1')).toEqual([]);
  });
});

test('only ready addresses are targets, each with the port of the given name', () => {
  const endpoints: Endpoints = {
    subsets: [
      {
        addresses: [{ ip: '127.10.0.1' }, { ip: '127.10.0.2' }],
        notReadyAddresses: [{ ip: '127.10.0.3' }],
        ports: [{ name: 'a', port: 8080 }],
      },
      { addresses: [{ ip: '127.10.0.4' }], ports: [{ name: 'b', port: 9090 }] },
    ],
  };
  expect(targetsOf(endpoints, 'a')).toEqual([
    { host: '127.10.0.1', port: 8080 },
    { host: '127.10.0.2', port: 8080 },
  ]);
  expect(targetsOf(endpoints, 'none')).toEqual([]);
  expect(targetsOf(undefined, 'a')).toEqual([]);
});

type Listener<T> = (change: { readonly key: string; readonly after: T | null }) => void;

interface Attempt {
  /** Settles the attempt: returns its listener, or throws. */
  readonly end: Deferred<() => TcpForwarder>;
  readonly pick: () => unknown;
}

/** A proxy over two informers and a network that the test drives. */
class ProxyStand {
  readonly timers = new HandTimers();
  /** The attempts to listen, in order. */
  readonly attempts: Attempt[] = [];
  /** Numbers of the attempts whose listener was closed. */
  readonly closed: number[] = [];
  readonly #services = new Map<string, Service>();
  #follow: Listener<Service> = () => undefined;
  #learn: Listener<Endpoints> = () => undefined;
  readonly proxy: ServiceProxy;

  constructor() {
    const options = {
      services: {
        get: (key: string) => this.#services.get(key),
        listen: (listener: Listener<Service>) => {
          this.#follow = listener;
          return () => undefined;
        },
      },
      endpoints: {
        listen: (listener: Listener<Endpoints>) => {
          this.#learn = listener;
          return () => undefined;
        },
      },
      forwarding: {
        forward: (_listen: unknown, pick: () => unknown) => {
          const end = deferred<() => TcpForwarder>();
          this.attempts.push({ end, pick });
          return end.promise.then((settle) => settle());
        },
      },
      timers: this.timers,
      recorder: { record: () => undefined },
      nodeHost: '127.0.0.1',
      endpointDelayMs: 0,
    };
    this.proxy = new ServiceProxy(options as unknown as ProxyOptions);
    this.proxy.start();
  }

  set(name: string, clusterIP: string, targets: readonly string[] = []): void {
    const key = `d/${name}`;
    const after = {
      metadata: { name, namespace: 'd' },
      spec: { clusterIP, ports: [{ port: 80 }] },
    };
    this.#services.set(key, after);
    this.#follow({ key, after });
    const addresses = targets.map((ip) => ({ ip }));
    this.#learn({ key, after: { subsets: [{ addresses, ports: [{ port: 8080 }] }] } });
  }

  open(number: number): void {
    const stopListening = async (): Promise<void> => void this.closed.push(number);
    const forwarder = { stopListening, closeConnections: () => undefined };
    this.attempts[number]?.end.resolve(() => forwarder);
  }

  fail(number: number): void {
    this.attempts[number]?.end.resolve(() => {
      throw new Error('EADDRINUSE');
    });
  }
}

const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the proxy of services', () => {
  test('does not listen again after its stop, although an address was in use', async () => {
    const stand = new ProxyStand();
    stand.set('s', '127.96.0.2');
    const stopped = stand.proxy.stop();
    stand.fail(0);
    await stopped;
    expect(stand.timers.waiting).toEqual([]);
  });

  test('keeps a listener when an earlier attempt for the same address fails', async () => {
    const stand = new ProxyStand();
    stand.set('s', '127.96.0.2');
    stand.set('s', 'None');
    stand.set('s', '127.96.0.2');
    expect(stand.attempts).toHaveLength(2);
    stand.open(1);
    stand.fail(0);
    await turns();
    expect(stand.closed).toEqual([]);
    await stand.proxy.stop();
    expect(stand.closed).toEqual([1]);
  });

  test('closes no listener that was opened while an earlier one was being closed', async () => {
    const stand = new ProxyStand();
    stand.set('s', '127.96.0.2');
    stand.open(0);
    stand.set('s', 'None');
    stand.set('s', '127.96.0.2');
    stand.open(1);
    await turns();
    expect(stand.closed).toEqual([0]);
  });

  test('uses the endpoints of a service in turn, whatever the other services do', () => {
    const stand = new ProxyStand();
    stand.set('a', '127.96.0.2', ['127.10.0.1', '127.10.0.2']);
    stand.set('b', '127.96.0.3', ['127.10.0.3', '127.10.0.4']);
    const picked = Array.from({ length: 2 }, () => {
      const [host] = stand.attempts.map(({ pick }) => (pick() as { host: string }).host);
      return host;
    });
    expect(new Set(picked)).toEqual(new Set(['127.10.0.1', '127.10.0.2']));
  });
});

describe('a forwarded connection', () => {
  const open: (Server | TcpForwarder)[] = [];

  afterEach(async () => {
    for (const each of open.splice(0)) {
      if ('close' in each) each.close();
      else {
        each.closeConnections();
        await each.stopListening();
      }
    }
  });

  async function echo(): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.pipe(socket);
    });
    open.push(server);
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return (server.address() as AddressInfo).port;
  }

  async function ask(port: number, text: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const piece of socket.setEncoding('utf8')) answer += String(piece);
    return answer;
  }

  /** Returns a port that was just released, so it is most probably free. */
  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    return port;
  }

  test('passes bytes in both directions, and the half-close', async () => {
    const [to, port] = [await echo(), await freePort()];
    open.push(
      await nodeTcpForwarding.forward({ host: '127.0.0.1', port }, () => ({
        host: '127.0.0.1',
        port: to,
      })),
    );
    expect(await ask(port, 'x'.repeat(500_000))).toHaveLength(500_000);
  });

  test('is reset when there is no target, or nothing listens on the target', async () => {
    const [dead, none, closed] = [await freePort(), await freePort(), await freePort()];
    open.push(await nodeTcpForwarding.forward({ host: '127.0.0.1', port: none }, () => null));
    open.push(
      await nodeTcpForwarding.forward({ host: '127.0.0.1', port: closed }, () => ({
        host: '127.0.0.1',
        port: dead,
      })),
    );
    await expect(ask(none, 'hello')).rejects.toThrow(/ECONNRESET|EPIPE/);
    await expect(ask(closed, 'hello')).rejects.toThrow(/ECONNRESET|EPIPE/);
  });

  test('is refused on an address in use', async () => {
    const port = await echo();
    await expect(
      nodeTcpForwarding.forward({ host: '127.0.0.1', port }, () => null),
    ).rejects.toThrow('EADDRINUSE');
  });
});
