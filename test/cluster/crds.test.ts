import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { customKindCases } from '../fixtures/api-cases/custom-kinds.ts';
import { customValueCases } from '../fixtures/api-cases/custom-values.ts';
import { runRawCase } from '../fixtures/api-cases/run-raw-cases.ts';
import { WebhookServer } from '../fixtures/webhook-server.ts';
import { connectToCluster } from './real-cluster.ts';

const { connection } = connectToCluster();
let webhooks: WebhookServer;

beforeAll(async () => {
  webhooks = await WebhookServer.open();
});

afterAll(async () => {
  await webhooks.close();
  connection.transport.close();
});

describe("a real cluster's custom kinds", () => {
  for (const one of [...customKindCases, ...customValueCases]) {
    it(one.title, async () => {
      const seen = await runRawCase(one, connection.transport, webhooks);
      expect(seen).toEqual(one.expected);
    });
  }
});
