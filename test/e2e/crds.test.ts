import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { customKindCases } from '../fixtures/api-cases/custom-kinds.ts';
import { customValueCases } from '../fixtures/api-cases/custom-values.ts';
import { runRawCase } from '../fixtures/api-cases/run-raw-cases.ts';
import { WebhookServer } from '../fixtures/webhook-server.ts';
import { ApiStand } from '../../packages/local-cluster/src/testing.ts';

let stand: ApiStand;
let webhooks: WebhookServer;

beforeAll(async () => {
  stand = await ApiStand.open();
  webhooks = await WebhookServer.open();
});

afterAll(async () => {
  await stand.close();
  await webhooks.close();
});

describe('the custom kinds of the local cluster', () => {
  for (const one of [...customKindCases, ...customValueCases]) {
    it(one.title, async () => {
      const seen = await runRawCase(one, stand.transport, webhooks);
      expect(seen).toEqual(one.expected);
    });
  }
});
