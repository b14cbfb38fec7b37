import { connect, createServer, type Socket } from 'node:net';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';

import { type Peer, protocol, streamServer } from '../../../../test/fixtures/kube/stream-server.ts';
import {
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import type { KubeClient, KubeConnection } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { PortForwardConfig } from '../config/model.ts';
import type { StageHooks } from '../hooks/model.ts';
import type { PipelineSession, RunOptions } from '../session.ts';
import { type ForwardedPorts, forwardPorts } from './forward-ports.ts';

const stands: BuildStand[] = [];
const open: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
  for (const one of stands.splice(0)) one.remove();
});

/**
 * A node whose pods answer each connection with their own name and the received text. When a pod ends, its connections
 * end.
 */
async function cluster(): Promise<{
  readonly connection: KubeConnection;
  readonly peers: readonly Peer[];
  readonly paths: readonly string[];
}> {
  const serve = async (peer: Peer): Promise<void> => {
    const number = Buffer.from([0, 0]);
    await peer.send(0, number);
    await peer.send(1, number);
    await peer.received(1);
    const pod = /pods\/([^/]+)\//.exec(peer.request.url ?? '')?.[1] ?? '';
    if (pod === 'broken') {
      await peer.send(1, 'nobody listens there');
      peer.ws.close(1000);
      return;
    }
    await peer.send(0, `${pod} heard ${peer.frames[0]?.[1] ?? ''}`);
    if (pod !== 'held') peer.ws.close(1000);
  };
  const server = await streamServer({ protocols: [protocol.v4], serve });
  open.push(server);
  return server;
}

function running(name: string): Pod {
  return {
    metadata: { name, namespace: 'shop' },
    spec: { containers: [] },
    status: { phase: 'Running' },
  };
}

const web: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
};

interface World {
  pods: readonly Pod[];
}

function clientOf(world: World): KubeClient {
  const spec = { selector: { matchLabels: { app: 'web' } } };
  return {
    get: () => Promise.resolve({ ...web, spec }),
    list: () => Promise.resolve({ items: world.pods, resourceVersion: '1' }),
  } as unknown as KubeClient;
}

interface Wishes {
  readonly entry?: Partial<PortForwardConfig>;
  readonly hooks?: Partial<StageHooks>;
  readonly pods?: readonly Pod[];
  readonly options?: Partial<RunOptions>;
}

interface Forwarding extends Omit<BuildStand, 'run'> {
  readonly world: World;
  readonly peers: readonly Peer[];
  readonly paths: readonly string[];
  readonly run: () => ReturnType<typeof forwardPorts>;
  readonly ports: () => Promise<ForwardedPorts>;
}

async function forwarding({
  entry,
  hooks,
  pods = [running('web-1')],
  options,
}: Wishes = {}): Promise<Forwarding> {
  const { connection, peers, paths } = await cluster();
  const s = buildStand(options === undefined ? {} : { options });
  stands.push(s);
  const world: World = { pods };
  const [module] = s.session.config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const portForward = [
    {
      resourceType: 'deployment',
      resourceName: 'web',
      port: 'http',
      address: '127.0.0.1',
      ...entry,
    },
  ];
  const ownHooks = { ...s.session.config.ownHooks, portForward: { ...NO_HOOKS, ...hooks } };
  const session: PipelineSession = {
    ...s.session,
    config: { ...s.session.config, modules: [{ ...module, portForward }], ownHooks },
    target: {
      client: clientOf(world),
      connection,
      transport: connection.transport,
      context: 'local',
      namespace: 'default',
      images: null,
    },
  };
  const run = (): ReturnType<typeof forwardPorts> =>
    forwardPorts(session, { namespaces: ['shop'], objects: [web] });
  return {
    ...s,
    session,
    world,
    peers,
    paths,
    run,
    ports: async () => {
      const result = await run();
      if (result.outcome !== 'Succeeded') throw new Error(result.message);
      open.push(result.value);
      return result.value;
    },
  };
}

/** Sends the text, and returns the answer; null: the connection was reset. */
async function ask(port: number, text: string): Promise<string | null> {
  const socket = connect({ port, host: '127.0.0.1' });
  const received = all(socket);
  socket.write(text);
  return received;
}

function all(socket: Socket): Promise<string | null> {
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  return new Promise((resolve) => {
    socket.on('end', () => {
      socket.end();
      resolve(text);
    });
    socket.on('error', () => {
      resolve(null);
    });
  });
}

const portOf = ({ ports }: ForwardedPorts): number => ports[0]?.localPort ?? 0;

const warnings = ({ events }: Pick<BuildStand, 'events'>): readonly string[] =>
  events.flatMap((event) => (event.type === 'Warning' ? [event.message] : []));

describe('a forwarded port', () => {
  test('is reported, and connects to the pod in the deployed namespace', async () => {
    const s = await forwarding({ entry: { port: 8080, localPort: 0 } });
    const forwarded = await s.ports();
    const localPort = portOf(forwarded);
    expect(forwarded.ports).toEqual([
      { resource: 'deployment shop/web', port: 8080, address: '127.0.0.1', localPort },
    ]);
    expect(await ask(localPort, 'hello')).toBe('web-1 heard hello');
    expect(s.paths).toEqual(['/api/v1/namespaces/shop/pods/web-1/portforward?ports=8080']);
    expect(s.events).toContainEqual({
      type: 'PhaseEvent',
      phase: 'portForward',
      status: 'Succeeded',
      subject: 'deployment shop/web',
      message: `127.0.0.1:${localPort} forwards to port 8080 of deployment shop/web`,
      forwarded: {
        address: '127.0.0.1',
        kind: 'deployment',
        namespace: 'shop',
        name: 'web',
        port: 8080,
        localPort,
      },
    });
  });

  test('connects to the pod in the deployed namespace, although the command line names another', async () => {
    const s = await forwarding({
      entry: { port: 8080, localPort: 0 },
      options: { namespace: 'other' },
    });
    const { ports } = await s.ports();
    expect(ports).toMatchObject([{ resource: 'deployment shop/web' }]);
  });

  test('is closed when its hooks cannot be recorded', async () => {
    const hooks = { after: [shell('true', { when: 'after', address: 'portForward/after/0' })] };
    const s = await forwarding({ entry: { port: 8080, localPort: 0 }, hooks });
    s.context.history.begins = () => Promise.reject(new Error('the disk is full'));
    await expect(s.run()).rejects.toThrow('the disk is full');
    const [event] = s.events.flatMap((one) => (one.type === 'PhaseEvent' ? [one] : []));
    expect(await ask(event?.forwarded?.localPort ?? 0, 'hello')).toBeNull();
  });

  test('connects to the replacement pod after its pod was deleted', async () => {
    const s = await forwarding({ entry: { port: 80, localPort: 0 }, pods: [running('held')] });
    const localPort = portOf(await s.ports());
    const first = connect({ port: localPort, host: '127.0.0.1' });
    const ended = all(first);
    first.write('hello');
    await new Promise((resolve) => first.once('data', resolve));
    s.world.pods = [];
    s.peers[0]?.tcp.destroy();
    expect(await ended).toBeNull();
    const waiting = ask(localPort, 'again');
    setTimeout(() => (s.world.pods = [running('web-2')]), 300);
    expect(await waiting).toBe('web-2 heard again');
  });

  test('is another free port when the wanted one is taken on loopback', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const wanted = typeof address === 'object' && address !== null ? address.port : 0;
    const s = await forwarding({ entry: { port: 80, localPort: wanted } });
    const localPort = portOf(await s.ports());
    expect(localPort).not.toBe(wanted);
    expect(await ask(localPort, 'x')).toBe('web-1 heard x');
    taken.close();
  });

  test('warns once why connections fail, and resets them', async () => {
    const s = await forwarding({ entry: { port: 80, localPort: 0 }, pods: [running('broken')] });
    const localPort = portOf(await s.ports());
    expect(await ask(localPort, 'x')).toBeNull();
    expect(await ask(localPort, 'x')).toBeNull();
    await expect
      .poll(() => warnings(s), { timeout: 20_000 })
      .toEqual([
        'A connection to deployment shop/web could not be forwarded: nobody listens there.',
      ]);
  });

  test('is closed together with its connections when it is disposed', async () => {
    const s = await forwarding({ entry: { port: 80, localPort: 0 }, pods: [running('held')] });
    const forwarded = await s.ports();
    const socket = connect({ port: portOf(forwarded), host: '127.0.0.1' });
    const ended = all(socket);
    socket.write('x');
    await new Promise((resolve) => socket.once('data', resolve));
    await forwarded[Symbol.asyncDispose]();
    expect(s.events.at(-1)).toEqual({ type: 'PortsClosed', localPorts: [portOf(forwarded)] });
    expect(await ended).toBeNull();
    expect(await ask(portOf(forwarded), 'x')).toBeNull();
    await expect.poll(() => s.peers[0]?.ws.readyState, { timeout: 20_000 }).toBe(3);
  });

  test('is refused with a warning for a kind without pods, and hooks still run', async () => {
    const before = shell('echo before', { address: 'portForward/before/0', phase: 'portForward' });
    const after = shell('echo after', {
      address: 'portForward/after/0',
      phase: 'portForward',
      when: 'after',
    });
    const hooks = { before: [before], after: [after] };
    const s = await forwarding({ entry: { resourceType: 'configmap' }, hooks });
    expect((await s.ports()).ports).toEqual([]);
    expect(warnings(s)[0]).toContain('portForward names the resourceType "configmap"');
    expect(s.lines()).toEqual(['portForward/before/0: before', 'portForward/after/0: after']);
  });

  test('is closed again when an after hook fails', async () => {
    const after = shell('exit 5', { phase: 'portForward', when: 'after' });
    const s = await forwarding({ entry: { port: 80, localPort: 0 }, hooks: { after: [after] } });
    expect(await s.run()).toMatchObject({ outcome: 'Failed', exitCode: 5 });
    const reported = s.events.find((event) => event.type === 'PhaseEvent');
    const port = /:(\d+) forwards to port/.exec(
      reported?.type === 'PhaseEvent' ? (reported.message ?? '') : '',
    )?.[1];
    expect(await ask(Number(port), 'x')).toBeNull();
  });
});
