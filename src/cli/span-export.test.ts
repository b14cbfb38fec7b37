import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { expect, it } from 'vitest';

import type { TraceNote } from '../observe/trace-exporter.ts';
import { collectorFrom, startSpanExport } from './span-export.ts';

it('collectorFrom returns null without an endpoint in the environment', () => {
  expect(collectorFrom({})).toBeNull();
  expect(collectorFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeNull();
});

it('collectorFrom reads the URL and the headers', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example/base/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x=100%,nothing',
  };
  expect(collectorFrom(env)).toEqual({
    url: 'https://traces.example/base/v1/traces',
    headers: { authorization: 'Bearer a=b', x: '100%' },
  });
});

it.each(['localhost:4318', 'grpc://localhost:4317', 'x'])(
  'collectorFrom reports a problem with the endpoint %s',
  (text) => {
    expect(collectorFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: text })).toEqual({
      problem: expect.stringContaining(`received ${text}`),
    });
  },
);

it('collectorFrom refuses an endpoint with a password, and does not repeat the password', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hunter2@traces.example' };
  const problem = expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS') as string;
  expect(collectorFrom(env)).toEqual({ problem });
  expect(JSON.stringify(collectorFrom(env))).not.toContain('hunter2');
});

it.each(['authorization=Bearer%0Ahunter2', 'hunter 2=x', 'x=hunter2☃'])(
  'collectorFrom refuses headers that HTTP does not allow (%s), and does not repeat them',
  (headers) => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_HEADERS: `a=b,${headers}`,
    };
    const problem = expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS') as string;
    expect(collectorFrom(env)).toEqual({ problem });
    expect(JSON.stringify(collectorFrom(env))).not.toContain('hunter');
  },
);

/** The notes about one span that a collector answers with this status. */
async function notesOf(status: number): Promise<TraceNote[]> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const notes: TraceNote[] = [];
  const before = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
  const exporter = startSpanExport({
    service: 'test',
    onProblem: (problem) => {
      throw new Error(problem);
    },
    observe: (note) => notes.push(note),
  });
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (before !== undefined) process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = before;
  const ids = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), parentSpanId: null };
  exporter?.add({ ...ids, name: 'pre', startMs: 1, endMs: 2, attributes: {}, error: null });
  await exporter?.stop();
  server.close();
  await once(server, 'close');
  return notes;
}

it.each([429, 502, 503, 504])('retries spans that a collector answers with %i', async (status) => {
  expect((await notesOf(status)).map(({ type }) => type)).toEqual([
    'CollectorBusy',
    'SpansDropped',
  ]);
});

it.each([400, 408, 500])('drops spans that a collector answers with %i', async (status) => {
  const why = expect.stringContaining(`answers ${status}`) as string;
  expect(await notesOf(status)).toEqual([{ type: 'SpansDropped', spans: 1, why }]);
});
