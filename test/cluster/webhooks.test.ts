import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runRawCase } from '../fixtures/api-cases/run-raw-cases.ts';
import { webhookDecisionCases } from '../fixtures/api-cases/webhook-decisions.ts';
import { webhookFailureCases } from '../fixtures/api-cases/webhook-failures.ts';
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

describe("a real cluster's webhooks", () => {
  for (const one of [...webhookDecisionCases, ...webhookFailureCases]) {
    it(one.title, async () => {
      const seen = await runRawCase(one, connection.transport, webhooks);
      expect(seen).toEqual(one.expected);
    });
  }
});
