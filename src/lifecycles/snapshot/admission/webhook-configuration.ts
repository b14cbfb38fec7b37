/**
 * The ValidatingWebhookConfiguration. It has three webhooks: for the rules, for the author, and for the guards.
 *
 * The rules have failurePolicy Ignore and a short timeout. The controllers check the same rules and report a violation
 * in a condition, so nothing invalid runs if the webhook is not called. A server that waited long for this webhook, or
 * refused writes without it, could block two important writes: the annotation that requests a thaw, and the removal of
 * a finalizer by a user when no controller is left. Deletions, reads and status updates are never reviewed.
 *
 * The author's webhook has failurePolicy Fail: an object that was not reviewed is not stored, since no controller can
 * check its author later. It reviews creations, and updates of templates, schedules and guards. None of these writes
 * requests a thaw or removes a finalizer. The controllers refuse a hook or snapshot whose spec changed after its
 * creation.
 *
 * The guards' webhook has failurePolicy Fail too: a snapshot without a verdict looks like a good one (SNAP-W1). The
 * server calls this webhook only in namespaces with the label GUARD_ENABLED. Its answer waits for a freeze.
 */
import type { ValidatingWebhookConfiguration } from 'kubernetes-types/admissionregistration/v1.js';

import {
  configurationParts,
  ourRule,
  webhookAt,
  type WebhookConfigurationOptions,
  type WebhookRule,
} from '../../../controller/admission/webhook-client.ts';
import { GUARD_ENABLED, GUARD_ENABLED_VALUE } from '../names.ts';

export const WEBHOOK_PATH = '/validate';
export const WEBHOOK_NAME = 'snapshot.lifehook.dev';
export const AUTHOR_PATH = '/authorize-snapshots';
export const AUTHOR_WEBHOOK_NAME = 'author.snapshot.lifehook.dev';

export const GUARD_PATH = '/guard-snapshots';
export const GUARD_WEBHOOK_NAME = 'guard.lifehook.dev';

const RULES: readonly WebhookRule[] = [
  ourRule(
    [
      'executionhooks',
      'executionhooktemplates',
      'applicationsnapshots',
      'snapshotschedules',
      'snapshotrestores',
      'snapshotguards',
    ],
    'CREATE',
    'UPDATE',
  ),
];
const AUTHOR_RULES: readonly WebhookRule[] = [
  ourRule(['executionhooks', 'applicationsnapshots', 'snapshotrestores'], 'CREATE'),
  ourRule(['executionhooktemplates', 'snapshotschedules', 'snapshotguards'], 'CREATE', 'UPDATE'),
];

const GUARD_RULES: readonly WebhookRule[] = [
  snapshotRule('snapshot.storage.k8s.io', 'volumesnapshots'),
  snapshotRule('groupsnapshot.storage.k8s.io', 'volumegroupsnapshots'),
];

/** Matches any version: a cluster may serve group snapshots in a version that Lifehook does not use. */
function snapshotRule(group: string, resource: string): WebhookRule {
  const what = { apiGroups: [group], apiVersions: ['*'], resources: [resource] };
  return { ...what, operations: ['CREATE'], scope: 'Namespaced' };
}

/** Seconds until the server stops waiting for an answer; an answer takes milliseconds. */
const TIMEOUT_SECONDS = 2;
const AUTHOR_TIMEOUT_SECONDS = 5;
/** Seconds; the most that a server allows, since the answer waits for a freeze. */
const GUARD_TIMEOUT_SECONDS = 30;

export function webhookConfiguration(
  options: WebhookConfigurationOptions,
): ValidatingWebhookConfiguration {
  return {
    ...configurationParts(options),
    kind: 'ValidatingWebhookConfiguration',
    webhooks: [
      {
        ...webhookAt(WEBHOOK_PATH, options),
        name: WEBHOOK_NAME,
        failurePolicy: 'Ignore',
        rules: [...RULES],
        timeoutSeconds: TIMEOUT_SECONDS,
      },
      {
        ...webhookAt(AUTHOR_PATH, options),
        name: AUTHOR_WEBHOOK_NAME,
        failurePolicy: 'Fail',
        rules: [...AUTHOR_RULES],
        timeoutSeconds: AUTHOR_TIMEOUT_SECONDS,
      },
      {
        ...webhookAt(GUARD_PATH, options),
        name: GUARD_WEBHOOK_NAME,
        failurePolicy: 'Fail',
        rules: [...GUARD_RULES],
        timeoutSeconds: GUARD_TIMEOUT_SECONDS,
        sideEffects: 'NoneOnDryRun',
        namespaceSelector: {
          matchLabels: {
            ...options.namespaceSelector?.matchLabels,
            [GUARD_ENABLED]: GUARD_ENABLED_VALUE,
          },
        },
      },
    ],
  };
}
