/** Requests that are cancelled while they wait for credentials. */
import { expect, it, onTestFinished } from 'vitest';

import type { HttpTransport } from './http-transport.ts';
import { nodeHttpTransport } from './node-http-transport.ts';
import type { Credentials } from './node-server-link.ts';

function transportOf(credentials: () => Promise<Credentials>): HttpTransport {
  const transport = nodeHttpTransport({ server: 'http://127.0.0.1:1', credentials });
  onTestFinished(() => {
    transport.close();
  });
  return transport;
}

const asked = { path: '/', headers: {} };

it('rejects at its signal while it waits for credentials that never come', async () => {
  const transport = transportOf(() => new Promise(() => undefined));
  const controller = new AbortController();
  const { signal } = controller;
  const waiting = [
    transport.request({ ...asked, method: 'GET', signal }),
    transport.openSocket({ ...asked, protocols: [], signal }),
  ];
  controller.abort();
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'ECANCELED' });
});

it('rejects at once if its signal is aborted already, and ignores a later failure of the credentials', async () => {
  let fail = (): void => undefined;
  const failing = new Promise<never>((_, reject) => {
    fail = () => {
      reject(new Error('no credentials'));
    };
  });
  const transport = transportOf(() => failing);
  const signal = AbortSignal.abort();
  const request = transport.request({ ...asked, method: 'GET', signal });
  await expect(request).rejects.toMatchObject({ code: 'ECANCELED' });
  // An unhandled rejection would fail the run.
  fail();
  await expect(failing).rejects.toThrow('no credentials');
});
