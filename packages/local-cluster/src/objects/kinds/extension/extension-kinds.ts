/** What extends the API server: definitions of custom kinds, webhooks, and the questions it answers. */
import type { KindSpec } from '../kind-spec.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { reviewKinds } from './reviews.ts';
import { mutatingWebhookConfiguration, validatingWebhookConfiguration } from './webhooks.ts';

export const extensionKinds: readonly KindSpec[] = [
  customResourceDefinition,
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  ...reviewKinds,
];
