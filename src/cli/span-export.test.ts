import { expect, it } from 'vitest';

import { collectorFrom } from './span-export.ts';

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
