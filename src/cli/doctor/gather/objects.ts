/** Reads Lifehook's objects in the namespaces that the user may list, and the templates that they refer to. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { deploymentLifecycles } from '../../../lifecycles/rollout/kinds.ts';
import { readClaimHooks } from '../../../lifecycles/snapshot/app/claim-hooks.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  type ExecutionHookInfo,
  executionHooks,
  executionHookTemplates,
} from '../../../lifecycles/snapshot/kinds.ts';
import { CLAIM_HOOKS } from '../../../lifecycles/snapshot/names.ts';
import { ask, type Asked } from '../asked.ts';
import type { ObjectFacts, Seen, TemplateReference } from '../facts.ts';

export interface Scope {
  readonly namespace: string;
  /** True: only that namespace; false: all namespaces, if the user may list them. */
  readonly isOnly: boolean;
}

export async function gatherObjects(client: KubeClient, scope: Scope): Promise<ObjectFacts> {
  const [hooks, snapshots, lifecycles, claims] = await Promise.all([
    listSeen(client, executionHooks, scope),
    listSeen(client, applicationSnapshots, scope),
    listSeen(client, deploymentLifecycles, scope),
    listSeen(client, persistentVolumeClaims, scope),
  ]);
  const named = [
    ...itemsOf(hooks).flatMap(ofHook),
    ...itemsOf(snapshots).flatMap(ofSnapshot),
    ...(await Promise.all(itemsOf(claims).map(ofClaim))).flat(),
  ];
  return { hooks, snapshots, lifecycles, templates: await lookUp(client, named) };
}

export function itemsOf<T>(seen: Seen<T>): readonly T[] {
  return seen.kind === 'known' ? seen.value.items : [];
}

async function listSeen<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  { namespace, isOnly }: Scope,
): Promise<Seen<T>> {
  const right = { verb: 'list', group: resource.group, resource: resource.plural };
  const inOne = (): Promise<Asked<{ items: readonly T[] }>> =>
    ask({ ...right, namespace }, () => client.list(resource, { namespace }));
  if (isOnly) return inOne();
  const all = await ask(right, () => client.list(resource));
  if (all.kind !== 'refused') return all;
  const one = await inOne();
  if (one.kind !== 'known') return one;
  return { kind: 'known', value: { items: one.value.items, onlyIn: { namespace, right } } };
}

type Named = Omit<TemplateReference, 'found'>;

/** A hook does not need its template once its actions are stored. */
function ofHook({ metadata, spec, status }: ExecutionHook): Named[] {
  const { executionHookTemplateName: template } = spec;
  const { namespace = '', name = '' } = metadata ?? {};
  if (template === undefined || status?.resolved !== undefined) return [];
  return [{ namespace, template, by: `ExecutionHook ${name}` }];
}

function ofSnapshot({ metadata, spec, status }: ApplicationSnapshot): Named[] {
  const { namespace = '', name = '' } = metadata ?? {};
  if (status?.phase === 'Completed' || status?.phase === 'Failed') return [];
  return ofInfos(spec.executionHookInfos ?? [], namespace, `ApplicationSnapshot ${name}`);
}

async function ofClaim(claim: PersistentVolumeClaim): Promise<Named[]> {
  const { namespace = '', name = '', annotations = {} } = claim.metadata ?? {};
  if (annotations[CLAIM_HOOKS] === undefined) return [];
  const { infos } = await readClaimHooks(claim);
  return ofInfos(infos, namespace, `the annotation of PersistentVolumeClaim ${name}`);
}

function ofInfos(infos: readonly ExecutionHookInfo[], namespace: string, by: string): Named[] {
  return infos.flatMap(({ executionHookTemplateName: template }) =>
    template === undefined ? [] : [{ namespace, template, by }],
  );
}

/** Reads each template once. */
async function lookUp(
  client: KubeClient,
  named: readonly Named[],
): Promise<readonly TemplateReference[]> {
  const answers = new Map<string, Promise<Asked<object>>>();
  const { group, plural } = executionHookTemplates;
  return Promise.all(
    named.map(async (one) => {
      const { namespace, template: name } = one;
      const key = `${namespace}/${name}`;
      const right = { verb: 'get', group, resource: plural, namespace };
      const answer =
        answers.get(key) ??
        ask(right, () => client.get(executionHookTemplates, { namespace, name }));
      answers.set(key, answer);
      return { ...one, found: await answer };
    }),
  );
}
