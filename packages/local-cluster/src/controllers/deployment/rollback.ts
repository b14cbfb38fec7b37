/**
 * A rollback that is asked for by annotation, as clients of old did it. (kubectl's `rollout undo` writes
 * the template itself.) Done or not, the annotation goes.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { deployments } from '../../../../../src/kube/resources.ts';
import { annotationsOf, identityOf, templateOf } from '../workload/parts.ts';
import { type DeploymentPass, tell } from './pass.ts';
import { allOf, type ReplicaSets } from './replica-sets.ts';
import { revisionBefore, revisionOf, ROLLBACK_TO, rolledBackAnnotations } from './revisions.ts';
import { sameTemplate, withoutHash } from './template.ts';

/** null: none is asked for. 0: the revision before this one. */
export function rollbackRevision({ metadata }: Deployment): number | null {
  const text = metadata?.annotations?.[ROLLBACK_TO];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export async function rollBack(
  pass: DeploymentPass,
  found: ReplicaSets,
  asked: number,
): Promise<void> {
  const sets = allOf(found);
  const revision = asked === 0 ? revisionBefore(sets) : asked;
  const set = revision === 0 ? undefined : sets.find((one) => revisionOf(one) === revision);
  if (set === undefined) {
    const message =
      revision === 0
        ? 'Unable to find last revision.'
        : 'Unable to find the revision to rollback to.';
    tell(pass, { type: 'Warning', reason: 'DeploymentRollbackRevisionNotFound', message });
    await write(pass, pass.deployment);
    return;
  }
  await goBack(pass, set, revision);
}

async function goBack(pass: DeploymentPass, set: ReplicaSet, revision: number): Promise<void> {
  const { deployment } = pass;
  const { name } = identityOf(deployment);
  const template = templateOf(set);
  if (sameTemplate(template, templateOf(deployment))) {
    const message = `The rollback revision contains the same template as current deployment "${name}"`;
    tell(pass, { type: 'Warning', reason: 'DeploymentRollbackTemplateUnchanged', message });
    await write(pass, deployment);
    return;
  }
  const annotations = rolledBackAnnotations(annotationsOf(deployment), annotationsOf(set));
  await write(pass, {
    ...deployment,
    metadata: { ...deployment.metadata, annotations },
    spec: { selector: {}, ...deployment.spec, template: withoutHash(template) },
  });
  const message = `Rolled back deployment "${name}" to revision ${revision}`;
  tell(pass, { type: 'Normal', reason: 'DeploymentRollback', message });
}

async function write(pass: DeploymentPass, wanted: Deployment): Promise<void> {
  const { [ROLLBACK_TO]: _, ...annotations } = annotationsOf(wanted);
  pass.deployment = await pass.client.replace(deployments, {
    ...wanted,
    metadata: { ...wanted.metadata, annotations },
  });
}
