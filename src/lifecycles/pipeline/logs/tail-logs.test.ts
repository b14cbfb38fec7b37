import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterEach, describe, expect, test } from 'vitest';

import { type BuildStand, buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { scriptedCluster } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import {
  type ScriptedAnswer,
  scriptedTransport,
} from '../../../../test/fixtures/scripted-transport.ts';
import { makeKubeClient } from '../../../kube/make-client.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { TransportRequest } from '../../../platform/http-transport.ts';
import type { PipelineSession } from '../session.ts';
import { MAX_CONTAINERS, type TailOptions, tailLogs } from './tail-logs.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function pod(name: string, restartCount: number, states: object): Pod {
  const more = { ready: true, image: '', imageID: '' };
  const status = { name: 'app', restartCount, ...more, ...states };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '5', labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'web:1' }] },
    status: { phase: 'Running', containerStatuses: [status] },
  };
}

const terminated = { exitCode: 1 };
const RUNNING = { state: { running: {} } };
const ENDED = { state: { terminated } };
const lastState = { terminated };

/** A watch stream: first the existing pods, and then one event after another, each when the test asks for it. */
class Watched {
  readonly events: object[];
  /** Whether every event was taken, and the next one is requested. */
  isReadWhole = false;
  #wake: () => void = () => undefined;

  constructor(first: readonly Pod[]) {
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    const end = { metadata: { resourceVersion: '5', annotations } };
    const initial = first.map((object) => ({ type: 'ADDED', object }));
    this.events = [...initial, { type: 'BOOKMARK', object: end }];
  }

  emit(type: string, object: Pod, resourceVersion: string): void {
    const metadata = { ...object.metadata, resourceVersion };
    this.events.push({ type, object: { ...object, metadata } });
    this.isReadWhole = false;
    this.#wake();
  }

  async *body(): AsyncGenerator<Uint8Array> {
    for (let next = 0; ; next += 1) {
      while (this.events[next] === undefined) {
        this.isReadWhole = true;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      yield Buffer.from(`${JSON.stringify(this.events[next])}\n`);
    }
  }
}

interface Tailing extends BuildStand {
  readonly watched: Watched;
  readonly tail: AsyncDisposable;
  /** The queries of the log requests. */
  readonly asked: () => readonly string[];
}

type Log = (query: string, request: TransportRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

function tailing(
  first: readonly Pod[],
  log: Log,
  wishes: Partial<TailOptions & { logsPrefix: 'none'; secrets: readonly string[] }> = {},
): Tailing {
  const s = buildStand();
  stands.push(s);
  const { logsPrefix, secrets = [], ...options } = wishes;
  const watched = new Watched(first);
  const queries: string[] = [];
  const transport = scriptedTransport((request) => {
    const [path = '', query = ''] = request.path.split('?');
    if (path.endsWith('/log')) {
      queries.push(query);
      return log(query, request);
    }
    return { body: watched.body() };
  });
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const client = makeKubeClient(connection);
  const target = { client, connection, transport, context: 'c', namespace: 'shop', images: null };
  const [module] = s.session.config.modules;
  if (module === undefined) throw new Error('the stand has a module');
  const deploy = { ...module.deploy, ...(logsPrefix === undefined ? {} : { logsPrefix }) };
  const config = { ...s.session.config, modules: [{ ...module, deploy }] };
  const given = scriptedCluster(
    () => [],
    () => Promise.reject(new Error('no hook runs')),
    secrets,
  );
  const hooks = { ...s.session.hooks, cluster: given };
  const session: PipelineSession = { ...s.session, config, target, hooks };
  const spec = { selector: { matchLabels: { app: 'web' } } };
  const web = { kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec };
  const tail = tailLogs(session, { namespaces: ['shop'], objects: [web] }, options);
  return { ...s, watched, tail, asked: () => queries };
}

const at = (second: number, text: string): string => `2026-05-01T10:00:0${second}.5Z ${text}\n`;

/** An answer that does not end by itself. */
async function* held(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await new Promise(() => undefined);
}

describe('the logs of deployed pods', () => {
  test('are printed for existing pods and for pods that are created later', async () => {
    const s = tailing([pod('web-1', 0, RUNNING)], (_query, { path }) => ({
      body: held(at(1, path.includes('web-1') ? 'one' : 'two')),
    }));
    await expect.poll(() => s.lines(), { timeout: 20_000 }).toEqual(['web-1/app: one']);
    s.watched.emit('ADDED', pod('web-2', 0, { state: { waiting: {} } }), '6');
    s.watched.emit('MODIFIED', pod('web-2', 0, RUNNING), '7');
    await expect
      .poll(() => s.lines(), { timeout: 20_000 })
      .toEqual(['web-1/app: one', 'web-2/app: two']);
    await s.tail[Symbol.asyncDispose]();
    expect(s.events.filter(({ type }) => type === 'Warning')).toEqual([]);
  });

  test('continue after a container restarted, with the log of the run in between', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const runs = [
      async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(at(1, 'first'));
        await ended;
      },
      () => held(at(2, 'second')),
    ];
    const s = tailing([pod('web-1', 0, RUNNING)], (query) =>
      query.includes('previous=true')
        ? { body: at(2, 'in between') }
        : { body: runs.shift()?.() ?? '' },
    );
    await expect.poll(() => s.lines(), { timeout: 20_000 }).toEqual(['web-1/app: first']);
    s.watched.emit('MODIFIED', pod('web-1', 0, ENDED), '6');
    s.watched.emit('MODIFIED', pod('web-1', 1, { state: { waiting: {} }, lastState }), '7');
    s.watched.emit('MODIFIED', pod('web-1', 2, { ...RUNNING, lastState }), '8');
    await expect.poll(() => s.watched.isReadWhole, { timeout: 20_000 }).toBe(true);
    end();
    await expect
      .poll(() => s.lines(), { timeout: 20_000 })
      .toEqual(['web-1/app: first', 'web-1/app: in between', 'web-1/app: second']);
    await s.tail[Symbol.asyncDispose]();
  });

  test('have the values of Secrets masked that the container is given', async () => {
    const body = at(1, 'with plainvalue-1');
    const secrets = ['plainvalue-1'];
    const s = tailing([pod('web-1', 0, ENDED)], () => ({ body }), { secrets });
    await expect.poll(() => s.lines(), { timeout: 20_000 }).toEqual(['web-1/app: with ***']);
    await s.tail[Symbol.asyncDispose]();
  });

  test('start at sinceMs, and have no prefix with logsPrefix none', async () => {
    const since = { sinceMs: Date.parse('2026-05-01T10:00:00Z'), logsPrefix: 'none' } as const;
    const s = tailing([pod('web-1', 0, ENDED)], () => ({ body: at(1, 'x') }), since);
    await expect.poll(() => s.lines(), { timeout: 20_000 }).toEqual([': x']);
    expect(s.asked()[0]).toContain('sinceTime=2026-05-01T10%3A00%3A00');
    await s.tail[Symbol.asyncDispose]();
  });

  test('give a warning when they cannot be read, but none when the pod was deleted', async () => {
    const refused = { kind: 'Status', code: 500, reason: 'InternalError', message: 'no disk' };
    const s = tailing([pod('web-1', 0, ENDED), pod('web-2', 0, ENDED)], (_query, { path }) =>
      path.includes('web-1')
        ? { status: 500, body: refused }
        : { status: 404, body: { ...refused, code: 404, reason: 'NotFound' } },
    );
    const message = 'The log of shop/web-1/app cannot be read: no disk.';
    await expect
      .poll(() => s.events, { timeout: 20_000 })
      .toContainEqual({ type: 'Warning', code: 'LHL417', message });
    await expect.poll(() => s.asked().length, { timeout: 20_000 }).toBe(2);
    await s.tail[Symbol.asyncDispose]();
    expect(s.events).toHaveLength(1);
  });

  test('are limited to the maximum number of containers, with one warning', async () => {
    const many = Array.from({ length: MAX_CONTAINERS + 2 }, (_, i) => pod(`web-${i}`, 0, ENDED));
    const s = tailing(many, () => ({ body: at(1, 'x') }));
    await expect.poll(() => s.lines(), { timeout: 20_000 }).toHaveLength(MAX_CONTAINERS);
    await s.tail[Symbol.asyncDispose]();
    expect(s.events.filter(({ type }) => type === 'Warning')).toHaveLength(1);
  });
});
