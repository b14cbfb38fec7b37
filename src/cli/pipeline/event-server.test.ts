import { describe, expect, it } from 'vitest';

import { SAMPLE_FACTS } from '../../../test/fixtures/pipeline/api-facts.ts';
import { EventApi } from '../../lifecycles/pipeline/events/api/api-service.ts';
import { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { serveEvents, serveGrpc } from './event-server.ts';

const asked = { option: '--rpc-http-port', isInherited: false };

function served(): { readonly events: EventStream; readonly api: EventApi } {
  const events = new EventStream({ runId: 'r', clock: nodePlatform.clock });
  return { events, api: new EventApi(events, SAMPLE_FACTS) };
}

describe('the event server', () => {
  it('uses another port when that of the outer pipeline is taken, and emits a warning', async () => {
    const own = served();
    const first = await serveEvents(own, { ...asked, port: 0 });
    const second = await serveEvents(own, { ...asked, port: first.port, isInherited: true });
    expect(second.port).not.toBe(first.port);
    expect(own.events.history()).toMatchObject([
      { type: 'Warning', code: 'LHL601', message: expect.stringContaining(String(second.port)) },
    ]);
    expect(await (await fetch(`${second.url}/healthz`)).text()).toBe('ok\n');
    await Promise.all([first.close(), second.close()]);
  });

  it.each([
    ['HTTP', serveEvents],
    ['gRPC', serveGrpc],
  ])('of %s fails when the port that was asked for is taken', async (_, serve) => {
    const own = served();
    const first = await serveEvents(own, { ...asked, port: 0 });
    await expect(serve(own, { ...asked, port: first.port })).rejects.toThrow(
      `LHL605: The events cannot be served on port ${first.port} of 127.0.0.1, which --rpc-http-port asks for: another program listens there`,
    );
    expect(own.events.history()).toEqual([]);
    await first.close();
  });
});
