import type { ApiContext } from '../context.ts';

/** The metrics in the text format of Prometheus. */
export function metricsText({ store }: Pick<ApiContext, 'store'>): string {
  const objects = store
    .resources()
    .toSorted()
    .map((resource) => `lifehook_api_objects{resource="${resource}"} ${store.count(resource)}`);
  return [
    '# HELP lifehook_api_revision The revision of the last write that is durable.',
    '# TYPE lifehook_api_revision counter',
    `lifehook_api_revision ${store.revision}`,
    '# HELP lifehook_api_objects Objects that are stored, by resource.',
    '# TYPE lifehook_api_objects gauge',
    ...objects,
    '',
  ].join('\n');
}
