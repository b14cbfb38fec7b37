/**
 * The Deployment that the server would store for a manifest, with its defaults and after every webhook. Writes nothing:
 * it uses dry runs.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import { fieldsAt, isObject } from '../../kube/fields.ts';
import { type JsonObject, LAST_APPLIED } from '../../kube/object.ts';
import { deployments } from '../../kube/resources.ts';
import type { CliCluster } from '../kube-connection.ts';
import { withoutDropped } from './dropped-fields.ts';

/** `stored`: the current Deployment; null: the manifest creates it. */
export async function plannedDeployment(
  { client, namespace }: CliCluster,
  manifest: Deployment,
  stored: Deployment | null,
): Promise<Deployment> {
  const object = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  const how = { fieldManager: managerOf(stored), force: true, dryRun: true };
  const applied = await client.apply(deployments, object, how);
  const before = fieldsAt(applied, 'spec');
  const manifests = { last: lastAppliedSpec(stored), next: fieldsAt(manifest, 'spec') };
  const spec = withoutDropped(before, manifests);
  if (spec === before) return applied;
  // A second dry run, since the server sets the default of a field that was removed.
  const wanted = { ...applied, spec } as unknown as Deployment;
  return client.replace(deployments, wanted, { dryRun: true });
}

/**
 * The manager of an earlier server-side apply of the template, if there is exactly one: the server removes the fields
 * that only this manager owns, and that the manifest lacks.
 */
function managerOf(stored: Deployment | null): string {
  const managers = (stored?.metadata?.managedFields ?? [])
    .filter(({ operation, fieldsV1 }) => operation === 'Apply' && ownsTemplate(fieldsV1))
    .map(({ manager }) => manager);
  const [manager, ...others] = new Set(managers);
  return manager === undefined || others.length > 0 ? 'lifehook-rollout-plan' : manager;
}

function ownsTemplate(fields: unknown): boolean {
  return 'f:template' in fieldsAt(fields, 'f:spec');
}

/** Empty without an earlier client-side apply. */
function lastAppliedSpec(stored: Deployment | null): JsonObject {
  const text = stored?.metadata?.annotations?.[LAST_APPLIED];
  if (text === undefined) return {};
  try {
    const last: unknown = JSON.parse(text);
    return isObject(last) ? fieldsAt(last, 'spec') : {};
  } catch {
    // Any client may write the annotation.
    return {};
  }
}
