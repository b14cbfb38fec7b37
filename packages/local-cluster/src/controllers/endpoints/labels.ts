/** Labels by which readers and controllers tell endpoints and slices apart. */
export const HEADLESS = 'service.kubernetes.io/headless';
export const SERVICE_NAME = 'kubernetes.io/service-name';
export const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';

const RESERVED: readonly string[] = [
  HEADLESS,
  SERVICE_NAME,
  SLICE_MANAGED_BY,
  'endpoints.kubernetes.io/managed-by',
  'endpointslice.kubernetes.io/skip-mirror',
];

/** A service's own labels go along, but for those that mean something here. */
export function withoutManaged(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !RESERVED.includes(name)));
}
