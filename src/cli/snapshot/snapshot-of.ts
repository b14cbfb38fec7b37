/** The ApplicationSnapshot that the options of a command describe. Pure. */
import type {
  ApplicationSnapshot,
  ApplicationSnapshotSpec,
  ExecutionHookInfo,
} from '../../lifecycles/snapshot/kinds.ts';
import type { RequestOptions } from './request-options.ts';

/** null: they don't say of what. */
export function snapshotOf(
  name: string,
  namespace: string,
  options: RequestOptions,
): ApplicationSnapshot | null {
  const source = sourceOf(options);
  if (source === null) return null;
  const { group = false, cutDeadline, class: className } = options;
  const infos = infosOf(options);
  const classField = group ? 'volumeGroupSnapshotClassName' : 'volumeSnapshotClassName';
  return {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    metadata: { name, namespace },
    spec: {
      source,
      mode: group ? 'Group' : 'Single',
      ...(className === undefined ? {} : { [classField]: className }),
      ...(cutDeadline === undefined ? {} : { cutDeadlineSeconds: cutDeadline }),
      ...(infos.length === 0 ? {} : { executionHookInfos: infos }),
    },
  };
}

function sourceOf({ claim, selector }: RequestOptions): ApplicationSnapshotSpec['source'] | null {
  if (claim !== undefined) return { persistentVolumeClaimNames: [...claim] };
  return selector === undefined ? null : { selector: { matchLabels: { ...selector } } };
}

function infosOf({ template, recipe, pods, container }: RequestOptions): ExecutionHookInfo[] {
  if (template === undefined && recipe === undefined) return [];
  const info: ExecutionHookInfo = {};
  if (template !== undefined) info.executionHookTemplateName = template;
  if (recipe !== undefined) info.recipe = recipe;
  if (pods !== undefined) info.podSelector = { matchLabels: { ...pods } };
  if (container !== undefined) info.containerSelector = { ContainerName: container };
  return [info];
}
