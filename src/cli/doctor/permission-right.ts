import type { MissingPermission } from '../../controller/ask-permissions.ts';
import type { Right } from './asked.ts';

/** "pods/exec", "volumesnapshots.snapshot.storage.k8s.io": the resource, then its group. */
export function permissionRight({ verb, resource: text }: MissingPermission): Right {
  const dot = text.indexOf('.');
  if (dot === -1) return { verb, group: '', resource: text };
  return { verb, resource: text.slice(0, dot), group: text.slice(dot + 1) };
}
