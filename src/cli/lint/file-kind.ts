/** Determines what a file is by its name and its text. Pure. */
import { basename } from 'node:path';

import { fieldsAt, textAt } from '../../kube/fields.ts';
import { isHookFile } from '../by-file/look-at-path.ts';

export type FileKind = 'pipeline' | 'kustomization' | 'kubeconfig' | 'hooks' | 'manifest';

export const PIPELINES: readonly string[] = ['skaffold.yaml', 'skaffold.yml'];
export const KUSTOMIZATIONS: readonly string[] = [
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
];

/** The kind of a file. A text that is none of the other kinds counts as a manifest. */
export function fileKindOf(file: string, text: string): FileKind {
  const name = basename(file);
  const identity = identityOf(text);
  if (PIPELINES.includes(name) || isOf(identity, 'skaffold')) return 'pipeline';
  if (KUSTOMIZATIONS.includes(name) || isOf(identity, 'kustomize.config.k8s.io')) {
    return 'kustomization';
  }
  if (isKubeconfig(identity)) return 'kubeconfig';
  return isHooks(text) ? 'hooks' : 'manifest';
}

/** The fields at the top level of all documents. */
interface Identity {
  readonly apiVersions: readonly string[];
  readonly kinds: readonly string[];
}

function identityOf(text: string): Identity {
  const json = objectIn(text);
  if (json === null) {
    return { apiVersions: valuesOf('apiVersion', text), kinds: valuesOf('kind', text) };
  }
  return { apiVersions: [textAt(json['apiVersion'])], kinds: [textAt(json['kind'])] };
}

function valuesOf(field: string, text: string): readonly string[] {
  const pattern = new RegExp(`^\\uFEFF?["']?${field}["']?:[ \\t]*["']?([^\\s"'#]*)`, 'gmu');
  return [...text.matchAll(pattern)].map(([, value = '']) => value);
}

function isOf({ apiVersions }: Identity, group: string): boolean {
  return apiVersions.some((one) => one.startsWith(`${group}/`));
}

/**
 * Whether a document is a kubeconfig. The API version of one is v1, or absent. Other groups have kinds that are named
 * Config too.
 */
function isKubeconfig({ apiVersions, kinds }: Identity): boolean {
  return kinds.includes('Config') && !apiVersions.some((one) => one.includes('/'));
}

/** Characters. A longer JSON text is not parsed here: no hook file is that long. */
const JSON_CHARACTERS_MAX = 1_048_576;

function isJson(text: string): boolean {
  return text.length <= JSON_CHARACTERS_MAX && /^\s*\{/u.test(text);
}

/** The object of a JSON text; null: the text is something else, or damaged. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  if (!isJson(text)) return null;
  try {
    return fieldsAt(JSON.parse(text.trimStart()));
  } catch {
    return null;
  }
}

function isHooks(text: string): boolean {
  const json = objectIn(text);
  if (json !== null) return isHookFile(json);
  // A hook file that is truncated or lacks a comma: `oci lint` explains the mistake better than a manifest parser.
  return isJson(text) && /"hook"\s*:/u.test(text) && /"stages?"\s*:/u.test(text);
}
