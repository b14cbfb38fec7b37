import { expect, it } from 'vitest';

import { SAMPLE_FACTS } from '../../../test/fixtures/pipeline/api-facts.ts';
import { EventApi } from '../../lifecycles/pipeline/events/api/api-service.ts';
import { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { serveEvents } from './event-server.ts';

it('the event server uses another port when its own is taken, and emits a warning', async () => {
  const events = new EventStream({ runId: 'r', clock: nodePlatform.clock });
  const served = { events, api: new EventApi(events, SAMPLE_FACTS) };
  const first = await serveEvents(served, 0);
  const second = await serveEvents(served, first.port);
  expect(second.port).not.toBe(first.port);
  expect(events.history()).toMatchObject([
    { type: 'Warning', code: 'LHL601', message: expect.stringContaining(String(second.port)) },
  ]);
  expect(await (await fetch(`${second.url}/healthz`)).text()).toBe('ok\n');
  await Promise.all([first.close(), second.close()]);
});
