/** The command of a lifecycle for a verb and a path. Pure. */
import type { Found, Named } from './look-at-path.ts';

export type Verb = 'plan' | 'explain';

/** The arguments of the `lifehook` command to run; null: the verb does not apply to this path. */
export function commandFor(found: Found): readonly string[] | null {
  switch (found.kind) {
    case 'hooks':
      return ['oci', 'explain', '--hooks-dir', found.folder];
    case 'bundle':
      return ['oci', 'explain', found.folder];
    case 'pipeline':
      return ['pipeline', 'plan', '--filename', found.file];
    case 'manifest':
      return ofManifest(found);
    default:
      return found satisfies never;
  }
}

function ofManifest({
  file,
  objects,
}: Extract<Found, { kind: 'manifest' }>): readonly string[] | null {
  const deployment = objects.find(({ kind }) => kind === 'Deployment');
  if (deployment !== undefined) {
    return ['rollout', 'plan', deployment.name, '--file', file, ...inNamespace(deployment)];
  }
  const snapshot = objects.find(({ kind }) => kind === 'ApplicationSnapshot');
  return snapshot === undefined
    ? null
    : ['snapshot', 'plan', snapshot.name, ...inNamespace(snapshot)];
}

function inNamespace({ namespace }: Named): readonly string[] {
  return namespace === '' ? [] : ['--namespace', namespace];
}
