/** Reads hooks and snapshots in the namespaces that the user may list, and the templates to which they refer. */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { persistentVolumeClaims } from '../../../kube/resources.ts';
import { readClaimHooks } from '../../../lifecycles/snapshot/app/claim-hooks.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  type ExecutionHookInfo,
  executionHooks,
  executionHookTemplates,
  type SnapshotGuard,
  snapshotGuards,
} from '../../../lifecycles/snapshot/kinds.ts';
import { CLAIM_HOOKS } from '../../../lifecycles/snapshot/names.ts';
import {
  type SnapshotSchedule,
  snapshotSchedules,
} from '../../../lifecycles/snapshot/schedule/kinds.ts';
import { ask, type Asked } from '../../doctor/asked.ts';
import { itemsOf, listSeen, type Scope, type Seen } from '../../doctor/seen.ts';

export interface ObjectFacts {
  readonly hooks: Seen<ExecutionHook>;
  readonly snapshots: Seen<ApplicationSnapshot>;
  /** The references to templates, each with whether the template exists. */
  readonly templates: readonly TemplateReference[];
}

export interface TemplateReference {
  readonly namespace: string;
  readonly template: string;
  /** The object that has the reference: "ExecutionHook night", "the annotation of PersistentVolumeClaim data". */
  readonly by: string;
  readonly found: Asked<object>;
}

export async function gatherObjects(client: KubeClient, scope: Scope): Promise<ObjectFacts> {
  const [hooks, snapshots, claims, schedules, guards] = await Promise.all([
    listSeen(client, executionHooks, scope),
    listSeen(client, applicationSnapshots, scope),
    listSeen(client, persistentVolumeClaims, scope),
    listSeen(client, snapshotSchedules, scope),
    listSeen(client, snapshotGuards, scope),
  ]);
  const named = [
    ...itemsOf(hooks).flatMap(ofHook),
    ...itemsOf(snapshots).flatMap(ofSnapshot),
    ...itemsOf(schedules).flatMap(ofSchedule),
    ...itemsOf(guards).flatMap(ofGuard),
    ...(await Promise.all(itemsOf(claims).map(ofClaim))).flat(),
  ];
  return { hooks, snapshots, templates: await lookUp(client, named) };
}

type Named = Omit<TemplateReference, 'found'>;

/**
 * The template to which a hook refers. Empty once the hook has stored its actions, because it no longer needs the
 * template.
 */
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

function ofSchedule({ metadata, spec }: SnapshotSchedule): Named[] {
  const { namespace = '', name = '' } = metadata ?? {};
  const infos = spec.snapshotTemplate.spec.executionHookInfos ?? [];
  return ofInfos(infos, namespace, `SnapshotSchedule ${name}`);
}

function ofGuard({ metadata, spec }: SnapshotGuard): Named[] {
  const { namespace = '', name = '' } = metadata ?? {};
  return ofInfos(spec.executionHookInfos, namespace, `SnapshotGuard ${name}`);
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

/** Looks up each template once. */
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
