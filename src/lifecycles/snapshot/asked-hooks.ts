/**
 * Reads the hooks that a snapshot asks for, and the problems with them, before the snapshot is created.
 *
 * Reads only objects of the namespace. An object that may not be read counts as valid: the controller checks it again.
 */
import { ApiError } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { readClaimHooks } from './app/claim-hooks.ts';
import { findClaims } from './app/read-sources.ts';
import {
  type ApplicationSnapshot,
  type ExecutionHookInfo,
  executionHookTemplates,
} from './kinds.ts';

export interface AskedHooks {
  /** The hooks in the spec; if it lacks that field, the hooks in the annotations of the claims. */
  readonly infos: readonly ExecutionHookInfo[];
  /** The problems with the annotations of the claims, as sentences. */
  readonly wrongAnnotations: readonly string[];
  readonly missingTemplates: readonly string[];
  /** Names of all templates in the namespace, for a suggestion. They are read only if a template is missing. */
  readonly knownTemplates: readonly string[];
}

export async function readAskedHooks(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<AskedHooks> {
  const namespace = snapshot.metadata?.namespace ?? '';
  const { infos, wrongAnnotations } = await infosOf(client, snapshot);
  const names = new Set(infos.flatMap((info) => info.executionHookTemplateName ?? []));
  const found = await unlessRefused([], () =>
    Promise.all(
      [...names].map(async (name) => ({
        name,
        template: await getOrNull(client, executionHookTemplates, { namespace, name }),
      })),
    ),
  );
  const missingTemplates = found.flatMap(({ name, template }) => (template === null ? name : []));
  const knownTemplates = missingTemplates.length === 0 ? [] : await namesIn(client, namespace);
  return { infos, wrongAnnotations, missingTemplates, knownTemplates };
}

async function infosOf(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<Pick<AskedHooks, 'infos' | 'wrongAnnotations'>> {
  const given = snapshot.spec.executionHookInfos;
  if (given !== undefined) return { infos: given, wrongAnnotations: [] };
  const claims = await unlessRefused([], () => findClaims(client, snapshot));
  const read = await Promise.all(claims.map(({ claim }) => readClaimHooks(claim)));
  return {
    infos: read.flatMap(({ infos }) => infos),
    wrongAnnotations: read.flatMap(({ infosProblem }) => infosProblem ?? []),
  };
}

async function namesIn(client: KubeClient, namespace: string): Promise<readonly string[]> {
  const items = await unlessRefused(
    [],
    async () => (await client.list(executionHookTemplates, { namespace })).items,
  );
  return items.flatMap(({ metadata }) => metadata?.name ?? []).toSorted();
}

async function unlessRefused<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // 404: a server that does not serve the kind has no template.
    if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return otherwise;
    throw error;
  }
}
